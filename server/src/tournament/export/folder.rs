//! Export as a folder of static pages: standings, crosstables, brackets, players, recordings, a picture of each match's
//! end.

use std::path::Path;
use std::{fs, io};

use anyhow::{Context as _, bail};
use grandstand_replays::zst;
use grandstand_tournaments::PlayerIndex;

use super::super::catalogue::Catalogue;
use super::super::pages::{self, INDEX, Site, picture_name, player_page, recording_name};
use super::super::report::{Snapshot, StandingsOrder};
use crate::recordings::disclosure::Disclosure;
use crate::recordings::download::ReplayFile;

/// Content of the folder besides the pages.
#[derive(Debug, Clone, Copy)]
pub struct Folder {
    /// Whether to include the recordings.
    pub recordings: bool,
    /// Whether to include a picture of each match's end.
    pub pictures: bool,
    /// Whether recordings keep the sources of programs.
    pub programs: bool,
    /// Whether existing files may be replaced.
    pub replace: bool,
}

/// Writes the folder; `progress` gets the number of games done and the total.
///
/// # Errors
/// If the folder is not empty and `replace` is not set, a file can't be written, or a recording can't be read.
pub fn write_folder(
    of: &Snapshot,
    catalogue: &Catalogue,
    folder: &Path,
    with: Folder,
    mut progress: impl FnMut(usize, usize),
) -> anyhow::Result<()> {
    let taken = fs::read_dir(folder).is_ok_and(|mut files| files.next().is_some());
    if taken && !with.replace {
        bail!("{} is not empty: --replace writes over what is there", folder.display());
    }
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        fs::write(&path, bytes).with_context(|| format!("can't write {}", path.display()))
    };
    for (wanted, name) in [(true, ""), (with.recordings, "recordings"), (with.pictures, "pictures")] {
        let path = folder.join(name);
        if wanted {
            fs::create_dir_all(&path).with_context(|| format!("can't make {}", path.display()))?;
        }
    }
    let (report, games) = (of.report(), of.game_lines());
    let recordings = with.recordings.then_some("replay.zst");
    let site = Site { recordings, pictures: with.pictures, ..Site::default() };
    write(INDEX, pages::index(&report, &of.rating_histories(), &site, StandingsOrder::default()).as_bytes())?;
    for player in &report.players {
        let Some(player_report) = of.player(PlayerIndex(player.player)) else { continue };
        let page = pages::player(&report, &site, &player_report, &games);
        write(&player_page(player.player as usize), page.as_bytes())?;
    }
    if !with.recordings && !with.pictures {
        return Ok(());
    }
    for (done, line) in games.iter().enumerate() {
        progress(done, games.len());
        let Some(recording) = catalogue.recording(line.number)? else { continue };
        if with.recordings {
            let shared = if with.programs { recording.clone() } else { without_programs(&recording)? };
            write(&recording_name(line.number, "replay.zst"), &shared)?;
        }
        if with.pictures {
            let picture =
                picture(&recording).with_context(|| format!("the picture of game {}", line.number))?;
            write(&picture_name(line.number), &picture)?;
        }
    }
    Ok(())
}

/// A recording without the sources of its programs.
fn without_programs(recording: &[u8]) -> io::Result<Vec<u8>> {
    let mut file = ReplayFile::of_compressed(recording.to_vec(), &Disclosure::Nothing)?;
    let mut text = Vec::new();
    while let Some(piece) = file.next_piece(64 << 10)? {
        text.extend_from_slice(&piece);
    }
    let mut compressed = Vec::new();
    zst::compress(text.as_slice(), &mut compressed)?;
    Ok(compressed)
}

/// The final position of a match, as a PNG.
#[cfg(feature = "export")]
fn picture(recording: &[u8]) -> anyhow::Result<Vec<u8>> {
    use grandstand_export::{Job, Look, Match, Moment, Plan, What};

    let replay = grandstand_replays::Replay::open(recording, grandstand_replays::Limits::default())?;
    let of = Match::of(&replay);
    let plan = Plan { what: What::Png(Moment::End), size: "400x300".parse()?, look: Look::dark() };
    let mut job = Job::new(of, plan, std::io::Cursor::new(Vec::new()))?;
    while !job.is_done() {
        job.step(of)?;
    }
    Ok(job.finish()?.into_inner())
}

#[cfg(not(feature = "export"))]
fn picture(_: &[u8]) -> anyhow::Result<Vec<u8>> {
    bail!(
        "this grandstand was built without what draws pictures: build it with --features export, or give --no-pictures"
    )
}
