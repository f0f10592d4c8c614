//! Opening of files in the data directory, which may contain anything.
//!
//! Opening or reading a pipe, a socket or a device may block, for ever if nobody is at its other end. So no open here
//! blocks, and only regular files are read.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Opens a regular file for reading.
///
/// # Errors
/// As [`File::open`]; [`io::ErrorKind::InvalidData`] for anything but a regular file.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    let file =
        options().read(true).open(path).map_err(|error| if is_no_file(&error) { none() } else { error })?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(none()) }
}

/// Opens a file for writing from its beginning, creating it if needed.
///
/// # Errors
/// As [`File::create`]; also for a pipe that nobody reads.
pub(crate) fn create(path: &Path) -> io::Result<File> {
    options().write(true).create(true).truncate(true).open(path)
}

fn none() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "it is no regular file")
}

#[cfg(unix)]
fn options() -> OpenOptions {
    use std::os::unix::fs::OpenOptionsExt as _;

    use rustix::fs::OFlags;
    let mut options = OpenOptions::new();
    options.custom_flags((OFlags::NONBLOCK | OFlags::NOCTTY).bits().cast_signed());
    options
}

#[cfg(not(unix))]
fn options() -> OpenOptions {
    OpenOptions::new()
}

/// Whether an open failed because of a socket or a loop of links.
fn is_no_file(error: &io::Error) -> bool {
    #[cfg(unix)]
    {
        use rustix::io::Errno;
        [Some(Errno::NXIO), Some(Errno::LOOP)].contains(&Errno::from_io_error(error))
    }
    #[cfg(not(unix))]
    {
        let _ = error;
        false
    }
}
