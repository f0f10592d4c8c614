//! Outlines of countries from a TopoJSON file. The file has each border once, as steps in whole numbers.

use std::collections::BTreeMap;

use anyhow::Context;
use serde_json::Value;

/// A closed line in degrees of longitude and latitude.
type Ring = Vec<(f64, f64)>;
/// An outline and its holes.
type Polygon = Vec<Ring>;

/// Countries by name.
pub(super) struct Countries(BTreeMap<String, Vec<Polygon>>);

impl Countries {
    pub(super) fn read(text: &str) -> anyhow::Result<Countries> {
        let file: Value = serde_json::from_str(text)?;
        let pair = |value: &Value| Some((value.get(0)?.as_f64()?, value.get(1)?.as_f64()?));
        let scale = pair(&file["transform"]["scale"]).context("no scale")?;
        let origin = pair(&file["transform"]["translate"]).context("no translation")?;
        let mut arcs = Vec::new();
        for arc in file["arcs"].as_array().context("no arcs")? {
            let (mut x, mut y) = (0.0, 0.0);
            let mut points = Vec::new();
            for step in arc.as_array().context("an arc is a list")? {
                let (right, up) = pair(step).context("a step is two numbers")?;
                (x, y) = (x + right, y + up);
                points.push((x * scale.0 + origin.0, y * scale.1 + origin.1));
            }
            arcs.push(points);
        }
        let mut countries = BTreeMap::new();
        let list = file["objects"]["countries"]["geometries"].as_array().context("no countries")?;
        for country in list {
            let name = country["properties"]["name"].as_str().context("a country without a name")?;
            let empty = Vec::new();
            let parts = country["arcs"].as_array().unwrap_or(&empty);
            let polygons: Option<Vec<Polygon>> = match country["type"].as_str() {
                Some("Polygon") => rings(parts, &arcs).map(|polygon| vec![polygon]),
                Some("MultiPolygon") => parts.iter().map(|part| rings(part.as_array()?, &arcs)).collect(),
                _ => Some(Vec::new()),
            };
            countries.insert(
                name.to_owned(),
                polygons.with_context(|| format!("{name} has an arc that is not there"))?,
            );
        }
        Ok(Countries(countries))
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &[Polygon])> {
        self.0.iter().map(|(name, polygons)| (name.as_str(), polygons.as_slice()))
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }
}

/// Rings of a polygon from the numbers of their arcs. `!n` is arc n backwards.
fn rings(list: &[Value], arcs: &[Ring]) -> Option<Polygon> {
    let ring = |numbers: &Value| {
        let mut ring = Ring::new();
        for number in numbers.as_array()? {
            let number = number.as_i64()?;
            let arc = arcs.get(usize::try_from(if number < 0 { !number } else { number }).ok()?)?;
            match number < 0 {
                true => ring.extend(arc.iter().rev()),
                false => ring.extend(arc),
            }
        }
        Some(ring)
    };
    list.iter().map(ring).collect()
}
