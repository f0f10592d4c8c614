//! Analysis of one text: its draft, the meanings of its names, and the origins of its files.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use grandstand_languages::core::{Expr, ExprId};
use grandstand_languages::draft::{Binding, Name};
use grandstand_languages::{Draft, Language, LoadError, Location, Span};
use grandstand_matches::{MatchGame, games};

use crate::files::{Disk, Origin, ProgramTexts};
use crate::position::{Lines, Range};

/// Analysis of one text.
#[derive(Debug)]
pub(crate) struct Analysis {
    pub(crate) language: Language,
    pub(crate) draft: Draft,
    /// Names in the order of the text.
    pub(crate) names: Vec<Name>,
    /// Indices of the bindings of the names that are expressions.
    meanings: HashMap<ExprId, usize>,
    /// Lines and origin of each file.
    files: Vec<(Lines, Origin)>,
    /// Whether programs include the file.
    pub(crate) is_library: bool,
    /// Absolute paths on which the analysis depends.
    pub(crate) looked_at: BTreeSet<String>,
}

/// Text to analyse.
pub(crate) struct Subject<'a> {
    /// Path of the text in messages.
    pub(crate) name: &'a str,
    pub(crate) text: &'a str,
    pub(crate) origin: Origin,
    pub(crate) directories: &'a [String],
    pub(crate) open: &'a BTreeMap<String, Arc<str>>,
    pub(crate) disk: &'a dyn Disk,
}

/// Returns the language of a file, and whether programs include it. Follows the rules of the program loader and the
/// names of libraries.
pub(crate) fn language_of(path: &str) -> (Language, bool) {
    match path.rsplit_once('.').map(|(_, extension)| extension) {
        Some("rch") => (Language::Rcl, true),
        Some("ch") => (Language::Cl, true),
        _ => (Language::of(path).unwrap_or(Language::Cl), false),
    }
}

impl Analysis {
    /// Analyses a text. The error concerns the whole text: it is too large.
    pub(crate) fn new(subject: Subject<'_>) -> Result<Self, LoadError> {
        let (language, is_library) = language_of(subject.name);
        let texts = ProgramTexts {
            main: subject.name,
            text: subject.text,
            directories: subject.directories,
            open: subject.open,
            disk: subject.disk,
            found: RefCell::default(),
            looked_at: RefCell::default(),
        };
        let draft = language.draft(subject.name, &texts)?;
        let (mut found, looked_at) = (texts.found.into_inner(), texts.looked_at.into_inner());
        found.insert(subject.name.to_owned(), subject.origin);
        let origin = |name: &str| found.get(name).cloned().unwrap_or(Origin::Unnamed);
        let files = draft.sources().files().iter();
        let files = files.map(|file| (Lines::new(&file.text), origin(&file.name))).collect();
        let names = draft.names();
        let meanings = names.iter().filter_map(|name| Some((name.expr?, name.binding?))).collect();
        Ok(Self { language, is_library, looked_at, files, names, meanings, draft })
    }

    /// The game of the programs in its language.
    pub(crate) fn game(&self) -> Option<&'static MatchGame> {
        games::of_language(self.language)
    }

    pub(crate) fn text(&self, file: u32) -> &str {
        &self.draft.sources().files()[file as usize].text
    }

    pub(crate) fn lines(&self, file: u32) -> &Lines {
        &self.files[file as usize].0
    }

    pub(crate) fn origin(&self, file: u32) -> &Origin {
        &self.files[file as usize].1
    }

    /// Returns the file with a given name in messages.
    pub(crate) fn file_named(&self, name: &str) -> Option<u32> {
        let mut files = self.draft.sources().files().iter();
        files.position(|file| file.name == name).map(|file| file as u32)
    }

    pub(crate) fn range(&self, span: Span) -> Range {
        self.lines(span.file).range(self.text(span.file), span.start as usize, span.end as usize)
    }

    /// Range that a location in a file marks.
    pub(crate) fn range_of(&self, file: u32, place: &Location) -> Range {
        self.lines(file).range_of(self.text(file), place)
    }

    pub(crate) fn binding(&self, index: usize) -> &Binding {
        &self.draft.bindings()[index]
    }

    /// Text of a binding's name.
    pub(crate) fn name_of(&self, binding: &Binding) -> &str {
        self.draft.module().name(binding.name)
    }

    /// Returns the name of the main file that contains an offset or ends at it.
    pub(crate) fn name_at(&self, offset: usize) -> Option<&Name> {
        let touches = |name: &&Name| {
            name.span.file == 0 && name.span.start as usize <= offset && offset <= name.span.end as usize
        };
        // A blank separates any two names, so at most one matches; the last one is returned.
        self.names.iter().rfind(touches)
    }

    /// Returns the binding of a name that is an expression.
    pub(crate) fn meaning(&self, expr: ExprId) -> Option<&Binding> {
        self.meanings.get(&expr).map(|&binding| self.binding(binding))
    }

    /// Value of an integer expression, or of a name that is bound to an integer.
    pub(crate) fn integer(&self, expr: ExprId) -> Option<i64> {
        let integer = |expr| match self.draft.module().expr(expr) {
            Expr::Int(value) => Some(*value),
            _ => None,
        };
        integer(expr).or_else(|| integer(self.meaning(expr)?.value?.0))
    }
}
