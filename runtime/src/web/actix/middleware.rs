//! The middleware that sets the application and the active request.

use std::future::{Ready, ready};
use std::pin::Pin;
use std::task::{Context, Poll};

use actix_web::Error;
use actix_web::body::{BodySize, MessageBody};
use actix_web::dev::{Service, ServiceRequest, ServiceResponse, Transform};
use actix_web::web::Bytes;
use futures_util::future::LocalBoxFuture;
use http::{HeaderMap, HeaderName, HeaderValue};

use super::converted;
use crate::app::Folio;
use crate::request::ActiveRequest;
use crate::web::request_scope::{FolioBody, RequestScope};

impl Folio {
    /// Creates the middleware that sets this application and the active request for each request. Pass it to `wrap` of
    /// an actix application or of one of its scopes. Handlers inside it can paginate without further setup.
    ///
    /// The active request has the whole path and query that the client sent, even in a scope of the application. A
    /// streamed body also runs with the request's application and active request, so it can read further pages. Tasks
    /// that a handler spawns do not. The active request does not have actix's extensions: see
    /// [`with_extensions`](ActiveRequest::with_extensions).
    ///
    /// ```
    /// # #[derive(Debug, serde::Serialize, sqlx::FromRow, folio::Paginate)]
    /// # struct Post { id: i64, title: String }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let pool = sqlx::sqlite::SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await?;
    /// # sqlx::query("CREATE TABLE posts (id INTEGER PRIMARY KEY, title TEXT NOT NULL)").execute(&pool).await?;
    /// # sqlx::query("INSERT INTO posts VALUES (1, 'a'), (2, 'b'), (3, 'c')").execute(&pool).await?;
    /// use actix_web::test::{TestRequest, call_and_read_body_json, init_service};
    /// use actix_web::{App, web};
    /// use folio::{Folio, LengthAwarePaginator};
    ///
    /// async fn posts() -> folio::Result<LengthAwarePaginator<Post>> {
    ///     Post::query().with_query_string().paginate(2).await
    /// }
    ///
    /// let folio = Folio::new(pool);
    /// // In a service: `HttpServer::new(move || App::new().wrap(folio.middleware()).…)`.
    /// let app = init_service(App::new().wrap(folio.middleware()).route("/posts", web::get().to(posts))).await;
    ///
    /// let request = TestRequest::with_uri("/posts?page=2").to_request();
    /// let page: serde_json::Value = call_and_read_body_json(&app, request).await;
    /// assert_eq!(page["data"], serde_json::json!([{ "id": 3, "title": "c" }]));
    /// assert_eq!(page["prev_page_url"], "/posts?page=1");
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn middleware(&self) -> FolioMiddleware {
        self.enters_requests();
        FolioMiddleware { folio: self.clone() }
    }
}

/// The middleware that [`Folio::middleware`] creates, for an application or a scope of actix-web.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let pool = sqlx::SqlitePool::connect_lazy("sqlite::memory:")?;
/// use actix_web::test::{TestRequest, call_and_read_body, init_service};
/// use actix_web::{App, web};
/// use folio::actix::FolioMiddleware;
/// use folio::{ActiveRequest, Folio};
///
/// let middleware: FolioMiddleware = Folio::new(pool).middleware();
/// let uri = async || ActiveRequest::current().unwrap().uri().to_owned();
/// let api = web::scope("/api").wrap(middleware).route("/posts", web::get().to(uri));
/// let app = init_service(App::new().service(api)).await;
/// let request = TestRequest::with_uri("/api/posts?page=2").to_request();
/// assert_eq!(call_and_read_body(&app, request).await, "/api/posts?page=2");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct FolioMiddleware {
    folio: Folio,
}

impl<S, B> Transform<S, ServiceRequest> for FolioMiddleware
where
    S: Service<ServiceRequest, Response = ServiceResponse<B>, Error = Error>,
    S::Future: 'static,
    B: MessageBody + 'static,
{
    type Response = ServiceResponse<FolioBody<B>>;
    type Error = Error;
    type Transform = FolioMiddlewareService<S>;
    type InitError = ();
    type Future = Ready<Result<FolioMiddlewareService<S>, ()>>;

    fn new_transform(&self, inner: S) -> Self::Future {
        ready(Ok(FolioMiddlewareService { inner, folio: self.folio.clone() }))
    }
}

/// A service that is wrapped in a [`FolioMiddleware`].
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let pool = sqlx::SqlitePool::connect_lazy("sqlite::memory:")?;
/// use actix_web::HttpResponse;
/// use actix_web::body::{BoxBody, to_bytes};
/// use actix_web::dev::{Service, ServiceRequest, Transform, fn_service};
/// use actix_web::test::TestRequest;
/// use folio::Folio;
/// use folio::actix::{FolioBody, FolioMiddlewareService};
///
/// let inner = fn_service(async |request: ServiceRequest| {
///     Ok(request.into_response(HttpResponse::Ok().body(Folio::current().is_ok().to_string())))
/// });
/// let service: FolioMiddlewareService<_> = Folio::new(pool).middleware().new_transform(inner).await.unwrap();
/// let response = service.call(TestRequest::get().to_srv_request()).await.unwrap();
/// let body: FolioBody<BoxBody> = response.into_body();
/// assert_eq!(to_bytes(body).await.unwrap(), "true");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct FolioMiddlewareService<S> {
    inner: S,
    folio: Folio,
}

impl<S, B> Service<ServiceRequest> for FolioMiddlewareService<S>
where
    S: Service<ServiceRequest, Response = ServiceResponse<B>, Error = Error>,
    S::Future: 'static,
    B: MessageBody + 'static,
{
    type Response = ServiceResponse<FolioBody<B>>;
    type Error = Error;
    type Future = LocalBoxFuture<'static, Result<Self::Response, Error>>;

    fn poll_ready(&self, context: &mut Context<'_>) -> Poll<Result<(), Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&self, request: ServiceRequest) -> Self::Future {
        let scope = RequestScope::new(self.folio.clone(), active_request(&request));
        if let Some(response) = scope.early_answer() {
            let response = converted(response.map(|()| FolioBody::default()));
            return Box::pin(ready(Ok(request.into_response(response))));
        }
        // A service may do part of its work before it returns its future.
        let future = scope.enter(|| self.inner.call(request));
        Box::pin(async move {
            let response = scope.run(future).await?;
            Ok(response.map_body(|_, body| FolioBody::new(body, scope)))
        })
    }
}

/// The request as the client sent it.
fn active_request(request: &ServiceRequest) -> ActiveRequest {
    // actix-web has the headers of `http` 0.2. Version 1 refuses a few names that 0.2 allows.
    let mut headers = HeaderMap::new();
    for (name, value) in request.headers() {
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(name.as_str()), HeaderValue::from_bytes(value.as_bytes()))
        {
            // actix-web accepts far fewer headers than a map can have.
            let _ = headers.try_append(name, value);
        }
    }
    // No URL that folio writes names the server, so scheme and host are left out.
    ActiveRequest::new(request.uri().path_and_query().map_or("", |sent| sent.as_str()))
        .with_method(request.method().as_str())
        .with_headers(headers)
}

impl<B: MessageBody> MessageBody for FolioBody<B> {
    type Error = B::Error;

    fn size(&self) -> BodySize {
        self.inner().map_or(BodySize::Sized(0), MessageBody::size)
    }

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, B::Error>>> {
        self.poll_inside(|body| body.poll_next(context))
    }
}
