//! The spectator in a window.

use eframe::egui::{IconData, ViewportBuilder};

use crate::address::{Base, Target};
use crate::app::App;

/// Size of the block in [`keep_freed_memory`]. With its header, in whole pages, it must be below 32 MiB
/// (`DEFAULT_MMAP_THRESHOLD_MAX` on 64 bits, mallopt(3)): after its release glibc keeps blocks up to that size, and
/// twice as much in all.
const KEPT: usize = (32 << 20) - (64 << 10);

/// Name of the program for the system, and of the folder of its settings.
pub(crate) const APP_ID: &str = "grandstand";

/// Why no window could be opened.
#[derive(Debug, thiserror::Error)]
pub enum WindowError {
    /// There is no display.
    #[error(
        "there is no display to open a window on: neither DISPLAY nor WAYLAND_DISPLAY is set.\n\
         On a machine without a screen, open the server's address in a browser elsewhere."
    )]
    NoDisplay,
    /// There is a display, but no window could be opened on it.
    #[error(
        "no window can be opened: {0}.\n\
         Is the display reachable (DISPLAY={display}), and is OpenGL there? On Debian:\n  \
         apt-get install {PACKAGES}",
        display = std::env::var("DISPLAY").unwrap_or_default()
    )]
    Failed(String),
}

/// Debian packages that a window needs at run time, besides a display.
pub const PACKAGES: &str = "libegl1 libgl1 libgl1-mesa-dri libx11-xcb1 libxcursor1 libxi6 libxkbcommon-x11-0";

/// Makes the system's allocator keep the memory that a frame frees. [`run`] calls it; so should anything that measures
/// frames without a window.
///
/// A frame consists of lists of megabytes that are dropped with it. By default glibc returns such blocks to the kernel,
/// and each page of the next frame costs a fault:
/// a frame of a wall of sixteen live boards takes 6.8 ms, and 5.0 ms with this (`cargo bench -p grandstand-gui --bench
/// frame`).
/// glibc keeps blocks up to the size of the largest one that was ever freed, at most 32 MiB; so one such block is
/// allocated, untouched, and freed. Other allocators are not affected.
pub fn keep_freed_memory() {
    drop(std::hint::black_box(Vec::<u8>::with_capacity(KEPT)));
}

/// Opens the window and shows `target`, or the list of the local server's matches, starting at command `seq`. Returns
/// when the viewer has closed the window. With `passing`, a server that ends with the program, nothing on it is remembered.
///
/// # Errors
/// [`WindowError`] if there is no display, or no window can be opened on it.
pub fn run(target: Option<Target>, seq: Option<u64>, passing: Option<Base>) -> Result<(), WindowError> {
    if !has_display() {
        return Err(WindowError::NoDisplay);
    }
    keep_freed_memory();
    let viewport = ViewportBuilder::default()
        .with_title("Grandstand")
        .with_app_id(APP_ID)
        .with_icon(icon())
        .with_inner_size([1280.0, 800.0])
        .with_min_inner_size([480.0, 400.0])
        .with_drag_and_drop(true);
    let options = eframe::NativeOptions { viewport, ..Default::default() };
    // Drivers report failures by panics as well as by errors.
    let create: eframe::AppCreator<'_> = Box::new(move |cc| {
        let mut app = App::new(cc, target);
        if let Some(seq) = seq {
            app.want(seq);
        }
        if let Some(base) = passing {
            app.server_is_passing(base);
        }
        Ok(Box::new(app))
    });
    let window = || eframe::run_native("Grandstand", options, create);
    match std::panic::catch_unwind(std::panic::AssertUnwindSafe(window)) {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err(WindowError::Failed(tidy(&error.to_string()))),
        Err(payload) => {
            let message = payload.downcast_ref::<String>().cloned();
            let message = message.or_else(|| payload.downcast_ref::<&str>().map(|text| (*text).to_owned()));
            Err(WindowError::Failed(tidy(message.as_deref().unwrap_or("the window system failed"))))
        }
    }
}

/// The window system's message without its source location.
fn tidy(message: &str) -> String {
    let line = message.lines().next().unwrap_or_default();
    let after_place = line.rfind(".rs:").and_then(|at| line[at..].split_once(": "));
    after_place.map_or(line, |(_, words)| words).trim_end_matches('.').to_owned()
}

/// Whether there is a display for a window.
#[must_use]
pub fn has_display() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || set("DISPLAY") || set("WAYLAND_DISPLAY") || set("WAYLAND_SOCKET")
}

/// The window's icon: a piece on a hex.
fn icon() -> IconData {
    const SIZE: i32 = 64;
    let mut rgba = Vec::with_capacity((SIZE * SIZE * 4) as usize);
    for y in 0..SIZE {
        for x in 0..SIZE {
            let (dx, dy) = (x as f32 - 31.5, y as f32 - 31.5);
            let distance = dx.hypot(dy);
            let pixel = match distance {
                d if d < 8.0 => [0xe8, 0xf1, 0xfb, 255],
                d if d < 23.0 => [0x0d, 0x10, 0x15, 255],
                d if d < 28.0 => [0x5a, 0xa9, 0xff, 255],
                d if d < 31.5 => [0x3a, 0x46, 0x55, 255],
                _ => [0, 0, 0, 0],
            };
            rgba.extend(pixel);
        }
    }
    IconData { rgba, width: SIZE as u32, height: SIZE as u32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_in_a_library_is_left_out_of_its_message() {
        let message =
            "winit EventLoopError: os error at /home/x/winit/linux/mod.rs:788: Failed to open connection.";
        assert_eq!(tidy(message), "Failed to open connection");
        assert_eq!(tidy("no configs"), "no configs");
    }
}
