use folio::json_response;

fn main() {
    json_response!("created", "201");
    //~^ ERROR: `&str` is not an HTTP status
}
