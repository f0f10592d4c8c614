//! Messages of the protocol as websocket frames.

use bytes::Bytes;
use grandstand_protocol::message::{Message, write_commands};
use grandstand_protocol::{Command, Micros};

use super::frame::TextFrame;

/// Size of a payload in bytes after which a batch continues in a further frame.
///
/// A spectator that is blocked within a frame keeps that frame alive, so this bounds its memory.
pub(crate) const FRAME_BYTES: usize = 16 * 1024;

/// Encodes a message in its final wire form.
pub(crate) fn encode(message: &Message) -> Bytes {
    let mut frame = TextFrame::with_capacity(512);
    message.write_json(frame.payload());
    frame.finish()
}

/// Encodes commands as `commands` messages in wire form, each with the numbers of its first and last command, split
/// after [`FRAME_BYTES`].
pub(crate) fn encode_commands(mut seq: u64, t: Micros, mut commands: &[Command]) -> Vec<(u64, u64, Bytes)> {
    let mut frames = Vec::with_capacity(1);
    while !commands.is_empty() {
        let mut frame = TextFrame::with_capacity(112 * commands.len().min(FRAME_BYTES / 112) + 128);
        let count = write_commands(frame.payload(), seq, t, commands, FRAME_BYTES);
        let next = seq + count as u64;
        frames.push((seq, next - 1, frame.finish()));
        (seq, commands) = (next, &commands[count..]);
    }
    frames
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::frame;
    use grandstand_protocol::Game;

    #[test]
    fn frames_hold_the_messages_of_the_protocol_and_are_cut() {
        let commands: Vec<Command> = (0..1000)
            .map(|i| Command::parse(Game::Abalone, format!("bsay line {i} \u{e9}").as_bytes()))
            .collect();
        let t = Micros(1_250_000);
        let frames = encode_commands(7, t, &commands);
        assert!(frames.len() > 2);
        let mut next = 7;
        for (first, last, frame) in &frames {
            assert_eq!(*first, next);
            let part = commands[(*first - 7) as usize..=(*last - 7) as usize].to_vec();
            let expected = Message::Commands { seq: *first, t, commands: part }.to_json();
            assert_eq!(frame::payload(frame), expected.as_bytes());
            assert!(frame.len() < FRAME_BYTES + 200);
            next = last + 1;
        }
        assert_eq!(next, 1007);
    }
}
