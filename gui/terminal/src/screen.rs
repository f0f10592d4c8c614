//! The terminal while the spectator uses it. It is taken over at the start and restored however the program ends.

use std::io::{self, BufWriter, Stdout, Write as _, stdout};
use std::mem::ManuallyDrop;
use std::panic;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use ratatui_core::terminal::Terminal;
use ratatui_crossterm::CrosstermBackend;
use ratatui_crossterm::crossterm::cursor::{Hide, Show};
use ratatui_crossterm::crossterm::execute;
use ratatui_crossterm::crossterm::style::ResetColor;
use ratatui_crossterm::crossterm::terminal::{
    DisableLineWrap, EnableLineWrap, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode,
    enable_raw_mode,
};

use crate::app::App;

/// Whether the terminal is taken. `give_back` may be called twice: by a panic and by the unwinding after it.
static TAKEN: AtomicBool = AtomicBool::new(false);
static HOOK: Once = Once::new();

/// The terminal. It is restored when this value is dropped, and before a panic is reported.
pub(crate) struct Screen {
    /// This is never dropped. Its destructor would report an error on standard error when the terminal is gone, and does nothing that
    /// is not done here.
    terminal: ManuallyDrop<Terminal<CrosstermBackend<BufWriter<Stdout>>>>,
}

fn take() -> io::Result<()> {
    enable_raw_mode()?;
    TAKEN.store(true, Ordering::SeqCst);
    execute!(stdout(), EnterAlternateScreen, Hide, DisableLineWrap)
}

/// Restores the terminal if it was taken.
fn give_back() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        // A terminal that is gone need not be restored.
        let _ = execute!(stdout(), ResetColor, EnableLineWrap, Show, LeaveAlternateScreen);
        let _ = disable_raw_mode();
    }
}

impl Screen {
    /// Takes over the terminal.
    ///
    /// # Errors
    /// When standard output is no terminal, or the terminal can't be set up.
    pub(crate) fn open() -> io::Result<Screen> {
        HOOK.call_once(|| {
            let told = panic::take_hook();
            panic::set_hook(Box::new(move |info| {
                give_back();
                told(info);
            }));
        });
        if let Err(error) = take() {
            give_back();
            return Err(error);
        }
        // A frame is written at once, not sign by sign.
        let backend = CrosstermBackend::new(BufWriter::with_capacity(64 << 10, stdout()));
        match Terminal::new(backend) {
            Ok(terminal) => Ok(Screen { terminal: ManuallyDrop::new(terminal) }),
            Err(error) => {
                give_back();
                Err(error)
            }
        }
    }

    /// Paints a frame. Only the changes are written.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub(crate) fn draw(&mut self, app: &App) -> io::Result<()> {
        self.terminal.draw(|frame| app.paint(frame.buffer_mut()))?;
        self.terminal.backend_mut().flush()
    }

    /// Makes the next frame be written completely.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub(crate) fn redraw(&mut self) -> io::Result<()> {
        self.terminal.clear()
    }

    /// Restores the terminal, stops the process until the shell continues it, and takes the terminal again.
    ///
    /// # Errors
    /// When the terminal is gone.
    #[cfg(unix)]
    pub(crate) fn suspend(&mut self) -> io::Result<()> {
        give_back();
        signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP)?;
        take()?;
        self.redraw()
    }

    /// Processes can't be stopped on these systems.
    #[cfg(not(unix))]
    pub(crate) fn suspend(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}
