//! What is known of one text: its draft, what each of its names means, and where its files are.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use grandstand_languages::core::{Expr, ExprId};
use grandstand_languages::draft::{Binding, Name};
use grandstand_languages::{Draft, Language, LoadError, Span};
use grandstand_matches::{MatchGame, games};

use crate::files::{Disk, Origin, ProgramTexts};
use crate::position::{Lines, Range};

/// What is known of one text.
#[derive(Debug)]
pub(crate) struct Analysis {
    pub(crate) language: Language,
    pub(crate) draft: Draft,
    /// In the order of the text.
    pub(crate) names: Vec<Name>,
    /// What the names among the expressions mean.
    meanings: HashMap<ExprId, usize>,
    /// Of each file its lines and where it comes from.
    files: Vec<(Lines, Origin)>,
    /// The file is one that programs include.
    pub(crate) is_library: bool,
    /// The absolute paths on which all this depends.
    pub(crate) looked_at: BTreeSet<String>,
}

/// A text to be analysed.
pub(crate) struct Subject<'a> {
    /// The path by which messages name it.
    pub(crate) name: &'a str,
    pub(crate) text: &'a str,
    pub(crate) origin: Origin,
    pub(crate) directories: &'a [String],
    pub(crate) open: &'a BTreeMap<String, Arc<str>>,
    pub(crate) disk: &'a dyn Disk,
}

/// The language of a file, and whether it is one that programs include: as programs are loaded, and their libraries named.
pub(crate) fn language_of(path: &str) -> (Language, bool) {
    match path.rsplit_once('.').map(|(_, extension)| extension) {
        Some("rch") => (Language::Rcl, true),
        Some("ch") => (Language::Cl, true),
        _ => (Language::of(path).unwrap_or(Language::Cl), false),
    }
}

impl Analysis {
    /// Reads a text. An error is one of the text as a whole: it is too large.
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

    /// The game that programs in its language play.
    pub(crate) fn game(&self) -> Option<&'static dyn MatchGame> {
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

    /// The file of a name in messages.
    pub(crate) fn file_named(&self, name: &str) -> Option<u32> {
        let mut files = self.draft.sources().files().iter();
        files.position(|file| file.name == name).map(|file| file as u32)
    }

    pub(crate) fn range(&self, span: Span) -> Range {
        self.lines(span.file).range(self.text(span.file), span.start as usize, span.end as usize)
    }

    pub(crate) fn binding(&self, index: usize) -> &Binding {
        &self.draft.bindings()[index]
    }

    /// A name's text.
    pub(crate) fn name_of(&self, binding: &Binding) -> &str {
        self.draft.module().name(binding.name)
    }

    /// The name at a place of the main file, or right behind which it is.
    pub(crate) fn name_at(&self, offset: usize) -> Option<&Name> {
        let touches = |name: &&Name| {
            name.span.file == 0 && name.span.start as usize <= offset && offset <= name.span.end as usize
        };
        // Right between two names there is always a blank, so that only one touches; the later one where there are two.
        self.names.iter().rfind(touches)
    }

    /// What a name among the expressions means.
    pub(crate) fn meaning(&self, expr: ExprId) -> Option<&Binding> {
        self.meanings.get(&expr).map(|&binding| self.binding(binding))
    }

    /// The integer that an expression is, or that the name that it is was bound to.
    pub(crate) fn integer(&self, expr: ExprId) -> Option<i64> {
        let integer = |expr| match self.draft.module().expr(expr) {
            Expr::Int(value) => Some(*value),
            _ => None,
        };
        integer(expr).or_else(|| integer(self.meaning(expr)?.value?.0))
    }
}
