//! What a server does for an editor, whatever the messages say: it takes them, and gives some back.

/// A server without its process: bodies of messages in, bodies of messages out.
pub trait Service {
    /// Takes the body of a message.
    fn receive(&mut self, body: &[u8]);

    /// A message was left out, because its body has so many bytes.
    fn left_out(&mut self, bytes: usize);

    /// Works a little, at least on what has come, and gives what is to be sent, in order.
    fn work(&mut self) -> Vec<String>;

    /// Whether there is more to do without any further message.
    fn is_busy(&self) -> bool {
        false
    }

    /// The exit status, once it was told to exit.
    fn exit_status(&self) -> Option<u8>;
}
