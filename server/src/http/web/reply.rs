//! Responses with static files: caching, encodings, and the content security policy.

use bytes::Bytes;
use hyper::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, HeaderMap,
    HeaderName, HeaderValue, IF_NONE_MATCH, REFERRER_POLICY, VARY, X_CONTENT_TYPE_OPTIONS,
};
use hyper::{Request, Response, StatusCode};

use super::files::File;

/// The parts of a request that the choice of a response needs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AssetRequest<'a> {
    /// The query string.
    pub(crate) query: Option<&'a str>,
    pub(crate) headers: &'a HeaderMap,
}

impl<'a> AssetRequest<'a> {
    pub(crate) fn of<B>(request: &'a Request<B>) -> Self {
        Self { query: request.uri().query(), headers: request.headers() }
    }

    /// Whether the page is requested for a frame in another page.
    fn embedded(&self) -> bool {
        self.query.unwrap_or_default().split('&').any(|pair| pair == "embed=1")
    }
}

/// The page, if it is built in.
pub(crate) fn index(request: AssetRequest<'_>) -> Option<Response<Bytes>> {
    let mut response = send(File::named("index.html")?, request);
    secure(response.headers_mut(), page_policy(request.embedded()));
    Some(response)
}

/// The static file with this name. The page itself is only served at `/`.
pub(crate) fn file(name: &str, request: AssetRequest<'_>) -> Option<Response<Bytes>> {
    File::named(name).filter(|file| file.is_immutable()).map(|file| send(file, request))
}

/// Content security policy of the page. It runs only its own script and the module. It connects to any server, because
/// replays are opened by address. Only the embedded form may be framed by other sites.
fn page_policy(embedded: bool) -> &'static str {
    macro_rules! policy {
        ($ancestors:literal) => {
            concat!(
                "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; ",
                "img-src 'self' data: blob:; ",
                "connect-src 'self' http: https: ws: wss: data: blob:; base-uri 'none'; form-action 'none'; ",
                "frame-ancestors ",
                $ancestors
            )
        };
    }
    if embedded { policy!("*") } else { policy!("'self'") }
}

pub(super) fn secure(headers: &mut HeaderMap, policy: &'static str) {
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("same-origin"));
}

fn send(file: &'static File, request: AssetRequest<'_>) -> Response<Bytes> {
    let encoding = Encoding::choose(request.headers);
    let tag = format!("\"{}{}\"", file.digest, encoding.mark());
    let unchanged = holds(request.headers, &tag);
    let body: &'static [u8] = match encoding {
        _ if unchanged => &[],
        Encoding::Identity => file.identity,
        Encoding::Gzip => file.gzip,
        Encoding::Brotli => file.brotli,
    };
    let mut response = Response::new(Bytes::from_static(body));
    if unchanged {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    }
    let keep = if file.is_immutable() { "public, max-age=31536000, immutable" } else { "no-cache" };
    let headers = response.headers_mut();
    let mut put =
        |name: HeaderName, value: &'static str| headers.insert(name, HeaderValue::from_static(value));
    put(CACHE_CONTROL, keep);
    put(VARY, "accept-encoding");
    put(X_CONTENT_TYPE_OPTIONS, "nosniff");
    if !unchanged {
        put(CONTENT_TYPE, file.content_type());
        if let Some(name) = encoding.name() {
            put(CONTENT_ENCODING, name);
        }
    }
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(ETAG, tag);
    }
    response
}

