//! Sources of the programs of a match.
//!
//! A file whose text on disk equals the played text is sent by its path. A shipped file is unpacked. Any other file,
//! for instance an older version, is sent as text.

use grandstand_insight::Insight;
use grandstand_languages::Line;
use grandstand_matches::programs::shipped_file;
use serde_json::{Value, json};

use super::launch::{Launch, Matches};

/// File of a program.
#[derive(Debug)]
pub(super) struct File {
    side: usize,
    /// Path in the program's includes.
    name: String,
    text: String,
    /// Path on disk of a file with the same text.
    path: Option<String>,
    /// Lines with operations, in order.
    lines: Vec<u32>,
}

/// Files of both programs.
#[derive(Debug, Default)]
pub(super) struct SourceFiles(Vec<File>);

impl SourceFiles {
    pub(super) fn new(insight: &Insight, launch: &Launch, disk: &impl Matches) -> Self {
        let beside = launch.recording.as_deref().and_then(|path| path.rsplit_once('/')).map(|(at, _)| at);
        let first = [launch.cwd.as_deref().unwrap_or(".")];
        let directories: Vec<&str> =
            first.into_iter().chain(launch.sources.iter().map(String::as_str)).chain(beside).collect();
        let mut files = Vec::new();
        for (side, program) in [0, 1].into_iter().filter_map(|side| Some((side, insight.program(side)?))) {
            let lines = program.lines();
            for (index, file) in program.sources().files().iter().enumerate() {
                let on = lines.iter().filter(|(of, _)| *of as usize == index).map(|(_, line)| *line);
                let mut lines: Vec<u32> = on.collect();
                lines.sort_unstable();
                lines.dedup();
                let text = file.text.to_string();
                let path = path_of(&file.name, &text, &directories, disk);
                files.push(File { side, name: file.name.clone(), text, path, lines });
            }
        }
        Self(files)
    }

    /// A file of a side's program as a source of the protocol.
    pub(super) fn source(&self, side: usize, name: &str) -> Value {
        let found = self.0.iter().position(|file| file.side == side && file.name == name);
        found.map_or(Value::Null, |index| self.json(index))
    }

    pub(super) fn all(&self) -> Vec<Value> {
        (0..self.0.len()).map(|index| self.json(index)).collect()
    }

    fn json(&self, index: usize) -> Value {
        let file = &self.0[index];
        let name = file.name.rsplit_once('/').map_or(file.name.as_str(), |(_, name)| name);
        match &file.path {
            Some(path) => json!({ "name": name, "path": path }),
            None => json!({ "name": name, "sourceReference": index + 1, "origin": "as it was played" }),
        }
    }

    /// Text of a source reference.
    pub(super) fn text(&self, reference: i64) -> Option<&str> {
        let index = usize::try_from(reference).ok()?.checked_sub(1)?;
        self.0.get(index).map(|file| file.text.as_str())
    }

    /// Files that match a path or a reference of the editor; empty without both.
    fn meant(&self, path: Option<&str>, reference: Option<i64>) -> Vec<&File> {
        if let Some(index) = reference.and_then(|reference| usize::try_from(reference).ok()?.checked_sub(1)) {
            return self.0.get(index).into_iter().collect();
        }
        let Some(path) = path.map(|path| path.replace('\\', "/")) else { return Vec::new() };
        let exact: Vec<&File> = self.0.iter().filter(|file| file.path.as_deref() == Some(&path)).collect();
        if !exact.is_empty() {
            return exact;
        }
        let is_named = |file: &&File| {
            let name = file.name.rsplit_once('/').map_or(file.name.as_str(), |(_, name)| name);
            path.rsplit_once('/').map_or(path.as_str(), |(_, name)| name) == name
        };
        self.0.iter().filter(is_named).collect()
    }

    /// Returns the place of a breakpoint: the line itself, or the next line with operations, and the sides whose programs
    /// have the file. The flag is set if the file may be another version than the played one.
    ///
    /// # Errors
    /// A message that says why there is no place.
    pub(super) fn place(
        &self,
        path: Option<&str>,
        reference: Option<i64>,
        line: u32,
    ) -> Result<(Line, [bool; 2], bool), &'static str> {
        let files = self.meant(path, reference);
        if files.is_empty() {
            return Err("no program of this match has this file");
        }
        let after = |file: &&File| file.lines.iter().copied().find(|&on| on >= line);
        let found = files.iter().filter_map(|file| Some((after(file)?, *file))).min_by_key(|(line, _)| *line);
        let (line, file) = found.ok_or("nothing is done on this line or after it")?;
        let is_other = reference.is_none() && file.path.is_none();
        let has = |side: usize| {
            files
                .iter()
                .any(|other| other.side == side && other.name == file.name && after(other) == Some(line))
        };
        Ok((Line { file: file.name.clone(), line }, [has(0), has(1)], is_other))
    }
}

/// Path of a file on disk with the same text.
fn path_of(name: &str, text: &str, directories: &[&str], disk: &impl Matches) -> Option<String> {
    let is_there = |directory: &str, name: &str| {
        disk.read(directory, name).is_ok_and(|content| content == text.as_bytes())
    };
    if let Some(below) = name.strip_prefix('/') {
        return is_there("/", below).then(|| name.to_owned());
    }
    let directory = directories.iter().find(|directory| is_there(directory, name));
    if let Some(directory) = directory {
        return disk.absolute(directory, name).map(|path| path.replace('\\', "/"));
    }
    let (shipped, same) = shipped_file(name)?;
    (same == text).then(|| disk.unpack(shipped, text)).flatten()
}
