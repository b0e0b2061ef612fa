//! The layer that gives each request its application and its place as the active one, for any service of tower.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::extract::OriginalUri;
use axum::http::{HeaderValue, Request, Response, StatusCode};
use http_body::{Body, Frame, SizeHint};
use pin_project_lite::pin_project;
use tower_layer::Layer;
use tower_service::Service;

use crate::app::{self, Folio};
use crate::request::{self, ActiveRequest};
use crate::response::inertia::location_of_stale;

impl Folio {
    /// The layer under which each request has this as its application and is the active request: a handler needs
    /// nothing else to paginate, and a path or a page is never handed to it.
    ///
    /// It may stand anywhere on a router, also inside a nested one: the active request has the path and query that the
    /// client sent. A body that is streamed is written inside the scope as well, so a stream may go on asking for
    /// pages. A task that a handler spawns is outside.
    ///
    /// If an [asset version](Folio::asset_version) is set, an Inertia client with another one is told to reload the
    /// page, and no handler runs.
    ///
    /// ```
    /// # #[derive(Debug, serde::Serialize, sqlx::FromRow, folio::Paginate)]
    /// # struct Post { id: i64, title: String }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let pool = sqlx::sqlite::SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await?;
    /// # sqlx::query("CREATE TABLE posts (id INTEGER PRIMARY KEY, title TEXT NOT NULL)").execute(&pool).await?;
    /// # sqlx::query("INSERT INTO posts VALUES (1, 'a'), (2, 'b'), (3, 'c')").execute(&pool).await?;
    /// use axum::{Router, body::{Body, to_bytes}, http::Request, routing::get};
    /// use folio::{Folio, LengthAwarePaginator};
    /// use tower_service::Service;
    ///
    /// async fn posts() -> folio::Result<LengthAwarePaginator<Post>> {
    ///     Post::query().with_path("/posts").paginate(2).await
    /// }
    ///
    /// let mut app = Router::new().route("/posts", get(posts)).layer(Folio::new(pool).layer());
    ///
    /// let answer = app.call(Request::get("/posts?page=2").body(Body::empty())?).await?;
    /// let page: serde_json::Value = serde_json::from_slice(&to_bytes(answer.into_body(), usize::MAX).await?)?;
    /// assert_eq!(page["data"], serde_json::json!([{ "id": 3, "title": "c" }]));
    /// assert_eq!(page["prev_page_url"], "/posts?page=1");
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn layer(&self) -> FolioLayer {
        FolioLayer { folio: self.clone() }
    }
}

/// The layer that [`Folio::layer`] makes.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let pool = sqlx::SqlitePool::connect_lazy("sqlite::memory:")?;
/// use axum::{Router, body::Body, http::Request, routing::get};
/// use folio::{ActiveRequest, Folio};
/// use tower_service::Service;
///
/// let uri = async || {
///     assert_eq!(ActiveRequest::current().unwrap().uri(), "/api/posts?page=2");
/// };
/// let api = Router::new().route("/posts", get(uri)).layer(Folio::new(pool).layer());
/// let mut app = Router::new().nest("/api", api);
/// let answer = app.call(Request::get("/api/posts?page=2").body(Body::empty())?).await?;
/// assert_eq!(answer.status(), 200);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct FolioLayer {
    folio: Folio,
}

impl<S> Layer<S> for FolioLayer {
    type Service = FolioService<S>;

    fn layer(&self, inner: S) -> FolioService<S> {
        FolioService { inner, folio: self.folio.clone() }
    }
}

/// A service under a [`FolioLayer`].
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let pool = sqlx::SqlitePool::connect_lazy("sqlite::memory:")?;
/// use axum::{Router, body::Body, http::Request, routing::get};
/// use folio::{Folio, FolioBody, FolioFuture, FolioService};
/// use tower_layer::Layer;
/// use tower_service::Service;
///
/// let inner = Router::new().route("/", get(async || Folio::current().is_ok().to_string()));
/// let mut service: FolioService<Router> = Folio::new(pool).layer().layer(inner);
/// let future: FolioFuture<_> = service.call(Request::new(Body::empty()));
/// let body: FolioBody<Body> = future.await?.into_body();
/// assert_eq!(axum::body::to_bytes(Body::new(body), 1024).await?, "true");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct FolioService<S> {
    inner: S,
    folio: Folio,
}

