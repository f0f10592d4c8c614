//! Projection of a map: Gall's stereographic projection, with an optional wider part.

/// A wider part: its middle and half of its width in degrees of longitude, and the additional scale in its middle.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wider {
    pub middle: f64,
    pub half: f64,
    pub more: f64,
}

/// Conversion from degrees to cells.
pub(super) struct Projection {
    pub width: usize,
    pub height: usize,
    west: f64,
    span: f64,
    north: f64,
    south: f64,
    wider: Option<Wider>,
}

impl Projection {
    /// Projection of `[west, east]` and `[north, south]` to a width in cells.
    pub(super) fn new(
        [west, east]: [f64; 2],
        [north, south]: [f64; 2],
        wider: Option<Wider>,
        width: usize,
    ) -> Projection {
        let mut projection = Projection { width, height: 0, west, span: east - west, north, south, wider };
        let across = projection.degrees(projection.span).to_radians() * std::f64::consts::FRAC_1_SQRT_2;
        let down = (1.0 + std::f64::consts::FRAC_1_SQRT_2) * (tan_half(north) - tan_half(south));
        projection.height = (width as f64 * down / across).round() as usize;
        projection
    }

    /// Converts degrees from the western edge to degrees of a map without a wider part.
    fn degrees(&self, east: f64) -> f64 {
        let Some(wider) = self.wider else { return east };
        let integral = |lon: f64| {
            let u = ((lon - wider.middle) / wider.half).clamp(-1.0, 1.0);
            wider.more * wider.half * (u - u.powi(3) * 2.0 / 3.0 + u.powi(5) / 5.0)
        };
        east + integral(self.west + east) - integral(self.west)
    }

    /// Converts a ring to cells. The ring becomes one piece if its longitudes jump from 180 to -180 degrees, and moves
    /// by 360 degrees if it lies outside of the map.
    pub(super) fn ring(&self, ring: &[(f64, f64)]) -> Vec<(f64, f64)> {
        let mut ring = ring.to_vec();
        for n in 1..ring.len() {
            let leap = ring[n - 1].0 - ring[n].0;
            ring[n].0 += 360.0 * (leap / 360.0).round();
        }
        let middle = ring.iter().map(|(lon, _)| lon).sum::<f64>() / ring.len() as f64;
        let around = 360.0 * ((self.west + self.span / 2.0 - middle) / 360.0).round();
        ring.into_iter().map(|(lon, lat)| self.at(lon + around, lat)).collect()
    }

    pub(super) fn at(&self, lon: f64, lat: f64) -> (f64, f64) {
        let x = self.degrees(lon - self.west) / self.degrees(self.span) * self.width as f64;
        let down = tan_half(self.north) - tan_half(lat.max(-89.0));
        (x, down / (tan_half(self.north) - tan_half(self.south)) * self.height as f64)
    }

    /// Longitude of a column.
    pub(super) fn longitude(&self, x: f64) -> f64 {
        let wanted = x / self.width as f64 * self.degrees(self.span);
        let (mut low, mut high) = (0.0, self.span);
        for _ in 0..50 {
            let middle = (low + high) / 2.0;
            if self.degrees(middle) < wanted {
                low = middle;
            } else {
                high = middle;
            }
        }
        let lon = self.west + low;
        if lon > 180.0 { lon - 360.0 } else { lon }
    }

    /// Latitude of a row.
    pub(super) fn latitude(&self, y: f64) -> f64 {
        let part = y / self.height as f64;
        let tan = tan_half(self.north) - part * (tan_half(self.north) - tan_half(self.south));
        2.0 * tan.atan().to_degrees()
    }
}

fn tan_half(lat: f64) -> f64 {
    (lat.to_radians() / 2.0).tan()
}