/// Whether the client has the file with this entity tag.
fn holds(headers: &HeaderMap, tag: &str) -> bool {
    let values = headers.get_all(IF_NONE_MATCH).into_iter().filter_map(|value| value.to_str().ok());
    values
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .any(|held| held == "*" || held.trim_start_matches("W/") == tag)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Encoding {
    Identity,
    Gzip,
    Brotli,
}

impl Encoding {
    /// The smallest encoding that the client accepts.
    fn choose(headers: &HeaderMap) -> Encoding {
        let values = headers.get_all(ACCEPT_ENCODING).into_iter().filter_map(|value| value.to_str().ok());
        let mut best = Encoding::Identity;
        for offer in values.flat_map(|value| value.split(',')) {
            let mut parts = offer.split(';').map(str::trim);
            let name = parts.next().unwrap_or_default();
            let refused = parts.any(|part| {
                part.strip_prefix("q=").is_some_and(|q| q.trim().parse().is_ok_and(|q: f32| q <= 0.0))
            });
            if refused {
                continue;
            }
            match name.to_ascii_lowercase().as_str() {
                "br" => return Encoding::Brotli,
                "gzip" | "x-gzip" => best = Encoding::Gzip,
                _ => {}
            }
        }
        best
    }

    fn name(self) -> Option<&'static str> {
        match self {
            Encoding::Identity => None,
            Encoding::Gzip => Some("gzip"),
            Encoding::Brotli => Some("br"),
        }
    }

    /// Suffix that makes the entity tag of the encoding unique.
    fn mark(self) -> &'static str {
        match self {
            Encoding::Identity => "",
            Encoding::Gzip => "-gz",
            Encoding::Brotli => "-br",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static PAGE: File =
        File { name: "index.html", digest: "00ff", identity: b"<html>", gzip: b"zipped", brotli: b"broth" };
    static MODULE: File =
        File { name: "grandstand-12ab.wasm", digest: "12ab", identity: b"\0asm", gzip: b"z", brotli: b"b" };

    fn ask(file: &'static File, headers: &[(HeaderName, &str)]) -> Response<Bytes> {
        let headers = headers.iter().map(|(name, value)| (name.clone(), value.parse().unwrap())).collect();
        send(file, AssetRequest { query: None, headers: &headers })
    }

    fn header(response: &Response<Bytes>, name: HeaderName) -> &str {
        response.headers().get(name).map_or("", |value| value.to_str().unwrap())
    }

    #[test]
    fn files_named_by_content_are_cached_for_ever() {
        let module = ask(&MODULE, &[]);
        assert_eq!(header(&module, CACHE_CONTROL), "public, max-age=31536000, immutable");
        assert_eq!(header(&module, CONTENT_TYPE), "application/wasm");
        assert_eq!(header(&ask(&PAGE, &[]), CACHE_CONTROL), "no-cache");
    }

    #[test]
    fn the_client_gets_the_smallest_encoding_that_it_takes() {
        for (accepted, body, name) in [
            ("", "<html>", ""),
            ("identity", "<html>", ""),
            ("gzip, deflate", "zipped", "gzip"),
            ("gzip, deflate, br, zstd", "broth", "br"),
            ("GZIP;q=0.5", "zipped", "gzip"),
            ("br;q=0, gzip;q=1.0", "zipped", "gzip"),
            ("br ; q=0.0, gzip;q=0", "<html>", ""),
        ] {
            let response = ask(&PAGE, &[(ACCEPT_ENCODING, accepted)]);
            assert_eq!(response.body(), body, "{accepted}");
            assert_eq!(header(&response, CONTENT_ENCODING), name, "{accepted}");
            assert_eq!(header(&response, VARY), "accept-encoding");
        }
    }

    #[test]
    fn who_holds_the_file_is_told_so_in_its_own_encoding() {
        let first = ask(&PAGE, &[(ACCEPT_ENCODING, "br")]);
        let tag = header(&first, ETAG).to_owned();
        for held in [tag.clone(), format!("W/{tag}"), format!("\"other\", {tag}"), "*".to_owned()] {
            let again = ask(&PAGE, &[(ACCEPT_ENCODING, "br"), (IF_NONE_MATCH, &held)]);
            assert_eq!((again.status(), again.body().len()), (StatusCode::NOT_MODIFIED, 0), "{held}");
            assert_eq!(header(&again, ETAG), tag);
        }
        let other = ask(&PAGE, &[(ACCEPT_ENCODING, "gzip"), (IF_NONE_MATCH, &tag)]);
        assert_eq!((other.status(), &other.body()[..]), (StatusCode::OK, &b"zipped"[..]));
    }

    #[test]
    fn only_the_embedded_page_may_be_framed_by_other_sites() {
        let headers = HeaderMap::new();
        let embedded = |query| AssetRequest { query, headers: &headers }.embedded();
        assert!(embedded(Some("match=A&embed=1")));
        assert!(!embedded(None) && !embedded(Some("embed=10")) && !embedded(Some("match=embed=1")));
        assert!(page_policy(true).ends_with("frame-ancestors *"));
        assert!(page_policy(false).ends_with("frame-ancestors 'self'"));
    }
}
