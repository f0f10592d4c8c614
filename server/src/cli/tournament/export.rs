//! `grandstand tournament export`: exports a tournament to files.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::Args;

use crate::cli::print;
use crate::tournament::catalogue::Catalogue;
use crate::tournament::export::{self, Folder, Table};
use crate::tournament::report::Snapshot;

/// Write a tournament's tables to a file, or all of it to a folder of web pages.
///
/// The name determines the format: .csv (one table), .json (everything), .pgn (a header for each rated game, for Ordo
/// and BayesElo), .md (tables for a course page); any other name is a folder of HTML pages without script.
#[derive(Debug, Args)]
pub(super) struct ExportArgs {
    /// The tournament's database
    #[arg(value_name = "FILE.db")]
    db: PathBuf,
    /// The target: NAME.csv, NAME.json, NAME.pgn, NAME.md, or a folder; csv, json, pgn or md alone is standard output
    #[arg(value_name = "FILE|FOLDER")]
    to: PathBuf,
    /// The table in a .csv
    #[arg(long, value_enum, default_value_t = Table::Standings, value_name = "TABLE")]
    table: Table,
    /// Leave the recordings out of a folder
    #[arg(long)]
    no_recordings: bool,
    /// Leave the pictures of how games ended out of a folder
    #[arg(long)]
    no_pictures: bool,
    /// Keep the sources of programs in recordings
    #[arg(long)]
    publish_programs: bool,
    /// Overwrite existing files
    #[arg(long)]
    replace: bool,
}

/// Writes the export.
///
/// # Errors
/// If the database can't be read, or a file can't be written.
pub(super) fn run(args: &ExportArgs) -> anyhow::Result<ExitCode> {
    let catalogue = Catalogue::read_only(&args.db)?;
    let snapshot = Snapshot::read(&catalogue)?;
    let kind = args.to.extension().or(args.to.file_name()).and_then(|kind| kind.to_str()).unwrap_or_default();
    let text = match kind {
        "csv" => export::csv(&snapshot, args.table),
        "json" => export::json(&snapshot),
        "pgn" => export::pgn(&snapshot),
        "md" => export::markdown(&snapshot.report()),
        _ if args.to.extension().is_some() && !args.to.is_dir() => {
            bail!("{}: expected .csv, .json, .pgn, .md, or a folder's name", args.to.display())
        }
        _ => return folder(args, &snapshot, &catalogue),
    };
    if args.to == Path::new(kind) {
        print(text.trim_end())?;
        return Ok(ExitCode::SUCCESS);
    }
    if args.to.exists() && !args.replace {
        bail!("{} is there already: --replace writes over it", args.to.display());
    }
    std::fs::write(&args.to, text).with_context(|| format!("can't write {}", args.to.display()))?;
    Ok(ExitCode::SUCCESS)
}

fn folder(args: &ExportArgs, snapshot: &Snapshot, catalogue: &Catalogue) -> anyhow::Result<ExitCode> {
    let with = Folder {
        recordings: !args.no_recordings,
        pictures: !args.no_pictures && cfg!(feature = "export"),
        programs: args.publish_programs,
        replace: args.replace,
    };
    export::write_folder(snapshot, catalogue, &args.to, with, |_, _| {})?;
    if !args.no_pictures && !with.pictures {
        tell!("no pictures: this grandstand was built without what draws them (--features export)");
    }
    tell!("{}", args.to.join(crate::tournament::pages::INDEX).display());
    Ok(ExitCode::SUCCESS)
}
