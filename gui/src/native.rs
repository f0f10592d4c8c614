//! The spectator in a window.

use eframe::egui::{IconData, ViewportBuilder};

use crate::address::Target;
use crate::app::App;

/// The largest block of memory after whose release glibc keeps blocks of that size, and twice as much in all, for itself
/// (mallopt(3), `DEFAULT_MMAP_THRESHOLD_MAX` on 64 bits): with its header, in whole pages, it must be less.
const KEPT: usize = (32 << 20) - (64 << 10);

/// The name under which the system knows the program, and its settings lie.
pub(crate) const APP_ID: &str = "grandstand";

/// Why there is no window.
#[derive(Debug, thiserror::Error)]
pub enum WindowError {
    /// Nothing to show it on.
    #[error(
        "there is no display to open a window on: neither DISPLAY nor WAYLAND_DISPLAY is set.\n\
         On a machine without a screen, open the server's address in a browser elsewhere."
    )]
    NoDisplay,
    /// There is a display, but a window can't be opened on it.
    #[error(
        "no window can be opened: {0}.\n\
         Is the display reachable (DISPLAY={display}), and is OpenGL there? On Debian:\n  \
         apt-get install {PACKAGES}",
        display = std::env::var("DISPLAY").unwrap_or_default()
    )]
    Failed(String),
}

/// The packages of Debian that a window needs at run time, beyond a display.
pub const PACKAGES: &str = "libegl1 libgl1 libgl1-mesa-dri libx11-xcb1 libxcursor1 libxi6 libxkbcommon-x11-0";

/// Has the system's allocator keep what a frame gives back: [`run`] calls it, and whoever measures frames without a window.
///
/// A frame is made of lists that grow to megabytes and are dropped with it. glibc gives such blocks back to the kernel, sixty
/// times a second, and each page of the next frame costs a fault: 6.8 ms for a frame of a wall of sixteen live boards,
/// where it takes 5.0 ms so (`cargo bench -p grandstand-gui --bench frame`, with and without this). How much it keeps is set by
/// the largest block that was ever given back, up to 32 MiB, so one is, untouched. Other allocators don't mind.
pub fn keep_freed_memory() {
    drop(std::hint::black_box(Vec::<u8>::with_capacity(KEPT)));
}

/// Opens the window and shows `target` in it, or the list of the local server's matches; `seq` is the command to begin
/// at. Returns when the viewer has closed it.
///
/// # Errors
/// [`WindowError`] when there is no display, or no window can be opened on it.
pub fn run(target: Option<Target>, seq: Option<u64>) -> Result<(), WindowError> {
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
    // A driver that fails does so by panicking as often as by returning an error.
    let create: eframe::AppCreator<'_> = Box::new(move |cc| {
        let mut app = App::new(cc, target);
        if let Some(seq) = seq {
            app.want(seq);
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

/// The window system's words without the place in its source, which helps nobody.
fn tidy(message: &str) -> String {
    let line = message.lines().next().unwrap_or_default();
    let after_place = line.rfind(".rs:").and_then(|at| line[at..].split_once(": "));
    after_place.map_or(line, |(_, words)| words).trim_end_matches('.').to_owned()
}

/// Whether there is something to open a window on.
#[must_use]
pub fn has_display() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || set("DISPLAY") || set("WAYLAND_DISPLAY") || set("WAYLAND_SOCKET")
}

/// A piece on a hex, as the window's icon.
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
