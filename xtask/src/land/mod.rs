//! `cargo xtask land COUNTRIES.json`: writes the outlines of territories, `maps/land/*.land`, from the outlines of
//! countries and the lists of the countries of each territory, `maps/land/*.countries`.
//!
//! Countries are filled into a grid of cells that belong to territories. The borders between the territories are then
//! traced, each once, so that neighbours fit exactly. `maps/README.md` describes both formats.
//! between what is left and what is right of it. So neighbours fit together exactly. `maps/README.md` has both formats.

mod arcs;
mod countries;
mod grid;
mod projection;
mod recipe;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, bail};

use self::arcs::Arc;
use self::countries::Countries;
use self::grid::Grid;
use self::recipe::Recipe;

/// Width of a map in cells. A cell is the unit of the file.
const WIDTH: usize = 4096;
/// Maximum distance of a simplified border from the original, in cells.
const TOLERANCE: f64 = 3.0;

/// Writes `maps/land/NAME.land` for each `maps/land/NAME.countries`.
///
/// # Errors
///
/// If the countries are not those of `world-atlas`, a recipe is wrong, or a file can't be read or written.
pub(crate) fn make(root: &Path, rest: &[String]) -> anyhow::Result<()> {
    let [path] = rest else { bail!("usage: cargo xtask land COUNTRIES.json") };
    let countries = Countries::read(&fs::read_to_string(path).with_context(|| path.clone())?)?;
    let folder = root.join("maps/land");
    let mut recipes: Vec<_> = fs::read_dir(&folder)?
        .map(|entry| Ok(entry?.path()))
        .collect::<anyhow::Result<Vec<_>>>()?
        .into_iter()
        .filter(|path| path.extension().is_some_and(|end| end == "countries"))
        .collect();
    recipes.sort();
    for path in recipes {
        let about = || path.display().to_string();
        let recipe = Recipe::parse(&fs::read_to_string(&path)?).with_context(about)?;
        let land = land(&recipe, &countries).with_context(about)?;
        fs::write(path.with_extension("land"), land)?;
    }
    Ok(())
}

/// Contents of a map's file.
fn land(recipe: &Recipe, countries: &Countries) -> anyhow::Result<String> {
    let projection = recipe.projection(WIDTH);
    let mut grid = Grid::new(projection.width, projection.height);
    for (country, outlines) in countries.iter() {
        if !recipe.mentions(country) {
            continue;
        }
        for polygon in outlines {
            let rings: Vec<_> = polygon.iter().map(|ring| projection.ring(ring)).collect();
            grid.fill(&rings, |x, y| {
                recipe.territory(
                    country,
                    projection.longitude(x as f64 + 0.5),
                    projection.latitude(y as f64 + 0.5),
                )
            });
        }
    }
    recipe.check(countries)?;
    grid.clean(recipe.smallest);
    let seats = grid.seats(recipe.territories.len());
    let mut text = String::from(
        "# Made by `cargo xtask land` from Natural Earth 1:50m, which is in the public domain; see maps/README.md.\n",
    );
    writeln!(text, "size {} {}", grid.width, grid.height)?;
    for (number, territory) in recipe.territories.iter().enumerate() {
        let (x, y) = match territory.seat {
            Some((lon, lat)) => {
                let (x, y) = projection.at(lon, lat);
                (x as i32, y as i32)
            }
            None => seats[number].with_context(|| format!("{} has no land", territory.name))?,
        };
        writeln!(text, "territory {x} {y} {} / {}", territory.name, territory.continent)?;
    }
    for arc in arcs::trace(&grid) {
        write_arc(&mut text, &arc.simplified(TOLERANCE))?;
    }
    Ok(text)
}

/// `arc LEFT RIGHT X Y` and the steps between the points. `-` is the sea.
fn write_arc(text: &mut String, arc: &Arc) -> anyhow::Result<()> {
    let side = |territory: Option<u8>| territory.map_or("-".to_owned(), |number| number.to_string());
    write!(text, "arc {} {}", side(arc.left), side(arc.right))?;
    let (mut x, mut y) = (0, 0);
    for (next_x, next_y) in &arc.points {
        write!(text, " {} {}", next_x - x, next_y - y)?;
        (x, y) = (*next_x, *next_y);
    }
    text.push('\n');
    Ok(())
}
