//! Profile of a match: where the reductions of its bots went, in a file for speedscope.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;

use anyhow::Context as _;
use grandstand_insight::{Insight, Profile};
use grandstand_matches::MatchSpec;

/// A file for the profile of a match.
pub(super) struct ProfileFile<'a> {
    path: &'a Path,
    file: BufWriter<File>,
}

impl<'a> ProfileFile<'a> {
    /// Creates the file.
    ///
    /// # Errors
    /// If the file can't be written.
    pub(super) fn create(path: &'a Path) -> anyhow::Result<Self> {
        let file =
            File::create(path).with_context(|| format!("can't write the profile {}", path.display()))?;
        Ok(Self { path, file: BufWriter::new(file) })
    }

    /// Plays the match again with every operation traced, and writes its reductions by function and line.
    ///
    /// # Errors
    /// If the match can't be played again, or the file can't be written.
    pub(super) fn write(mut self, spec: &dyn MatchSpec) -> anyhow::Result<()> {
        let mut insight = Insight::of_header(spec.game(), &spec.header(None))?;
        insight.play_out();
        let profile = Profile::new(&mut insight);
        let (sides, names) = (insight.sides(), insight.names());
        let word = insight.bot_word();
        let title = format!("{} against {}, seed {}", names[0], names[1], spec.seed());
        let json = profile.speedscope(&title, |bot| {
            format!("{} {word} {} ({})", sides[bot.side].name, bot.bot, names[bot.side])
        });
        let written = writeln!(self.file, "{json}").and_then(|()| self.file.flush());
        written.with_context(|| format!("can't write the profile {}", self.path.display()))
    }
}
