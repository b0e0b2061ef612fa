fn main() {
    folio::json_response!("created", 201);
}
