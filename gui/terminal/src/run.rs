//! The main loop of the spectator: it waits for events and paints.
//!
//! One thread waits for keys and one for signals, and the sources have their own threads. All of them send to one channel. The main
//! thread sleeps on this channel while nothing moves.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use grandstand_source::address::Target;
use ratatui_crossterm::crossterm::event::{self, Event};

use crate::app::{App, LoopRequest};
use crate::input;
use crate::look::Look;
use crate::screen::Screen;

/// An event that wakes the interface.
#[derive(Debug)]
enum Occasion {
    /// A key, or a new size of the terminal.
    Input(Event),
    /// A source has updates.
    Arrival,
    /// The process was asked to stop, or the terminal is gone.
    Stop,
}

/// Shows `target` in this terminal until the viewer quits or the process is asked to stop. `seq` is the command to start at. `look`
/// is the capabilities of the terminal.
///
/// # Errors
/// When the terminal can't be set up, or is gone.
pub fn run(target: Target, seq: Option<u64>, look: Look) -> io::Result<()> {
    let (sender, occasions) = channel();
    let waiting = Arc::new(AtomicBool::new(false));
    let wake = {
        let (sender, waiting) = (sender.clone(), Arc::clone(&waiting));
        Arc::new(move || {
            // One message is enough until it has been received.
            if !waiting.swap(true, Ordering::SeqCst) {
                let _ = sender.send(Occasion::Arrival);
            }
        })
    };
    watch_signals(&sender)?;
    let mut screen = Screen::open()?;
    watch_keys(sender)?;
    let mut app = App::new(target, seq, look, wake);
    show(&mut app, &mut screen, &occasions, &waiting)
}

fn show(
    app: &mut App,
    screen: &mut Screen,
    occasions: &Receiver<Occasion>,
    waiting: &AtomicBool,
) -> io::Result<()> {
    let began = Instant::now();
    loop {
        // The time of the interface starts above zero, because zero stands for "none".
        let next = app.update(began.elapsed().as_secs_f64() + 1.0);
        screen.draw(app)?;
        let first = match next {
            None => occasions.recv().unwrap_or(Occasion::Stop),
            Some(secs) => match occasions.recv_timeout(Duration::from_secs_f64(secs.max(0.0))) {
                Ok(occasion) => occasion,
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => Occasion::Stop,
            },
        };
        waiting.store(false, Ordering::SeqCst);
        for occasion in std::iter::once(first).chain(occasions.try_iter()) {
            let wish = match occasion {
                Occasion::Stop => return Ok(()),
                Occasion::Input(Event::Key(key)) => {
                    input::action(&key).map_or(LoopRequest::None, |action| app.act(action))
                }
                Occasion::Input(_) | Occasion::Arrival => LoopRequest::None,
            };
            match wish {
                LoopRequest::None => {}
                LoopRequest::Quit => return Ok(()),
                LoopRequest::Suspend => screen.suspend()?,
                LoopRequest::Redraw => screen.redraw()?,
            }
        }
    }
}

/// Waits for keys as long as the process lives. Nothing can interrupt a read of the terminal.
fn watch_keys(sender: Sender<Occasion>) -> io::Result<()> {
    let work = move || {
        loop {
            let occasion = event::read().map_or(Occasion::Stop, Occasion::Input);
            let stops = matches!(occasion, Occasion::Stop);
            if sender.send(occasion).is_err() || stops {
                return;
            }
        }
    };
    std::thread::Builder::new().name("keys".to_owned()).spawn(work).map(drop)
}

/// Stops the interface in an orderly way when the process is asked to stop, so that the terminal is restored.
#[cfg(unix)]
fn watch_signals(sender: &Sender<Occasion>) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM])?;
    let sender = sender.clone();
    let work = move || {
        for _ in signals.forever() {
            if sender.send(Occasion::Stop).is_err() {
                return;
            }
        }
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(work).map(drop)
}

/// On other systems Ctrl+C is a key, and nothing else stops a program in an orderly way.
#[cfg(not(unix))]
fn watch_signals(_: &Sender<Occasion>) -> io::Result<()> {
    Ok(())
}
