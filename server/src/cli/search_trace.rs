//! `grandstand search-trace`: the steps of a search in a game tree given as a text file.

use std::fs::File;
use std::io::Read as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::{Args, ValueEnum};
use grandstand_search::explicit::{Leaves, Tree, TreePosition};
use grandstand_search::{Figure, PrunePercentage, Trace, alphabeta_watched, jamboree_watched};

use super::print;

/// Maximum size of a tree file in bytes.
const FILE_MAX_BYTES: u64 = 1024 * 1024;
/// Maximum height of a tree, which is the depth of the search.
const HEIGHT_MAX: u32 = 200;

/// Print the trace of a search in a game tree, in the form of figures 4 and 5 of the Riskless handout.
///
/// The file has one line per node: its name, indented by two blanks more than its parent, and for a leaf its value
/// after the name. Maxie moves at the root. server/search/SEARCH.md has the details.
#[derive(Debug, Args)]
pub struct SearchTraceArgs {
    /// The tree
    #[arg(value_name = "TREE")]
    file: PathBuf,
    /// The search
    #[arg(long, value_enum, default_value_t = Search::Alphabeta)]
    search: Search,
    /// Share of the children that Jamboree searches one after another, from 0 to 1 [default: 0.5]
    #[arg(long, value_name = "SHARE")]
    prune: Option<f64>,
    /// Depth of the search [default: to the deepest leaf]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// The figure whose form is printed: 4, with estimates and the value of the root, or 5, with the overall choice
    #[arg(long, value_name = "FIGURE", default_value = "4", value_parser = figure)]
    figure: Figure,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Search {
    Alphabeta,
    Jamboree,
}

fn figure(text: &str) -> Result<Figure, String> {
    match text {
        "4" => Ok(Figure::Four),
        "5" => Ok(Figure::Five),
        _ => Err("expected 4 or 5".to_owned()),
    }
}

/// Prints the trace.
///
/// # Errors
/// If the tree is invalid; the message is for the terminal.
pub fn run(args: &SearchTraceArgs) -> anyhow::Result<ExitCode> {
    let name = args.file.display().to_string();
    let mut text = String::new();
    let file = File::open(&args.file).with_context(|| format!("can't read the tree in {name}"))?;
    file.take(FILE_MAX_BYTES + 1)
        .read_to_string(&mut text)
        .with_context(|| format!("can't read the tree in {name}"))?;
    if text.len() as u64 > FILE_MAX_BYTES {
        bail!("{name} is longer than {FILE_MAX_BYTES} bytes");
    }
    let tree = Tree::parse(&text).with_context(|| format!("the tree in {name}"))?;
    let height = tree.height();
    if height > HEIGHT_MAX {
        bail!("the tree in {name} is {height} moves deep; expected at most {HEIGHT_MAX}");
    }
    let (root, depth) = (TreePosition::root(tree), args.depth.unwrap_or(height));
    if depth < height {
        bail!("--depth is {depth}, and the tree in {name} is {height} moves deep: inner nodes have no value");
    }
    let mut trace = Trace::new(|position: &TreePosition| position.name().to_owned());
    let found = match (args.search, args.prune) {
        (Search::Alphabeta, Some(_)) => bail!("--prune is for --search jamboree"),
        (Search::Alphabeta, None) => alphabeta_watched(&root, depth, &Leaves, &mut trace),
        (Search::Jamboree, share) => {
            let share = share.map_or(Ok(PrunePercentage::HALF), PrunePercentage::new).context("--prune")?;
            jamboree_watched(&root, depth, share, &Leaves, &mut trace)
        }
    };
    print(args.figure.print(&root, &trace, &found).trim_end())?;
    Ok(ExitCode::SUCCESS)
}
