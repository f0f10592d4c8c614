//! Passing of a line of text together with open files through a socket: a job and its pipes.

use std::fs::File;
use std::io::{self, ErrorKind, IoSlice, IoSliceMut, PipeReader, PipeWriter, Write};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::process::Stdio;

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags,
};

use super::super::error::ProgramError;

/// Maximum number of files that go with a line.
const FILES: usize = 3;
/// Longest line, in bytes. The line is our own; this only guards against mistakes.
const LONGEST: usize = 4 << 20;

/// Server's connection to a warden. Closing it ends the program.
pub(in crate::sandbox) type Control = UnixStream;

/// New connection, and the standard input for the warden at its other end.
pub(in crate::sandbox) fn connect() -> Result<(Control, Stdio), ProgramError> {
    let (ours, theirs) = UnixStream::pair().map_err(ProgramError::Warden)?;
    Ok((ours, OwnedFd::from(theirs).into()))
}

/// Sends the warden its job, the program's standard input and output if there are any, and the gate of its
/// cgroup if there is one. The gate comes last, so that an odd number of files means that there is a gate.
pub(in crate::sandbox) fn hand_over(
    control: &Control,
    line: Vec<u8>,
    pipes: Option<(PipeReader, PipeWriter)>,
    gate: Option<File>,
) -> io::Result<()> {
    let pipes = pipes.iter().flat_map(|(input, output)| [input.as_fd(), output.as_fd()]);
    let files: Vec<_> = pipes.chain(gate.as_ref().map(AsFd::as_fd)).collect();
    send(control, line, &files)
}

/// Sends `line`, a line feed, and the files.
pub(super) fn send(mut socket: &UnixStream, mut line: Vec<u8>, files: &[BorrowedFd<'_>]) -> io::Result<()> {
    line.push(b'\n');
    let mut sent = 0;
    if !files.is_empty() {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(FILES))];
        let mut ancillary = SendAncillaryBuffer::new(&mut space);
        if !ancillary.push(SendAncillaryMessage::ScmRights(files)) {
            return Err(io::Error::other("too many files with a line"));
        }
        sent = rustix::net::sendmsg(socket, &[IoSlice::new(&line)], &mut ancillary, SendFlags::empty())?;
    }
    socket.write_all(&line[sent..])
}

/// Receives what [`send`] sent, from a socket on which nothing else follows.
pub(super) fn receive(socket: impl AsFd) -> io::Result<(String, Vec<OwnedFd>)> {
    let (mut line, mut files) = (Vec::new(), Vec::new());
    let mut buffer = [0; 4096];
    while line.last() != Some(&b'\n') {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(FILES))];
        let mut ancillary = RecvAncillaryBuffer::new(&mut space);
        let mut slices = [IoSliceMut::new(&mut buffer)];
        // Close-on-exec keeps the files from other programs that this process starts.
        let received = rustix::net::recvmsg(&socket, &mut slices, &mut ancillary, RecvFlags::CMSG_CLOEXEC);
        let bytes = match received {
            Err(rustix::io::Errno::INTR) => continue,
            received => received?.bytes,
        };
        for message in ancillary.drain() {
            if let RecvAncillaryMessage::ScmRights(received) = message {
                files.extend(received);
            }
        }
        line.extend_from_slice(&buffer[..bytes]);
        if bytes == 0 || line.len() > LONGEST {
            return Err(ErrorKind::UnexpectedEof.into());
        }
    }
    let line = String::from_utf8(line).map_err(|error| io::Error::new(ErrorKind::InvalidData, error))?;
    Ok((line, files))
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn a_line_arrives_with_its_files_however_long_it_is() {
        for length in [0, 1, 5_000, 300_000] {
            let (ours, theirs) = UnixStream::pair().unwrap();
            let (mut reader, writer) = io::pipe().unwrap();
            let line = vec![b'x'; length];
            let sent = line.clone();
            let sender = std::thread::spawn(move || send(&ours, sent, &[writer.as_fd()]).unwrap());
            let (text, files) = receive(&theirs).unwrap();
            sender.join().unwrap();
            assert_eq!(text.trim_end().as_bytes(), line);
            let [file] = <[OwnedFd; 1]>::try_from(files).unwrap();
            io::PipeWriter::from(file).write_all(b"through").unwrap();
            let mut through = String::new();
            reader.read_to_string(&mut through).unwrap();
            assert_eq!(through, "through");
        }
        let (ours, theirs) = UnixStream::pair().unwrap();
        drop(ours);
        assert!(receive(&theirs).is_err());
    }
}
