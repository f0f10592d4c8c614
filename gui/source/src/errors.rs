//! Errors of sources, in words that a viewer can act on.

use grandstand_replays::OpenError;

use crate::address::Base;

/// A failure in displayable form: what happened, the details, and the advice.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{title}: {detail} {advice}")]
pub struct SourceError {
    /// The event, in a few words.
    pub title: String,
    /// The details, as a sentence.
    pub detail: String,
    /// The advice to the viewer, as a sentence.
    pub advice: String,
    /// Whether another attempt later may succeed without any action.
    pub temporary: bool,
}

impl SourceError {
    /// A failure for which another attempt alone does not help.
    pub fn new(title: &str, detail: impl Into<String>, advice: impl Into<String>) -> SourceError {
        SourceError {
            title: title.to_owned(),
            detail: detail.into(),
            advice: advice.into(),
            temporary: false,
        }
    }

    fn temporary(title: &str, detail: impl Into<String>, advice: impl Into<String>) -> SourceError {
        SourceError { temporary: true, ..SourceError::new(title, detail, advice) }
    }

    /// The server's address does not answer.
    pub fn unreachable(base: &Base, reason: &str) -> SourceError {
        SourceError::temporary(
            "No server there",
            format!("Nothing answers at {base} ({reason})."),
            "Is it running? Start one with `grandstand serve`, or check the address.",
        )
    }

    /// An existing connection broke.
    pub fn connection_lost(base: &Base, reason: &str) -> SourceError {
        SourceError::temporary(
            "Connection lost",
            format!("The connection to {base} broke ({reason})."),
            "What has been seen stays here; the rest follows when the server is back.",
        )
    }

    /// The server answers, but refuses a websocket to the page; a browser does not report the reason.
    #[cfg(target_arch = "wasm32")]
    pub fn no_websocket(base: &Base) -> SourceError {
        SourceError::temporary(
            "No live connection",
            format!("{base} answers, but takes no websocket from this page."),
            "It may have all the spectators that it can take, and is asked again. A proxy before it must pass on `Host` and \
             upgrades; pages of other servers are let in by `grandstand serve --allow-origin`.",
        )
    }

    /// The server shows no tournament.
    pub fn no_tournament(base: &Base) -> SourceError {
        SourceError::new(
            "No tournament there",
            format!("{base} shows no tournament."),
            "Start it with one: grandstand serve --tournament FILE.db",
        )
    }

    /// The address answers with a different protocol.
    pub fn not_a_server(base: &Base, reason: &str) -> SourceError {
        SourceError::new(
            "Not a Grandstand server",
            format!("What answers at {base} is something else ({reason})."),
            "Check the port: the pages and the matches are on the HTTP port, 8126 by default.",
        )
    }

    /// The server speaks another version of the protocol.
    pub fn version(base: &Base, theirs: u32) -> SourceError {
        SourceError::new(
            "Another version",
            format!("{base} speaks version {theirs} of the protocol, this program version 1."),
            "Update the older of the two.",
        )
    }

    /// The server has no such match.
    pub fn unknown_match(base: &Base, id: &str) -> SourceError {
        SourceError::new(
            "No such match",
            format!("{base} knows no match `{id}`."),
            "It may have been removed; the list shows those that there are.",
        )
    }

    /// The server ended the feed with a reason.
    pub fn refused(base: &Base, message: &str) -> SourceError {
        SourceError::new(
            "The server refused",
            format!("{base} says: {message}"),
            "The list shows the matches that there are.",
        )
    }

    /// The server's certificate is not trusted.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn distrusted(address: &str, reason: &str) -> SourceError {
        SourceError::new(
            "Not trusted",
            format!("The connection to {address} can't be trusted ({reason})."),
            "Check the address. A certificate of your own is trusted from this system's store, or from the file that SSL_CERT_FILE \
             names.",
        )
    }

    /// A file that can't be read.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn unreadable(path: &std::path::Path, error: &std::io::Error) -> SourceError {
        let advice = match error.kind() {
            std::io::ErrorKind::NotFound => "Check the name; a recording ends in .replay or .replay.zst.",
            std::io::ErrorKind::PermissionDenied => "Its permissions do not let you read it.",
            std::io::ErrorKind::IsADirectory => "It is a folder: choose a .replay file in it.",
            _ => "Check that the disk is there and the file can be read.",
        };
        // The number of the operating system's error is of no use to the viewer.
        let reason = error.to_string();
        let reason = reason.split(" (os error").next().unwrap_or_default();
        SourceError::new("The file can't be read", format!("{}: {reason}.", path.display()), advice)
    }

    /// The file is too large for a page.
    #[cfg(target_arch = "wasm32")]
    pub fn too_large(name: &str, bytes: f64, most: f64) -> SourceError {
        let [bytes, most] = [bytes, most].map(|bytes| bytes / 1e6);
        SourceError::new(
            "The file is too large",
            format!("{name} has {bytes:.0} MB; a page opens at most {most:.0} MB."),
            "Open it in the window: grandstand watch FILE.",
        )
    }

    /// The file is no replay, or none that this version can read.
    pub fn not_a_replay(name: &str, error: &OpenError) -> SourceError {
        let (title, advice) = match error {
            OpenError::NewerVersion { .. } => ("Recorded by a newer version", "Update this program."),
            OpenError::Header(_) => (
                "This recording can't be shown",
                "It may be of a game that this version does not know, or damaged: try a newer version, or another copy.",
            ),
            OpenError::Empty => (
                "The recording is empty",
                "Nothing was written into it. A match that has only just begun may have more in a moment.",
            ),
            OpenError::HeaderCut(_) | OpenError::Zst(_) => (
                "The recording is damaged",
                "A part of it is missing or changed: copy or download it once more.",
            ),
            OpenError::NotAReplay { .. } | OpenError::NotText => (
                "Not a replay",
                "Recordings end in .replay or .replay.zst. A raw log of lines becomes one with `grandstand convert`.",
            ),
        };
        SourceError::new(title, format!("{name}: {error}."), advice)
    }

    /// The browser does not give the page the file's content.
    #[cfg(target_arch = "wasm32")]
    pub fn not_given(name: &str, reason: &str) -> SourceError {
        SourceError::new(
            "The file can't be read",
            format!("{name}: {reason}."),
            "Choose or drop it once more.",
        )
    }

    /// The recording at an address can't be fetched.
    pub fn not_fetched(url: &str, reason: &str) -> SourceError {
        SourceError::temporary(
            "The recording can't be fetched",
            format!("{url}: {reason}."),
            if cfg!(target_arch = "wasm32") {
                "Check the address, that its server is running, and that it lets pages of other servers read its files; \
                 or download the recording and drop it here."
            } else {
                "Check the address, and that its server is running."
            },
        )
    }
}
