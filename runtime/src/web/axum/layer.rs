//! The tower layer that sets the application and the active request.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::extract::OriginalUri;
use http::{Request, Response};
use http_body::{Body, Frame, SizeHint};
use pin_project_lite::pin_project;
use tower_layer::Layer;
use tower_service::Service;

use crate::app::Folio;
use crate::request::ActiveRequest;
use crate::web::request_scope::{FolioBody, RequestScope};

impl Folio {
    /// Creates the layer that sets this application and the active request for each request. Handlers inside it can
    /// paginate without further setup.
    ///
    /// The layer works on any router, even a nested one: the active request has the whole path and query that the
    /// client sent. A streamed body also runs with the request's application and active request, so it can read further
    /// pages. Tasks that a handler spawns do not.
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
        self.enters_requests();
        FolioLayer { folio: self.clone() }
    }
}

/// The layer that [`Folio::layer`] creates, for a router of axum or any other tower service.
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

/// A service that is wrapped in a [`FolioLayer`].
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let pool = sqlx::SqlitePool::connect_lazy("sqlite::memory:")?;
/// use axum::{Router, body::Body, http::Request, routing::get};
/// use folio::Folio;
/// use folio::axum::{FolioBody, FolioFuture, FolioService};
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
        let scope = RequestScope::new(self.folio.clone(), active_request(&request));
        if let Some(response) = scope.early_answer() {
            return FolioFuture { state: State::Answered { response } };
        }
        // A service may do part of its work before it returns its future.
        let future = scope.enter(|| self.inner.call(request));
        FolioFuture { state: State::Running { future, scope } }
    }
}

/// The request as the client sent it.
fn active_request<B>(request: &Request<B>) -> ActiveRequest {
    // A nested router removes part of the path, and axum keeps the whole one.
    let uri = request.extensions().get().map_or_else(|| request.uri(), |OriginalUri(uri)| uri);
    // No URL that folio writes names the server, so scheme and host are left out.
    ActiveRequest::new(uri.path_and_query().map_or("", |sent| sent.as_str()))
        .with_method(request.method().as_str())
        .with_headers(request.headers().clone())
        .with_extensions(request.extensions().clone())
}

pin_project! {
    /// The future of a [`FolioService`]. It runs inside the scope of its request.
    ///
    /// See [`FolioService`] for an example.
    #[derive(Debug)]
    pub struct FolioFuture<F> {
        #[pin]
        state: State<F>,
    }
}

pin_project! {
    #[derive(Debug)]
    #[project = StateProjection]
    enum State<F> {
        Running {
            #[pin]
            future: F,
            scope: RequestScope,
        },
        // The service is not called.
        Answered { response: Response<()> },
    }
}

impl<F, R, E> Future for FolioFuture<F>
where
    F: Future<Output = Result<Response<R>, E>>,
{
    type Output = Result<Response<FolioBody<R>>, E>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Poll::Ready(match self.project().state.project() {
            StateProjection::Running { future, scope } => {
                let response = ready!(scope.enter(|| future.poll(context)));
                let in_scope = |body| FolioBody::new(body, scope.clone());
                response.map(|response| response.map(in_scope))
            }
            StateProjection::Answered { response } => Ok(response.clone().map(|()| FolioBody::default())),
        })
    }
}

impl<B: Body> Body for FolioBody<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        self.poll_inside(|body| body.poll_frame(context))
    }

    fn is_end_stream(&self) -> bool {
        self.inner().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.inner().map_or_else(|| SizeHint::with_exact(0), Body::size_hint)
    }
}