impl<S, B, R> Service<Request<B>> for FolioService<S>
where
    S: Service<Request<B>, Response = Response<R>>,
{
    type Response = Response<FolioBody<R>>;
    type Error = S::Error;
    type Future = FolioFuture<S::Future>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<B>) -> FolioFuture<S::Future> {
        let whole = request.extensions().get::<OriginalUri>();
        let uri = whole.map_or_else(|| request.uri(), |OriginalUri(uri)| uri);
        // No URL that folio writes names the server, so scheme and host are left out.
        let active = ActiveRequest::new(uri.path_and_query().map_or("", |sent| sent.as_str()))
            .with_method(request.method().as_str())
            .with_headers(request.headers().clone());
        let scope = Scope { folio: self.folio.clone(), active };
        if let Some(answer) = stale(&scope) {
            return FolioFuture { future: None, scope: None, instead: Some(answer) };
        }
        // A service may do part of its work before it gives its future.
        let future = scope.enter(|| self.inner.call(request));
        FolioFuture { future: Some(future), scope: Some(scope), instead: None }
    }
}

/// The response to an Inertia client with stale assets: reload the page.
fn stale(scope: &Scope) -> Option<Response<()>> {
    let version = scope.folio.shell().version.as_deref()?;
    let location = location_of_stale(&scope.active, version)?;
    let mut answer = Response::new(());
    *answer.status_mut() = StatusCode::CONFLICT;
    answer.headers_mut().insert("X-Inertia-Location", HeaderValue::try_from(location).ok()?);
    answer.headers_mut().insert("X-Inertia-Version", HeaderValue::try_from(version).ok()?);
    Some(answer)
}

/// What a request has around it.
#[derive(Debug, Clone)]
struct Scope {
    folio: Folio,
    active: ActiveRequest,
}

impl Scope {
    /// Runs `work` inside.
    fn enter<R>(&self, work: impl FnOnce() -> R) -> R {
        app::within(self.folio.clone(), || request::within(self.active.clone(), work))
    }
}

pin_project! {
    /// The answer of a [`FolioService`], still to come. For an example see there.
    #[derive(Debug)]
    pub struct FolioFuture<F> {
        // None where the service is not asked.
        #[pin]
        future: Option<F>,
        // Handed on to the body with the answer.
        scope: Option<Scope>,
        instead: Option<Response<()>>,
    }
}

impl<F, R, E> Future for FolioFuture<F>
where
    F: Future<Output = Result<Response<R>, E>>,
{
    type Output = Result<Response<FolioBody<R>>, E>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        if let Some(answer) = this.instead.take() {
            return Poll::Ready(Ok(answer.map(|()| FolioBody { body: None, scope: None })));
        }
        // Without an answer of its own there is a future; once it has answered it is not asked again.
        let Some(future) = this.future.as_pin_mut() else { return Poll::Pending };
        let answer = match this.scope.as_ref() {
            Some(scope) => ready!(scope.enter(|| future.poll(context))),
            None => ready!(future.poll(context)),
        };
        let scope = this.scope.take();
        Poll::Ready(answer.map(|answer| answer.map(|body| FolioBody { body: Some(body), scope })))
    }
}

pin_project! {
    /// A body that is written inside the scope of the request that it answers. For an example see [`FolioService`].
    #[derive(Debug)]
    pub struct FolioBody<B> {
        // None in an empty one.
        #[pin]
        body: Option<B>,
        // None in a body that was not made by an answer, such as one that a time-out puts in its place.
        scope: Option<Scope>,
    }
}

impl<B> Default for FolioBody<B> {
    fn default() -> Self {
        Self { body: None, scope: None }
    }
}

impl<B: Body> Body for FolioBody<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        let this = self.project();
        let Some(body) = this.body.as_pin_mut() else { return Poll::Ready(None) };
        match this.scope {
            Some(scope) => scope.enter(|| body.poll_frame(context)),
            None => body.poll_frame(context),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body.as_ref().map_or_else(|| SizeHint::with_exact(0), Body::size_hint)
    }
}
