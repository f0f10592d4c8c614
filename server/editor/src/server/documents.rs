//! Open texts with their analyses.

use std::collections::BTreeMap;
use std::sync::Arc;

use grandstand_languages::LoadError;
use serde::Deserialize;

use crate::analysis::{Analysis, Subject};
use crate::files::{Disk, Origin};
use crate::position::{Lines, Range};
use crate::uri;

/// Number of open texts at most.
pub const MAX_DOCUMENTS: usize = 256;
/// Total length of open texts at most, in bytes.
pub const MAX_OPEN_BYTES: usize = 32 << 20;

/// Open text.
#[derive(Debug)]
pub(super) struct Document {
    /// Address under which the editor opened it.
    address: String,
    /// Path of its file; `None` for a text without a file.
    path: Option<String>,
    pub(super) version: i64,
    text: Arc<str>,
    analysis: Option<Result<Analysis, LoadError>>,
    /// Whether its diagnostics must be sent.
    pub(super) is_news: bool,
}

/// Change of a range or of the whole text.
#[derive(Debug, Deserialize)]
pub(super) struct Change {
    range: Option<Range>,
    text: String,
}

/// All open texts.
#[derive(Debug, Default)]
pub(super) struct Documents {
    /// Absolute paths of the open folders.
    pub(super) roots: Vec<String>,
    /// Texts by the path of their file, or by address without one: a file has several addresses.
    documents: BTreeMap<String, Document>,
    /// Texts with files, by path.
    texts: BTreeMap<String, Arc<str>>,
}

/// Key of a text.
fn key(address: &str) -> String {
    uri::to_path(address).unwrap_or_else(|| address.to_owned())
}

impl Documents {
    /// Opens a text, or replaces an open one.
    ///
    /// # Errors
    /// There are too many open texts, or too many bytes.
    pub(super) fn put(&mut self, address: &str, version: i64, text: String) -> Result<(), String> {
        let key = key(address);
        let old = self.documents.get(&key).map_or(0, |document| document.text.len());
        let open: usize = self.documents.values().map(|document| document.text.len()).sum();
        if open - old + text.len() > MAX_OPEN_BYTES {
            self.close(address);
            return Err(format!("{address} is not looked at: more than {MAX_OPEN_BYTES} bytes are open"));
        }
        if !self.documents.contains_key(&key) && self.documents.len() == MAX_DOCUMENTS {
            return Err(format!("{address} is not looked at: {MAX_DOCUMENTS} files are open"));
        }
        let (path, text) = (uri::to_path(address), Arc::<str>::from(text));
        if let Some(path) = &path {
            self.texts.insert(path.clone(), text.clone());
            self.touch(path);
        }
        let old = self.documents.remove(&key);
        let address = old.map_or_else(|| address.to_owned(), |old| old.address);
        let document = Document { address, path, version, text, analysis: None, is_news: true };
        self.documents.insert(key, document);
        Ok(())
    }

    /// Changes an open text; does nothing if it is not open.
    ///
    /// # Errors
    /// As for [`put`](Self::put).
    pub(super) fn change(&mut self, address: &str, version: i64, changes: Vec<Change>) -> Result<(), String> {
        let Some(document) = self.documents.get(&key(address)) else { return Ok(()) };
        let mut text = document.text.to_string();
        for change in changes {
            match change.range {
                Some(range) => {
                    let lines = Lines::new(&text);
                    let start = lines.offset(&text, range.start);
                    let end = lines.offset(&text, range.end).max(start);
                    text.replace_range(start..end, &change.text);
                }
                None => text = change.text,
            }
            if text.len() > MAX_OPEN_BYTES {
                break;
            }
        }
        self.put(address, version, text)
    }

    /// Closes a text. Files that include it use the file on disk again. Returns the address under
    /// which it was opened; `None` if it was not open.
    pub(super) fn close(&mut self, address: &str) -> Option<String> {
        let document = self.documents.remove(&key(address))?;
        if let Some(path) = document.path {
            self.texts.remove(&path);
            self.touch(&path);
        }
        Some(document.address)
    }

