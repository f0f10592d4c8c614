//! Names of files beside others.

use std::path::{Path, PathBuf};

/// Path beside another one: its name with `ending` appended.
pub(crate) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}
