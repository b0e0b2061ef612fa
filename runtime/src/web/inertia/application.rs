//! The methods of [`Folio`] for all Inertia pages of an application.

use std::sync::Arc;

use futures_util::{FutureExt as _, TryFutureExt as _};
use serde::Serialize;
use serde_json::value::to_raw_value;

use super::settings::{InertiaSettings, SharedProp};
use crate::app::Folio;
use crate::error::Result;
#[cfg(any(feature = "actix", feature = "axum"))]
use crate::web::request_scope::EarlyAnswers;

impl Folio {
    /// Sets the HTML document for the first visit to an Inertia page. `view` gets the HTML that the front end mounts
    /// on, which contains the page object, and returns the whole document. The page object is escaped, so no value in
    /// it can inject HTML.
    ///
    /// Without this setting, the document only consists of that HTML, so it loads no scripts.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// # let pool = sqlx::SqlitePool::connect_lazy("sqlite::memory:")?;
    /// use folio::Folio;
    /// use folio::inertia::Inertia;
    ///
    /// let folio = Folio::new(pool).root_view(|app| {
    ///     format!("<!doctype html><title>Blog</title><script type=\"module\" src=\"/app.js\"></script>{app}")
    /// });
    /// let answer = folio.scope(async { Inertia::render("Posts").prop("tag", "</script>").answer() }).await?;
    /// assert!(answer.body.starts_with("<!doctype html><title>Blog</title>"));
    /// assert!(answer.body.contains(r#"<script data-page="app" type="application/json">{"component":"Posts""#));
    /// assert!(answer.body.contains(r#""tag":"\u003c\/script>""#));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn root_view(self, view: impl Fn(&str) -> String + Send + Sync + 'static) -> Self {
        self.with_extension(|inertia: &mut InertiaSettings| inertia.view = Some(Arc::new(view)))
    }

    /// Sets the version of the front end's assets, such as a hash of their manifest.
    ///
    /// folio's [layer or middleware](crate::guide::frameworks) tells clients with another version to reload the page.
    /// While a client of Inertia 3 loads rows for a list, it does not reload automatically: it fires its `location`
    /// event, and the front end decides.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// # let pool = sqlx::SqlitePool::connect_lazy("sqlite::memory:")?;
    /// use folio::Folio;
    /// use folio::inertia::Inertia;
    ///
    /// let folio = Folio::new(pool).asset_version("4f9a");
    /// let page = folio.scope(async { Inertia::render("Posts").page_object() }).await?;
    /// assert!(page.ends_with(r#""version":"4f9a"}"#));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn asset_version(self, version: &str) -> Self {
        let folio = self.with_extension(|inertia: &mut InertiaSettings| inertia.version = Some(version.into()));
        #[cfg(any(feature = "actix", feature = "axum"))]
        let folio = folio.with_extension(|EarlyAnswers(answers)| answers.push(super::respond::reload));
        folio
    }

    /// Adds a prop to every Inertia page that does not set a prop with the same key. `value` is called for each
    /// response that contains the prop. It can read the [active request](crate::ActiveRequest) and the
    /// [extensions](crate::ActiveRequest::extension) that middleware has added to it.
    ///
    /// The prop `errors` is also sent in partial reloads that do not request it. A key with dots is a path: see
    /// [`prop`](crate::inertia::InertiaResponse::prop).
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// # let pool = sqlx::SqlitePool::connect_lazy("sqlite::memory:")?;
    /// use folio::Folio;
    /// use folio::inertia::Inertia;
    ///
    /// let folio = Folio::new(pool).share("site", || "Blog").share("year", || 2026);
    /// let page = folio.scope(async { Inertia::render("Posts").prop("year", 1998).page_object() }).await?;
    /// assert!(page.contains(r#""props":{"errors":{},"year":1998,"site":"Blog"}"#));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn share<T: Serialize>(self, key: &str, value: impl Fn() -> T + Send + Sync + 'static) -> Self {
        let value = SharedProp::Now(Arc::new(move || to_raw_value(&value())));
        self.with_extension(|inertia: &mut InertiaSettings| inertia.shared.push((key.into(), value)))
    }

    /// Same as [`share`](Self::share), for an asynchronous value, such as one from the database.
    ///
    /// Pages have to load it with [`load_shared`](crate::inertia::InertiaResponse::load_shared), because responses are
    /// written synchronously. A page that neither loads nor sets the prop fails with an error that says so. Code that
    /// cannot await, such as `IntoResponse` for an error page, has to set the prop itself.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// # let pool = sqlx::SqlitePool::connect_lazy("sqlite::memory:")?;
    /// use folio::inertia::Inertia;
    /// use folio::{ActiveRequest, Folio};
    ///
    /// #[derive(Clone)]
    /// struct User(i64);
    ///
    /// /// Counts the messages of the user that middleware found.
    /// async fn unread() -> folio::Result<Option<i64>> {
    ///     let request = ActiveRequest::current();
    ///     let Some(User(id)) = request.as_ref().and_then(|request| request.extension()) else { return Ok(None) };
    ///     Ok(Some(id * 100))
    /// }
    ///
    /// let folio = Folio::new(pool).share_async("unread", unread);
    /// let mut extensions = http::Extensions::new();
    /// extensions.insert(User(7));
    /// let page = async { Inertia::render("Posts").load_shared().await?.page_object() };
    /// let page = folio.scope(ActiveRequest::new("/").with_extensions(extensions).scope(page)).await?;
    /// assert!(page.contains(r#""unread":700"#));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn share_async<T, F>(self, key: &str, load: impl Fn() -> F + Send + Sync + 'static) -> Self
    where
        T: Serialize,
        F: Future<Output = Result<T>> + Send + 'static,
    {
        let json = move || load().map_ok(|value| to_raw_value(&value)).boxed();
        let value = SharedProp::Later(Arc::new(json));
        self.with_extension(|inertia: &mut InertiaSettings| inertia.shared.push((key.into(), value)))
    }

    /// Sends each list as an object with the rows under `name`, as [`wrapped`](crate::inertia::ScrollProp::wrapped)
    /// does for one list. Laravel uses `data`.
    ///
    /// To choose another form for a single list, call [`wrapped`](crate::inertia::ScrollProp::wrapped) or
    /// [`unwrapped`](crate::inertia::ScrollProp::unwrapped) on it.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// # let pool = sqlx::SqlitePool::connect_lazy("sqlite::memory:")?;
    /// use folio::inertia::{Inertia, ScrollProp};
    /// use folio::{Folio, Paginator};
    ///
    /// let folio = Folio::new(pool).wrap_rows("data");
    /// let posts = || Paginator::new(vec![1, 2], 1, 2, true);
    /// let tags = ScrollProp::from(posts()).unwrapped();
    /// let page = async { Inertia::paginate("Posts", "posts", posts()).paginate("tags", tags).page_object() };
    ///
    /// let page: serde_json::Value = serde_json::from_str(&folio.scope(page).await?).unwrap();
    /// assert_eq!(page["props"]["posts"]["data"], serde_json::json!([1, 2]));
    /// assert_eq!(page["props"]["tags"], serde_json::json!([1, 2]));
    /// assert_eq!(page["mergeProps"], serde_json::json!(["posts.data", "tags"]));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn wrap_rows(self, name: &str) -> Self {
        self.with_extension(|inertia: &mut InertiaSettings| inertia.wrapper = Some(name.into()))
    }

    /// Sends integers beyond ±(2⁵³ − 1) as `{"$bigint":"9007199254740993"}`, everywhere in the props and in the flash
    /// data of Inertia pages. Without this setting they are numbers, which JavaScript rounds.
    ///
    /// Clients from Inertia 3.8 on make a [`BigInt`](https://inertiajs.com/docs/v3/advanced/big-integers) of each, with
    /// nothing to configure, because the page object says `"preserveBigIntegers":true`. Older clients pass the objects
    /// on to the components. The client takes an object of your own with the key `$bigint` for an integer as well.
    ///
    /// Smaller integers and floats remain numbers, so an id is a `number` or a `bigint`, depending on its value. If it
    /// should always have one type, send it as a string: see [`id_as_string`](crate::id_as_string).
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// # let pool = sqlx::SqlitePool::connect_lazy("sqlite::memory:")?;
    /// use folio::inertia::Inertia;
    /// use folio::{Folio, Paginator};
    ///
    /// let folio = Folio::new(pool).preserve_big_integers();
    /// let ids = Paginator::new(vec![7, 9_007_199_254_740_993_i64], 1, 2, false);
    /// let page = folio.scope(async { Inertia::paginate("Posts", "ids", ids).page_object() }).await?;
    /// assert!(page.contains(r#""ids":[7,{"$bigint":"9007199254740993"}]"#));
    /// assert!(page.ends_with(r#""preserveBigIntegers":true}"#));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn preserve_big_integers(self) -> Self {
        self.with_extension(|inertia: &mut InertiaSettings| inertia.preserves_big_integers = true)
    }

    /// Puts the page object for a first visit into the `data-page` attribute of the front end's element instead of a
    /// `<script>` element. Clients of Inertia 2 look for it there, unless they are configured to read the script.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// # let pool = sqlx::SqlitePool::connect_lazy("sqlite::memory:")?;
    /// use folio::Folio;
    /// use folio::inertia::Inertia;
    ///
    /// let folio = Folio::new(pool).page_in_attribute();
    /// let answer = folio.scope(async { Inertia::render("Posts").answer() }).await?;
    /// assert!(answer.body.contains(r#"<div id="app" data-page="{&quot;component&quot;:"#));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn page_in_attribute(self) -> Self {
        self.with_extension(|inertia: &mut InertiaSettings| inertia.in_attribute = true)
    }
}
