//! Saved files: natively written to the disk, in a page passed to the browser as a download.

use std::path::Path;
#[cfg(not(target_arch = "wasm32"))]
use std::path::PathBuf;

/// Saves a file and returns its path. The folder is `folder`, or the one for downloads. Nothing is ever
/// overwritten: `game.gif` becomes `game-2.gif`.
///
/// # Errors
/// A message if the file can't be written.
#[cfg(not(target_arch = "wasm32"))]
pub fn save(folder: Option<&Path>, name: &str, bytes: &[u8]) -> Result<String, String> {
    use std::io::{ErrorKind, Write};

    let folder = folder.map_or_else(downloads, Path::to_owned);
    let name = file_name(name);
    let (stem, ending) = name.split_at(name.len() - ending(&name).len());
    for number in 1..=COPIES_MAX {
        let name = if number == 1 { name.clone() } else { format!("{stem}-{number}{ending}") };
        let path = folder.join(name);
        let failed = |error: std::io::Error| format!("{} can't be written: {error}", path.display());
        let mut file = match std::fs::File::create_new(&path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
            file => file.map_err(failed)?,
        };
        return match file.write_all(bytes).and_then(|()| file.sync_all()) {
            Ok(()) => Ok(std::path::absolute(&path).unwrap_or(path).display().to_string()),
            Err(error) => {
                // An incomplete file is of no use.
                let _ = std::fs::remove_file(&path);
                Err(failed(error))
            }
        };
    }
    Err(format!("there are {COPIES_MAX} files called {name} in {} already", folder.display()))
}

/// The most files of one name, distinguished by numbers.
#[cfg(not(target_arch = "wasm32"))]
const COPIES_MAX: u32 = 1000;

/// The folder for downloads, or the working directory.
#[cfg(not(target_arch = "wasm32"))]
fn downloads() -> PathBuf {
    of_the_user("XDG_DOWNLOAD_DIR", "Downloads").unwrap_or_else(|| ".".into())
}

/// The folder for pictures, or the one for downloads, or the working directory.
#[cfg(not(target_arch = "wasm32"))]
pub fn pictures() -> PathBuf {
    of_the_user("XDG_PICTURES_DIR", "Pictures").unwrap_or_else(downloads)
}

/// The user's home directory.
#[cfg(not(target_arch = "wasm32"))]
fn home() -> Option<PathBuf> {
    std::env::var_os("HOME").or_else(|| std::env::var_os("USERPROFILE")).map(PathBuf::from)
}

/// A standard folder of the user, by its variable in `user-dirs.dirs` or its usual name; `None` if it does not exist.
#[cfg(not(target_arch = "wasm32"))]
fn of_the_user(variable: &str, usual: &str) -> Option<PathBuf> {
    let home = home()?;
    let config = std::env::var_os("XDG_CONFIG_HOME").map_or_else(|| home.join(".config"), PathBuf::from);
    let named = std::fs::read_to_string(config.join("user-dirs.dirs")).ok();
    let named = named.as_deref().and_then(|text| user_folder(text, variable, &home));
    let folders = [named, Some(home.join(usual))];
    // For a missing folder `user-dirs.dirs` names the home directory itself.
    folders.into_iter().flatten().find(|folder| folder.is_dir() && *folder != home)
}

/// Parses a line of `user-dirs.dirs`: `XDG_PICTURES_DIR="$HOME/Bilder"`.
#[cfg(not(target_arch = "wasm32"))]
fn user_folder(text: &str, variable: &str, home: &Path) -> Option<PathBuf> {
    let value = text.lines().find_map(|line| line.trim().strip_prefix(variable)?.trim().strip_prefix('='))?;
    let value = value.trim().trim_matches('"');
    Some(match value.strip_prefix("$HOME") {
        Some(rest) => home.join(rest.trim_start_matches('/')),
        None => PathBuf::from(value),
    })
}

/// Parses the name of an existing folder; `~` is the home directory.
///
/// # Errors
/// A message if there is no such folder.
#[cfg(not(target_arch = "wasm32"))]
pub fn folder(text: &str) -> Result<PathBuf, String> {
    let text = text.trim();
    let folder = match (text.strip_prefix('~'), home()) {
        (Some(rest), Some(home)) if rest.is_empty() || rest.starts_with(std::path::is_separator) => {
            home.join(rest.trim_start_matches(std::path::is_separator))
        }
        _ => PathBuf::from(text),
    };
    match folder.is_dir() {
        true => Ok(folder),
        false if text.is_empty() => Err("name the folder in which the file is to be put".to_owned()),
        false => Err(format!("there is no folder {text}: make it first, or name another")),
    }
}

/// Opens a folder in the system's file manager.
///
/// # Errors
/// A message if there is none.
#[cfg(not(target_arch = "wasm32"))]
pub fn open_folder(folder: &Path) -> Result<(), String> {
    let program = match () {
        () if cfg!(windows) => "explorer",
        () if cfg!(target_os = "macos") => "open",
        () => "xdg-open",
    };
    let child = std::process::Command::new(program)
        .arg(folder)
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn();
    let mut child = child.map_err(|error| format!("{program} can't be started: {error}"))?;
    // Waits for it elsewhere, so that no ended process is left.
    drop(std::thread::Builder::new().name("file manager".to_owned()).spawn(move || drop(child.wait())));
    Ok(())
}

