//! Recipe of a map: its part of the Earth, and the countries of its territories.

use anyhow::{Context, bail, ensure};

use super::countries::Countries;
use super::projection::{Projection, Wider};

pub(super) struct Recipe {
    longitudes: [f64; 2],
    latitudes: [f64; 2],
    wider: Option<Wider>,
    /// Parts with fewer cells are removed.
    pub smallest: usize,
    pub territories: Vec<Territory>,
}

pub(super) struct Territory {
    pub name: String,
    pub continent: String,
    /// Place of its label in degrees; by default the cell farthest from its borders.
    pub seat: Option<(f64, f64)>,
    parts: Vec<Part>,
}

/// A country, or its part beyond some lines.
struct Part {
    country: String,
    cuts: Vec<Cut>,
}

/// `lon<100` for a wavy line, `lon<=100` for a straight one.
struct Cut {
    is_longitude: bool,
    is_less: bool,
    is_straight: bool,
    degrees: f64,
}

impl Recipe {
    pub(super) fn parse(text: &str) -> anyhow::Result<Recipe> {
        let mut recipe = Recipe {
            longitudes: [-180.0, 180.0],
            latitudes: [84.0, -56.0],
            wider: None,
            smallest: 60,
            territories: Vec::new(),
        };
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.split('#').next().unwrap_or_default().trim();
            if !line.is_empty() {
                recipe.line(line).with_context(|| format!("line {number}"))?;
            }
        }
        ensure!(recipe.territories.len() < 255, "more than 254 territories");
        Ok(recipe)
    }

    fn line(&mut self, line: &str) -> anyhow::Result<()> {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["longitudes", west, east] => self.longitudes = [west.parse()?, east.parse()?],
            ["latitudes", north, south] => self.latitudes = [north.parse()?, south.parse()?],
            ["wider", middle, half, more] => {
                self.wider =
                    Some(Wider { middle: middle.parse()?, half: half.parse()?, more: more.parse()? });
            }
            ["smallest", cells] => self.smallest = cells.parse()?,
            _ => self.territories.push(Territory::parse(line)?),
        }
        Ok(())
    }

    pub(super) fn projection(&self, width: usize) -> Projection {
        Projection::new(self.longitudes, self.latitudes, self.wider, width)
    }

    pub(super) fn mentions(&self, country: &str) -> bool {
        self.territories.iter().any(|territory| territory.parts.iter().any(|part| part.country == country))
    }

    /// Territory of a place in a country: the first one that contains it.
    pub(super) fn territory(&self, country: &str, lon: f64, lat: f64) -> Option<u8> {
        let holds = |part: &Part| part.country == country && part.cuts.iter().all(|cut| cut.holds(lon, lat));
        let number = self.territories.iter().position(|territory| territory.parts.iter().any(holds))?;
        u8::try_from(number).ok()
    }

    /// # Errors
    ///
    /// If a country of the recipe is unknown.
    pub(super) fn check(&self, countries: &Countries) -> anyhow::Result<()> {
        for part in self.territories.iter().flat_map(|territory| &territory.parts) {
            ensure!(countries.has(&part.country), "there is no country `{}`", part.country);
        }
        Ok(())
    }
}

impl Territory {
    /// `NAME / CONTINENT = COUNTRY CUT…, COUNTRY…`, with ` @ LON LAT` before the equals sign.
    fn parse(line: &str) -> anyhow::Result<Territory> {
        let (head, countries) = line.split_once('=').context("a territory has `=` before its countries")?;
        let (head, seat) = match head.split_once('@') {
            Some((head, seat)) => {
                let (lon, lat) =
                    seat.trim().split_once(' ').context("a seat is a longitude and a latitude")?;
                (head, Some((lon.parse()?, lat.parse()?)))
            }
            None => (head, None),
        };
        let (name, continent) = head.split_once('/').context("a territory has `/` before its continent")?;
        let parts = countries.split(',').map(Part::parse).collect::<anyhow::Result<_>>()?;
        Ok(Territory { name: name.trim().to_owned(), continent: continent.trim().to_owned(), seat, parts })
    }
}

impl Part {
    fn parse(text: &str) -> anyhow::Result<Part> {
        let is_cut = |word: &&str| word.contains(['<', '>']);
        let words = || text.split_whitespace();
        let country: Vec<&str> = words().filter(|word| !is_cut(word)).collect();
        let cuts = words().filter(is_cut).map(Cut::parse).collect::<anyhow::Result<_>>()?;
        Ok(Part { country: country.join(" "), cuts })
    }
}

impl Cut {
    fn parse(word: &str) -> anyhow::Result<Cut> {
        let at = word.find(['<', '>']).context("a cut has `<` or `>`")?;
        let is_longitude = match &word[..at] {
            "lon" => true,
            "lat" => false,
            other => bail!("`{other}` is neither `lon` nor `lat`"),
        };
        let is_straight = word[at + 1..].starts_with('=');
        let degrees = word[at + 1 + usize::from(is_straight)..].parse().with_context(|| word.to_owned())?;
        Ok(Cut { is_longitude, is_less: word[at..].starts_with('<'), is_straight, degrees })
    }

    /// A wavy line, similar to rivers and ridges, has its given position at 49 degrees north or 97 degrees west.
    fn holds(&self, lon: f64, lat: f64) -> bool {
        let wave = |along: f64| 0.9 * (along * 0.45).sin() + 0.45 * (along * 1.3).sin();
        let (value, moved) =
            if self.is_longitude { (lon, wave(lat - 49.0)) } else { (lat, 0.3 * wave(lon + 97.0)) };
        let value = if self.is_straight { value } else { value + moved };
        if self.is_less { value < self.degrees } else { value > self.degrees }
    }
}
