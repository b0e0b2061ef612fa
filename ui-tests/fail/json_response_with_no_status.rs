use folio::json_response;

fn main() {
    json_response!("created", "201");
}
