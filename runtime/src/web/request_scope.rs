//! The task-locals of a request, and the body that is written inside them.

use std::pin::Pin;
use std::task::Poll;

use http::Response;
use pin_project_lite::pin_project;

use crate::app::{self, Folio};
use crate::request::{self, ActiveRequest};

/// Answers some requests of an application in place of their handlers.
pub(super) type EarlyAnswer = fn(&Folio, &ActiveRequest) -> Option<Response<()>>;

/// The early answers that protocols have added to an application.
#[derive(Clone, Default)]
pub(super) struct EarlyAnswers(pub(super) Vec<EarlyAnswer>);

/// The task-locals of a request.
#[derive(Debug, Clone)]
pub(super) struct RequestScope {
    /// The application of the layer.
    folio: Folio,
    /// The request that is being handled.
    active: ActiveRequest,
}

impl RequestScope {
    pub(super) fn new(folio: Folio, active: ActiveRequest) -> Self {
        Self { folio, active }
    }

    /// Runs `work` inside the scope.
    pub(super) fn enter<R>(&self, work: impl FnOnce() -> R) -> R {
        app::within(self.folio.clone(), || request::within(self.active.clone(), work))
    }

    /// Runs a future inside the scope.
    #[cfg(feature = "actix")]
    pub(super) async fn run<F: Future>(&self, future: F) -> F::Output {
        self.folio.scope(self.active.clone().scope(future)).await
    }

    /// The response to the request if no handler is to run.
    pub(super) fn early_answer(&self) -> Option<Response<()>> {
        let EarlyAnswers(answers) = &*self.folio.extension()?;
        answers.iter().find_map(|answer| answer(&self.folio, &self.active))
    }
}

pin_project! {
    /// The body of a response from inside folio's layer or middleware. It runs inside the scope of its request.
    ///
    /// The default is an empty body without a scope, which a timeout layer, for example, uses for its response.
    ///
    /// ```
    /// let empty = folio::axum::FolioBody::<axum::body::Body>::default();
    /// assert_eq!(axum::body::HttpBody::size_hint(&empty).exact(), Some(0));
    /// ```
    #[derive(Debug)]
    pub struct FolioBody<B> {
        #[pin]
        body: Option<B>,
        scope: Option<RequestScope>,
    }
}

impl<B> Default for FolioBody<B> {
    fn default() -> Self {
        Self { body: None, scope: None }
    }
}

impl<B> FolioBody<B> {
    /// A body that is written inside `scope`.
    pub(super) fn new(body: B, scope: RequestScope) -> Self {
        Self { body: Some(body), scope: Some(scope) }
    }

    /// The body itself.
    pub(super) fn inner(&self) -> Option<&B> {
        self.body.as_ref()
    }

    /// Polls the body inside the scope. An empty one has ended.
    pub(super) fn poll_inside<R>(
        self: Pin<&mut Self>,
        poll: impl FnOnce(Pin<&mut B>) -> Poll<Option<R>>,
    ) -> Poll<Option<R>> {
        let this = self.project();
        let Some(body) = this.body.as_pin_mut() else { return Poll::Ready(None) };
        match this.scope {
            Some(scope) => scope.enter(|| poll(body)),
            None => poll(body),
        }
    }
}
