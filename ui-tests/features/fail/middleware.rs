use folio::Folio;

struct App;

impl App {
    fn wrap<M>(self, _: M) {}
}

fn app(folio: &Folio) {
    App.wrap(folio.middleware());
    //~^ ERROR: the feature `actix` of folio is not enabled
}

fn main() {}
