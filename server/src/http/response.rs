//! Responses with their common headers.

use hyper::header::{self, CACHE_CONTROL, CONTENT_TYPE, HeaderValue, X_CONTENT_TYPE_OPTIONS};
use hyper::{Response, StatusCode};

use super::body::Body;
use super::refusal::Refusal;

/// `Retry-After` of a temporary refusal that does not say another, in seconds.
const AGAIN_SECS: u64 = 5;

/// The body of every error: `{"error": "…"}`.
pub(crate) fn error_body(message: &str) -> Vec<u8> {
    serde_json::json!({ "error": message }).to_string().into_bytes()
}

/// The response to a refused request.
pub(crate) fn refused(refusal: &Refusal) -> Response<Body> {
    let mut response = respond(refusal.status, "application/json", error_body(&refusal.message).into());
    let usual = (refusal.status == StatusCode::SERVICE_UNAVAILABLE).then_some(AGAIN_SECS);
    if let Some(secs) = refusal.again_secs.or(usual) {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(secs));
    }
    response
}

/// A text response with status 200.
pub(crate) fn answer(kind: &'static str, text: impl Into<Vec<u8>>) -> Response<Body> {
    respond(StatusCode::OK, kind, text.into().into())
}

/// A response with the common headers.
pub(crate) fn respond<B>(status: StatusCode, kind: &'static str, body: B) -> Response<B> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}
