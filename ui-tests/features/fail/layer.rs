use axum::Router;
use folio::Folio;

fn app(folio: &Folio) -> Router {
    Router::new().layer(folio.layer())
}

fn main() {}
