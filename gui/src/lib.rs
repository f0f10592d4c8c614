//! The spectator: live and recorded matches in a window or a page.
//!
//! [`App`] is the whole interface, on every platform. [`native`] shows it in a window, `web` in a page. It knows nothing
//! of any game's rules: it shows what commands say. What they mean, in words, figures and events, comes from
//! [`grandstand_story`].
//!
//! | module | what it is |
//! | --- | --- |
//! | `app` | the whole interface: its screens, the bar above them, what is opened, what a key or a button does, and `page_api`, through which a web page drives it |
//! | `session` | one match that is watched: its log, the position in it, what is fetched, what is animated |
//! | `source` | sockets, files and threads; everything that arrives comes out of it as an `Update` |
//! | `address` | what can be opened: servers, matches, files, comparisons, and links to a moment with its bookmarks |
//! | `board` | one module a game: its painter and its animations |
//! | `panels` | the parts of the screen: board inspector, side panel, timeline, match list, wall, dialogs |
//! | [`actions`] | table of everything that can be done: keys, tooltips, help |
//! | `settings` | what is remembered from one start to the next |
//! | [`sound`] | tones for events: which events are heard, and what plays them |
//! | [`export`] | pictures of a match in files: PNG, SVG, GIF, animated PNG |
//! | `layout`, `zoom` | where the parts of the screen lie in a window of some size; how the board is enlarged |
//! | `theme`, `icons`, `widgets`, `angle` | colours and fonts, icons, widgets, angles |
//! | [`errors`] | what went wrong, in words that a viewer can act on |
//!
//! ```no_run
//! let target = "http://localhost:8126/".parse()?;
//! grandstand_gui::native::run(Some(target), None)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod actions;
mod address;
mod angle;
mod app;
mod board;
pub mod errors;
pub mod export;
mod icons;
mod layout;
#[cfg(not(target_arch = "wasm32"))]
pub mod native;
mod panels;
mod session;
mod settings;
pub mod sound;
mod source;
mod theme;
#[cfg(target_arch = "wasm32")]
pub mod web;
mod widgets;
mod zoom;

pub use address::{Base, Comparison, Target, TargetError, lock};
pub use app::{App, page_api};
