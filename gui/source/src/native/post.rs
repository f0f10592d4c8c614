//! HTTP requests of a viewer at a seat.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use grandstand_protocol::SeatGrant;
use serde_json::Value;
use ureq::Agent;

use crate::{Refused, parse_answer};

/// The maximal size of an answer in bytes.
const ANSWER_BYTES: u64 = 64 << 10;

/// Posts a JSON body.
pub(crate) async fn call(url: &str, body: &str) -> Result<Value, Refused> {
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .tls_config(super::tls::config())
        .timeout_connect(Some(Duration::from_secs(5)))
        .timeout_global(Some(Duration::from_secs(15)));
    let agent = config.build().new_agent();
    let silent = |error: ureq::Error| Refused::silent(&super::http::words(&error));
    let mut response = agent.post(url).content_type("application/json").send(body).map_err(silent)?;
    let status = response.status().as_u16();
    let text = response.body_mut().with_config().limit(ANSWER_BYTES).read_to_string().map_err(silent)?;
    parse_answer(status, &text)
}

/// The seats of this program's viewer, by name; they last as long as the program.
static KEPT: Mutex<BTreeMap<String, SeatGrant>> = Mutex::new(BTreeMap::new());

/// Stores or removes a seat.
pub fn save_seat(name: &str, seat: Option<&SeatGrant>) {
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    match seat {
        Some(seat) => kept.insert(name.to_owned(), seat.clone()),
        None => kept.remove(name),
    };
}

/// The stored seat.
pub fn saved_seat(name: &str) -> Option<SeatGrant> {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
}
