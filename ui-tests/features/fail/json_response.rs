fn main() {
    folio::json_response!("created", 201);
    //~^ ERROR: `json_response!` needs the feature `axum` of folio; enable it in Cargo.toml
}