/// Whether a file of that name exists: it stays, and the new one gets another name.
#[cfg(not(target_arch = "wasm32"))]
pub fn is_taken(folder: &Path, name: &str) -> bool {
    folder.join(file_name(name)).exists()
}

/// Saves a file and returns its name; the browser chooses the folder, or asks for it.
///
/// # Errors
/// A message if the browser refuses.
#[cfg(target_arch = "wasm32")]
pub fn save(_: Option<&Path>, name: &str, bytes: &[u8]) -> Result<String, String> {
    use wasm_bindgen::{JsCast, JsValue, closure::Closure};

    let name = file_name(name);
    let hand_over = || -> Result<(), JsValue> {
        let parts = js_sys::Array::of1(&js_sys::Uint8Array::from(bytes));
        let blob = web_sys::Blob::new_with_u8_array_sequence(&parts)?;
        let url = web_sys::Url::create_object_url_with_blob(&blob)?;
        let window = web_sys::window().ok_or("there is no page")?;
        let document = window.document().ok_or("there is no page")?;
        let link: web_sys::HtmlAnchorElement = document.create_element("a")?.dyn_into()?;
        link.set_href(&url);
        link.set_download(&name);
        link.click();
        // Some browsers read the data only after the click.
        let free = Closure::once_into_js(move || web_sys::Url::revoke_object_url(&url));
        window.set_timeout_with_callback_and_timeout_and_arguments_0(free.unchecked_ref(), 60_000)?;
        Ok(())
    };
    let said = |error: JsValue| error.as_string().unwrap_or_else(|| "the browser refused".to_owned());
    hand_over().map_err(|error| format!("{name} can't be saved: {}", said(error)))?;
    Ok(name)
}

/// A file name that is valid on every system: every other character becomes a dash, and a long name is cut before its ending.
pub fn file_name(name: &str) -> String {
    let fits = |c: char| c.is_alphanumeric() || " ._-()+".contains(c);
    let ending = ending(name);
    let stem = name[..name.len() - ending.len()].chars().take(NAME_MAX - ending.len());
    let name: String = stem.chain(ending.chars()).map(|c| if fits(c) { c } else { '-' }).collect();
    let name = name.trim_start_matches(['.', ' ']).trim_end();
    if name.is_empty() { "match".to_owned() } else { name.to_owned() }
}

/// Most characters of a file name.
const NAME_MAX: usize = 120;

/// The endings of a name, such as `.gif` or `.replay.zst`: short words of ASCII, which begin with a letter.
fn ending(name: &str) -> &str {
    let is_ending = |word: &str| {
        let letters = word.bytes().all(|c| c.is_ascii_alphanumeric());
        letters && word.len() <= 8 && word.starts_with(|c: char| c.is_ascii_alphabetic())
    };
    let mut begin = name.len();
    while let Some(dot) = name[..begin].rfind('.').filter(|&dot| is_ending(&name[dot + 1..begin])) {
        if name.len() - dot > NAME_MAX / 2 {
            break;
        }
        begin = dot;
    }
    &name[begin..]
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;

    #[test]
    fn folders_are_those_of_the_user() {
        let home = Path::new("/home/ada");
        let text = "# comment\nXDG_DOWNLOAD_DIR=\"$HOME/Hämta\"\nXDG_PICTURES_DIR=\"/srv/pictures\"\n";
        let found = |variable| user_folder(text, variable, home);
        assert_eq!(found("XDG_DOWNLOAD_DIR"), Some("/home/ada/Hämta".into()));
        assert_eq!(found("XDG_PICTURES_DIR"), Some("/srv/pictures".into()));
        assert_eq!(found("XDG_MUSIC_DIR"), None);
        let wrong = folder("/nowhere/at all").unwrap_err();
        assert!(wrong.contains("there is no folder /nowhere/at all"), "{wrong}");
        assert!(folder(" ").unwrap_err().contains("name the folder"));
        let temporary = std::env::temp_dir();
        assert_eq!(folder(&format!(" {} ", temporary.display())), Ok(temporary));
    }

    #[test]
    fn nothing_is_overwritten_and_nothing_leads_elsewhere() {
        let folder = std::env::temp_dir().join(format!("grandstand-save-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let save = |name: &str, bytes: &[u8]| save(Some(&folder), name, bytes);
        for (name, expected) in [
            ("a.marked.replay", "a.marked.replay"),
            ("a.marked.replay", "a-2.marked.replay"),
            ("cup v1.2.gif", "cup v1.2.gif"),
            ("cup v1.2.gif", "cup v1.2-2.gif"),
            ("../../a\n/b.gif", "-..-a--b.gif"),
            ("…", "-"),
            ("", "match"),
        ] {
            let path = save(name, name.as_bytes()).unwrap();
            assert_eq!(Path::new(&path), folder.join(expected));
            assert_eq!(std::fs::read(&path).unwrap(), name.as_bytes());
        }
        let wrong = super::save(Some(&folder.join("none")), "x", b"").unwrap_err();
        assert!(wrong.contains("can't be written"), "{wrong}");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
