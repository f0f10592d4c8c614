//! Grid of cells that belong to a territory or to the sea.

use std::collections::BTreeMap;

/// Water with fewer cells belongs to the land around it.
const POND: usize = 700;

pub(super) struct Grid {
    pub width: usize,
    pub height: usize,
    cells: Vec<Option<u8>>,
}

impl Grid {
    pub(super) fn new(width: usize, height: usize) -> Grid {
        Grid { width, height, cells: vec![None; width * height] }
    }

    /// Territory of a cell; `None` outside of the grid.
    pub(super) fn at(&self, x: i32, y: i32) -> Option<u8> {
        let (x, y) = (usize::try_from(x).ok()?, usize::try_from(y).ok()?);
        if x < self.width && y < self.height { self.cells[y * self.width + x] } else { None }
    }

    /// Fills the cells with their middle inside of an odd number of rings.
    pub(super) fn fill(&mut self, rings: &[Vec<(f64, f64)>], territory: impl Fn(usize, usize) -> Option<u8>) {
        let points = || rings.iter().flatten();
        let top = points().map(|(_, y)| *y).fold(f64::INFINITY, f64::min).max(0.0) as usize;
        let bottom = points().map(|(_, y)| *y).fold(0.0, f64::max).min(self.height as f64) as usize;
        for row in top..self.height.min(bottom + 1) {
            let y = row as f64 + 0.5;
            let mut crossings = Vec::new();
            for ring in rings {
                for (n, (x1, y1)) in ring.iter().enumerate() {
                    let (x2, y2) = ring[(n + 1) % ring.len()];
                    if (*y1 <= y) != (y2 <= y) {
                        crossings.push(x1 + (y - y1) / (y2 - y1) * (x2 - x1));
                    }
                }
            }
            crossings.sort_by(f64::total_cmp);
            for pair in crossings.chunks_exact(2) {
                let cell = |x: f64| (x - 0.5).ceil().clamp(0.0, self.width as f64) as usize;
                for column in cell(pair[0])..cell(pair[1]) {
                    if let Some(number) = territory(column, row) {
                        self.cells[row * self.width + column] = Some(number);
                    }
                }
            }
        }
    }

    /// Removes small islands and ponds, and small parts of a territory inside of others.
    pub(super) fn clean(&mut self, smallest: usize) {
        let mut seen = vec![false; self.cells.len()];
        for start in 0..self.cells.len() {
            if seen[start] {
                continue;
            }
            let own = self.cells[start];
            let (part, around) = self.component(start, &mut seen);
            let most = around.into_iter().max_by_key(|(_, count)| *count).and_then(|(other, _)| other);
            let least = if own.is_some() { smallest } else { POND };
            if part.len() < least {
                part.into_iter().for_each(|cell| self.cells[cell] = most);
            }
        }
    }

    /// Cells of the same kind connected with `start`, and the numbers of its borders with other kinds.
    fn component(&self, start: usize, seen: &mut [bool]) -> (Vec<usize>, BTreeMap<Option<u8>, usize>) {
        let own = self.cells[start];
        let mut around = BTreeMap::new();
        let mut part = vec![start];
        seen[start] = true;
        let mut next = 0;
        while let Some(cell) = part.get(next).copied() {
            next += 1;
            for neighbour in self.neighbours(cell) {
                if self.cells[neighbour] != own {
                    *around.entry(self.cells[neighbour]).or_default() += 1;
                } else if !seen[neighbour] {
                    seen[neighbour] = true;
                    part.push(neighbour);
                }
            }
        }
        (part, around)
    }

    fn neighbours(&self, cell: usize) -> impl Iterator<Item = usize> {
        let (x, y) = (cell % self.width, cell / self.width);
        let near = [
            (x > 0).then(|| cell - 1),
            (x + 1 < self.width).then_some(cell + 1),
            (y > 0).then(|| cell - self.width),
            (y + 1 < self.height).then_some(cell + self.width),
        ];
        near.into_iter().flatten()
    }

    /// For each territory the cell farthest from its borders.
    pub(super) fn seats(&self, territories: usize) -> Vec<Option<(i32, i32)>> {
        // Distances from the borders, with costs 5 for straight and 7 for diagonal steps, in two passes over the grid.
        let mut far = vec![0_i32; self.cells.len()];
        for backwards in [false, true] {
            for step in 0..self.cells.len() {
                let cell = if backwards { self.cells.len() - 1 - step } else { step };
                if self.cells[cell].is_none() {
                    continue;
                }
                let (x, y) = ((cell % self.width) as i32, (cell / self.width) as i32);
                let way = if backwards { 1 } else { -1 };
                let before = [(way, 0, 5), (0, way, 5), (way, way, 7), (-way, way, 7)];
                let value = |(right, down, cost): (i32, i32, i32)| {
                    let (x, y) = (x + right, y + down);
                    let same = self.at(x, y) == self.cells[cell];
                    if same { far[y as usize * self.width + x as usize] + cost } else { cost }
                };
                let least = before.into_iter().map(value).min().unwrap_or(0);
                far[cell] = if backwards { far[cell].min(least) } else { least };
            }
        }
        let mut best = vec![(0, None); territories];
        for (cell, territory) in self.cells.iter().enumerate() {
            if let Some(number) = territory
                && far[cell] > best[usize::from(*number)].0
            {
                let at = ((cell % self.width) as i32, (cell / self.width) as i32);
                best[usize::from(*number)] = (far[cell], Some(at));
            }
        }
        best.into_iter().map(|(_, at)| at).collect()
    }
}
