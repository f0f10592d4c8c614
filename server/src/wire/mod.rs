//! Wire form of the messages to spectators.
//!
//! - [`frame`]: websocket frames; [`encode`](mod@encode): messages in frames
//! - [`close_reason`]: reasons for closing a websocket; [`short_result`]: results for summaries

mod close_reason;
mod encode;
pub(crate) mod frame;
mod short_result;

pub use self::close_reason::CloseReason;
pub(crate) use self::encode::{encode, encode_commands};
pub(crate) use self::short_result::shortened;
