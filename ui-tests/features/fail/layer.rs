use axum::Router;
use folio::Folio;

fn app(folio: &Folio) -> Router {
    Router::new().layer(folio.layer())
    //~^ ERROR: the feature `axum` of folio is not enabled
}

fn main() {}
