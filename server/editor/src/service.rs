//! Interface of a server for the program that runs it: messages in, messages out.

/// Server without its process: bodies of messages in, bodies of messages out.
pub trait Service {
    /// Takes the body of a message.
    fn receive(&mut self, body: &[u8]);

    /// Reports a message that was skipped because of the length of its body, in bytes.
    fn left_out(&mut self, bytes: usize);

    /// Does a part of the work, at least for the received messages, and returns the messages to send, in order.
    fn work(&mut self) -> Vec<String>;

    /// Whether more work remains without a further message.
    fn is_busy(&self) -> bool {
        false
    }

    /// Exit status, after the request to exit.
    fn exit_status(&self) -> Option<u8>;
}
