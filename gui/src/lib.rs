//! The spectator: live and recorded matches in a window or a page.
//!
//! [`App`] is the whole interface, on every platform. [`native`] shows it in a window, `web` in a page. It knows nothing
//! of any game's rules: it shows what commands say, and what a machine behind the program panel tells of programs. What they mean, in words, figures and events, comes from
//! [`grandstand_story`]; boards are painted by [`grandstand_board`], pictures in files are made by [`grandstand_export`]. Matches arrive from
//! [`grandstand_source`], which has the sockets, files and threads.
//!
//! | module | what it is |
//! | --- | --- |
//! | `app` | the whole interface: its screens, the bar above them, what is opened, what a key or a button does, and `page_api`, through which a web page drives it |
//! | `session` | one match that is watched: an open match, the board that paints it, what the viewer has found and marked in it |
//! | `panels` | the parts of the screen: board inspector, side panel, timeline, match list, wall, dialogs |
//! | `tournament` | the screen of a tournament: tables, brackets, rounds, ratings, games, players |
//! | [`actions`] | table of everything that can be done: keys, tooltips, help |
//! | `settings` | what is remembered from one start to the next |
//! | [`sound`] | tones for events: which events are heard, and what plays them |
//! | `layout` | where the parts of the screen lie in a window of some size |
//! | `icons`, `widgets` | icons, buttons, lists |
//! | `budget` | the clock for work that is spread over frames |
//!
//! ```no_run
//! let target = "http://localhost:8126/".parse()?;
//! grandstand_gui::native::run(Some(target), None)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod actions;
mod app;
mod budget;
mod icons;
mod layout;
#[cfg(not(target_arch = "wasm32"))]
pub mod native;
mod panels;
mod session;
mod settings;
pub mod sound;
mod tournament;
#[cfg(target_arch = "wasm32")]
pub mod web;
mod widgets;

use grandstand_source::{self as source, address};

pub use address::{Base, Comparison, Target, TargetError, lock};
pub use app::{App, page_api};
pub use grandstand_source::errors;
