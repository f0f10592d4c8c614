//! Wire form of what spectators are sent.
//!
//! - [`frame`]: websocket frames; [`encode`](mod@encode): messages in frames
//! - [`close_reason`]: why a websocket is closed; [`short_result`]: results as summaries have them

mod close_reason;
mod encode;
pub(crate) mod frame;
mod short_result;

pub use self::close_reason::CloseReason;
pub(crate) use self::encode::{encode, encode_commands};
pub(crate) use self::short_result::shortened;
