//! Opening of files in the data directory, where others may have put anything.
//!
//! A pipe, a socket or a device keeps whoever opens or reads it waiting, for ever if nobody is at its other end. So
//! nothing here waits for a file to be opened, and what is no regular file is not read.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Opens a regular file to read it.
///
/// # Errors
/// As [`File::open`]; [`io::ErrorKind::InvalidData`] for whatever is no regular file.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    let file =
        options().read(true).open(path).map_err(|error| if is_no_file(&error) { none() } else { error })?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(none()) }
}

/// Opens a file to write it from its beginning, making it if need be.
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

/// Whether a socket, or a ring of links, is why it can't be opened.
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
