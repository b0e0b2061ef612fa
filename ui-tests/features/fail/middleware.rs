use folio::Folio;

struct App;

impl App {
    fn wrap<M>(self, _: M) {}
}

fn app(folio: &Folio) {
    App.wrap(folio.middleware());
}

fn main() {}