    /// Discards analyses that depend on the file at a path.
    pub(super) fn touch(&mut self, path: &str) {
        for document in self.documents.values_mut() {
            let depends = match &document.analysis {
                Some(Ok(analysis)) => analysis.looked_at.contains(path),
                _ => false,
            };
            if depends {
                document.analysis = None;
                document.is_news = true;
            }
        }
    }

    /// Discards all analyses.
    pub(super) fn touch_all(&mut self) {
        for document in self.documents.values_mut() {
            document.analysis = None;
            document.is_news = true;
        }
    }

    /// Addresses of all open texts.
    pub(super) fn addresses(&self) -> Vec<String> {
        self.documents.values().map(|document| document.address.clone()).collect()
    }

    pub(super) fn get_mut(&mut self, address: &str) -> Option<&mut Document> {
        self.documents.get_mut(&key(address))
    }

    /// Returns the analysis of a text; `None` if it is not open.
    pub(super) fn analysis(
        &mut self,
        address: &str,
        disk: &dyn Disk,
    ) -> Option<&Result<Analysis, LoadError>> {
        let document = self.documents.get_mut(&key(address))?;
        if document.analysis.is_none() {
            let directories = directories(&self.roots, document.path.as_deref());
            let name = match &document.path {
                Some(path) => name_of(path, &directories),
                None => address.rsplit(['/', ':']).next().unwrap_or_default().to_owned(),
            };
            let origin = document.path.clone().map_or(Origin::Unnamed, Origin::Path);
            document.analysis = Some(Analysis::new(Subject {
                name: &name,
                text: &document.text,
                origin,
                directories: &directories,
                open: &self.texts,
                disk,
            }));
        }
        document.analysis.as_ref()
    }

    /// Address of a file: that of its open text, if any.
    pub(super) fn address_of(&self, path: &str) -> String {
        let open = self.documents.get(path).filter(|document| document.path.is_some());
        open.map_or_else(|| uri::of_path(path), |document| document.address.clone())
    }
}

/// Directories for a program's includes: the open folders that contain it, innermost first, then its own directory.
fn directories(roots: &[String], path: Option<&str>) -> Vec<String> {
    let Some(path) = path else { return roots.to_vec() };
    let holds = |root: &&String| path.strip_prefix(root.as_str()).is_some_and(|rest| rest.starts_with('/'));
    let mut directories: Vec<String> = roots.iter().filter(holds).cloned().collect();
    directories.sort_by_key(|root| std::cmp::Reverse(root.len()));
    if let Some((beside, _)) = path.rsplit_once('/') {
        directories.push(beside.to_owned());
    }
    directories.dedup();
    directories
}

/// Path of a file in messages: relative to the first directory that contains it.
fn name_of(path: &str, directories: &[String]) -> String {
    let mut inside =
        directories.iter().filter_map(|directory| path.strip_prefix(directory.as_str())?.strip_prefix('/'));
    inside.next().or_else(|| path.rsplit('/').next()).unwrap_or(path).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn includes_are_looked_for_in_open_folders_and_then_beside_the_file() {
        let roots = ["/home/ada".to_owned(), "/home/ada/bots".to_owned(), "/home/ad".to_owned()];
        let directories = directories(&roots, Some("/home/ada/bots/v2/a.cl"));
        assert_eq!(directories, ["/home/ada/bots", "/home/ada", "/home/ada/bots/v2"]);
        assert_eq!(name_of("/home/ada/bots/v2/a.cl", &directories), "v2/a.cl");
    }

    proptest::proptest! {
        #[test]
        fn changes_of_ranges_are_those_of_the_text(
            text in "([a-zé😀]|\\n){0,30}", new in "[a-z\\n]{0,5}", a in 0_usize..40, b in 0_usize..40,
        ) {
            let floor = |at: usize| (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
            let (start, end) = (floor(a.min(b)), floor(a.max(b)));
            let range = Lines::new(&text).range(&text, start, end);
            let mut documents = Documents::default();
            documents.put("untitled:a.cl", 1, text.clone()).expect("it is small");
            let change = Change { range: Some(range), text: new.clone() };
            documents.change("untitled:a.cl", 2, vec![change]).expect("it is small");
            let expected = format!("{}{new}{}", &text[..start], &text[end..]);
            proptest::prop_assert_eq!(&*documents.documents["untitled:a.cl"].text, expected.as_str());
        }
    }
}
