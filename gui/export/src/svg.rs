//! The SVG writer: shapes and outlines of letters. The result needs no fonts and is sharp at any size.

use std::fmt::Write;

use egui::Color32;
use grandstand_board::pixels::Size;
use grandstand_board::pixels::shapes::{Clip, Item, Outline, Point, STEPS, ShapeList, Verb, Vertex, rounded};

/// Writes the picture as a document. `title` describes it for people who can't see it.
pub(super) fn write(picture: &ShapeList, title: &str) -> String {
    let Size { width, height } = picture.size;
    let mut writer = Writer::default();
    for item in &picture.items {
        writer.item(item, picture.area());
    }
    writer.end_group();
    let Writer { body, defs, .. } = writer;
    let defs = if defs.is_empty() { defs } else { format!("<defs>\n{defs}</defs>\n") };
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\">\n<title>{}</title>\n{defs}\
         <rect width=\"{width}\" height=\"{height}\"{}/>\n{body}</svg>\n",
        escaped(title),
        fill(picture.ground),
    )
}

/// Escapes text for use between tags. Characters that XML can't contain are left out.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\t' | '\n' | '\r' => out.push(' '),
            c if c.is_control() || matches!(u32::from(c), 0xfffe | 0xffff) => {}
            c => out.push(c),
        }
    }
    out
}

#[derive(Default)]
struct Writer {
    body: String,
    defs: String,
    /// The clip of the current group.
    clip: Option<Clip>,
    clips: Vec<Clip>,
    gradients: usize,
}

impl Writer {
    fn item(&mut self, item: &Item, area: Clip) {
        self.clip(item.clip.filter(|clip| !clip.holds(area)));
        let mut paint = fill(item.fill);
        if let Some(pen) = item.pen {
            let _ = write!(paint, " stroke=\"{}\" stroke-width=\"{}\"", hex(pen.color), number(pen.width));
            if let Some(opacity) = opacity(pen.color) {
                let _ = write!(paint, " stroke-opacity=\"{opacity}\"");
            }
            // Corners sharper than a right angle are cut off.
            if matches!(item.outline, Outline::Polygon { .. } | Outline::Curve(_)) {
                paint.push_str(" stroke-miterlimit=\"1.42\"");
            }
        }
        let body = &mut self.body;
        // Writing into a string does not fail.
        let _ = match &item.outline {
            Outline::Circle { center, radius } => writeln!(
                body,
                "<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{paint}/>",
                number(center.x),
                number(center.y),
                number(*radius)
            ),
            Outline::Rect { min, max, radii: [a, b, c, d] } if a == b && b == c && c == d => {
                let round = if *a > 0 { format!(" rx=\"{}\"", number(*a)) } else { String::new() };
                writeln!(
                    body,
                    "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{round}{paint}/>",
                    number(min.x),
                    number(min.y),
                    number(max.x - min.x),
                    number(max.y - min.y)
                )
            }
            Outline::Rect { min, max, radii } => {
                let (x, y) = (min.pixels(), max.pixels());
                let rect = egui::Rect::from_min_max(x.into(), y.into());
                let radii = radii.map(|radius| radius as f32 / STEPS as f32);
                let verbs = rounded(rect, radii, Point::at);
                writeln!(body, "<path d=\"{}\"{paint}/>", path(&verbs))
            }
            Outline::Polygon { points, closed } => {
                let mut data = Data::default();
                for (index, point) in points.iter().enumerate() {
                    data.part(if index == 0 { 'M' } else { 'L' }, &[*point]);
                }
                if *closed {
                    data.close();
                }
                writeln!(body, "<path d=\"{}\"{paint}/>", data.text)
            }
            Outline::Curve(verbs) | Outline::Text(verbs) => {
                writeln!(body, "<path d=\"{}\"{paint}/>", path(verbs))
            }
            Outline::Triangles(triangles) => {
                self.triangles(triangles);
                Ok(())
            }
        };
    }

    /// Puts the items that follow into a group with the clip `clip`.
    fn clip(&mut self, clip: Option<Clip>) {
        if self.clip == clip {
            return;
        }
        self.end_group();
        self.clip = clip;
        let Some(clip) = clip else { return };
        let known = self.clips.iter().position(|known| *known == clip);
        let number = known.unwrap_or_else(|| {
            let Clip { left, top, right, bottom } = clip;
            let _ = writeln!(
                self.defs,
                "<clipPath id=\"c{}\"><rect x=\"{left}\" y=\"{top}\" width=\"{}\" height=\"{}\"/></clipPath>",
                self.clips.len(),
                right - left,
                bottom - top
            );
            self.clips.push(clip);
            self.clips.len() - 1
        });
        let _ = writeln!(self.body, "<g clip-path=\"url(#c{number})\">");
    }

    fn end_group(&mut self) {
        if self.clip.take().is_some() {
            self.body.push_str("</g>\n");
        }
    }

    /// Writes triangles. Triangles of one plain colour become one path per colour. A disc whose colour changes from a place inside it
    /// to its rim becomes two layers: one gradient along the rim, and one towards the rim. Any other triangle gets a linear gradient.
    fn triangles(&mut self, triangles: &[[Vertex; 3]]) {
        if let Some(disc) = Disc::of(triangles) {
            return self.disc(&disc);
        }
        let mut plain: Option<(Color32, Data)> = None;
        let mut rest = triangles;
        while let [first, after @ ..] = rest {
            let [a, b, c] = *first;
            // A rectangle consists of two triangles.
            let fourth = match after {
                [[e, f, d], ..] if *e == a && *f == c && right_angles([a.at, b.at, c.at, d.at]) => Some(*d),
                _ => None,
            };
            let color = a.color;
            let is_plain = [b, c].into_iter().chain(fourth).all(|vertex| vertex.color == color);
            let corners: Vec<Point> = [a, b, c].into_iter().chain(fourth).map(|vertex| vertex.at).collect();
            if is_plain {
                if plain.as_ref().is_none_or(|(last, _)| *last != color) {
                    self.plain(plain.take());
                }
                plain.get_or_insert_with(|| (color, Data::default())).1.polygon(&corners);
                rest = if fourth.is_some() { &after[1..] } else { after };
                continue;
            }
            self.plain(plain.take());
            let flows = fourth.filter(|d| a.color == b.color && c.color == d.color);
            let (from, to, corners) = match flows {
                Some(d) => (a, d, corners),
                None => {
                    let (from, to) = flow([a, b, c]);
                    (from, to, vec![a.at, b.at, c.at])
                }
            };
            rest = if flows.is_some() { &after[1..] } else { after };
            let ends = format!(
                " x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"",
                number(from.at.x),
                number(from.at.y),
                number(to.at.x),
                number(to.at.y)
            );
            let id = self.gradient("linear", &ends, &[(0, from.color), (100, to.color)]);
            let mut data = Data::default();
            data.polygon(&corners);
            let path = data.text;
            let _ = writeln!(
                self.body,
                "<path d=\"{path}\" fill=\"url(#g{id})\" shape-rendering=\"crispEdges\"/>"
            );
        }
        self.plain(plain);
    }

    fn plain(&mut self, path: Option<(Color32, Data)>) {
        if let Some((color, data)) = path {
            let paint = fill(color);
            let _ = writeln!(self.body, "<path d=\"{}\"{paint} shape-rendering=\"crispEdges\"/>", data.text);
        }
    }

    fn disc(&mut self, disc: &Disc) {
        let Disc { focus, rim, center, radius } = disc;
        let (x, y, r) = (number(center.x), number(center.y), number(*radius));
        let alpha = focus.color.a();
        let solid = |color: Color32| {
            let [r, g, b, _] = color.to_srgba_unmultiplied();
            Color32::from_rgb(r, g, b)
        };
        let wrapped = alpha < 255;
        if wrapped {
            let _ = writeln!(self.body, "<g opacity=\"{}\">", part(alpha));
        }
        let around = format!(
            " cx=\"{x}\" cy=\"{y}\" r=\"{r}\" fx=\"{}\" fy=\"{}\"",
            number(focus.at.x),
            number(focus.at.y)
        );
        let own = solid(focus.color);
        let even = rim.iter().all(|vertex| vertex.color == rim[0].color);
        let end = if even {
            solid(rim[0].color)
        } else {
            // From the brightest place of the rim to the opposite place.
            let light = |vertex: &Vertex| {
                vertex.color.to_array()[..3].iter().map(|part| u32::from(*part)).sum::<u32>()
            };
            let brightest = (0..rim.len()).max_by_key(|index| light(&rim[*index])).unwrap_or(0);
            let at = |quarters: usize| rim[(brightest + rim.len() * quarters / 4) % rim.len()];
            let ends = format!(
                " x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"",
                number(at(0).at.x),
                number(at(0).at.y),
                number(at(2).at.x),
                number(at(2).at.y)
            );
            let stops = [(0, solid(at(0).color)), (50, solid(at(1).color)), (100, solid(at(2).color))];
            let id = self.gradient("linear", &ends, &stops);
            let _ = writeln!(self.body, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\" fill=\"url(#g{id})\"/>");
            Color32::TRANSPARENT
        };
        let id = self.gradient("radial", &around, &[(0, own), (100, end)]);
        let _ = writeln!(self.body, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\" fill=\"url(#g{id})\"/>");
        if wrapped {
            self.body.push_str("</g>\n");
        }
    }

    /// Writes a gradient and returns its number. A transparent end takes the colour of the other end.
    fn gradient(&mut self, kind: &str, place: &str, stops: &[(u8, Color32)]) -> usize {
        let id = self.gradients;
        self.gradients += 1;
        let _ = write!(self.defs, "<{kind}Gradient id=\"g{id}\" gradientUnits=\"userSpaceOnUse\"{place}>");
        let seen = stops.iter().map(|(_, color)| *color).find(|color| color.a() > 0);
        for (offset, color) in stops {
            let shown = if color.a() > 0 { *color } else { seen.unwrap_or(*color) };
            let _ = write!(self.defs, "<stop offset=\"{offset}%\" stop-color=\"{}\"", hex(shown));
            if let Some(opacity) = opacity(*color) {
                let _ = write!(self.defs, " stop-opacity=\"{opacity}\"");
            }
            self.defs.push_str("/>");
        }
        let _ = writeln!(self.defs, "</{kind}Gradient>");
        id
    }
}

/// Triangles around one corner that form a disc.
struct Disc {
    focus: Vertex,
    rim: Vec<Vertex>,
    center: Point,
    radius: i32,
}

impl Disc {
    fn of(triangles: &[[Vertex; 3]]) -> Option<Disc> {
        let focus = triangles.first()?[0];
        let next = triangles.iter().skip(1).chain(triangles.first());
        let closed = triangles.iter().zip(next).all(|(one, next)| one[0] == focus && one[2] == next[1]);
        if triangles.len() < 8 || !closed {
            return None;
        }
        let rim: Vec<Vertex> = triangles.iter().map(|[_, vertex, _]| *vertex).collect();
        let count = rim.len() as i64;
        let mean = |sum: i64| (sum / count) as i32;
        let center = Point {
            x: mean(rim.iter().map(|vertex| i64::from(vertex.at.x)).sum()),
            y: mean(rim.iter().map(|vertex| i64::from(vertex.at.y)).sum()),
        };
        let far = |vertex: &Vertex| {
            let (x, y) = (f64::from(vertex.at.x - center.x), f64::from(vertex.at.y - center.y));
            (x * x + y * y).sqrt()
        };
        let radius = far(&rim[0]);
        let round = rim.iter().all(|vertex| (far(vertex) - radius).abs() <= radius * 0.02 + 8.0);
        let alike = rim.iter().all(|vertex| vertex.color.a() == focus.color.a());
        (round && alike).then_some(Disc { focus, rim, center, radius: radius as i32 })
    }
}

/// The two ends of the linear gradient of a triangle: from one corner to the opposite side. The side is the one whose ends are most
/// alike.
fn flow(corners: [Vertex; 3]) -> (Vertex, Vertex) {
    let apart = |a: Color32, b: Color32| {
        let parts = a.to_array().into_iter().zip(b.to_array());
        parts.map(|(a, b)| u32::from(a.abs_diff(b))).sum::<u32>()
    };
    let turned = (0..3).map(|n| [corners[n], corners[(n + 1) % 3], corners[(n + 2) % 3]]);
    let [from, a, b] = turned.min_by_key(|[_, a, b]| apart(a.color, b.color)).unwrap_or(corners);
    // The foot of the perpendicular from the corner to that side.
    let (x, y) = (i64::from(b.at.x - a.at.x), i64::from(b.at.y - a.at.y));
    let (to_x, to_y) = (i64::from(from.at.x - a.at.x), i64::from(from.at.y - a.at.y));
    let (along, length) = (x * to_x + y * to_y, (x * x + y * y).max(1));
    let at = Point { x: a.at.x + (x * along / length) as i32, y: a.at.y + (y * along / length) as i32 };
    (from, Vertex { at, color: super::middle(a.color, b.color) })
}

fn right_angles([a, b, c, d]: [Point; 4]) -> bool {
    let level = a.y == b.y && c.y == d.y && a.x == d.x && b.x == c.x;
    let upright = a.x == b.x && c.x == d.x && a.y == d.y && b.y == c.y;
    level || upright
}

/// The data of a path. Positions are relative to the one before, which is shorter.
#[derive(Debug, Default)]
struct Data {
    text: String,
    last: Point,
    start: Point,
}

impl Data {
    fn part(&mut self, letter: char, points: &[Point]) {
        let begin = self.text.is_empty();
        self.text.push(if begin { letter } else { letter.to_ascii_lowercase() });
        // Positions are rounded to hundredths before the difference is taken, so rounding errors do not add up.
        let from = if begin { Point::default() } else { self.last };
        for (index, point) in points.iter().enumerate() {
            let x = hundredths(point.x) - hundredths(from.x);
            let y = hundredths(point.y) - hundredths(from.y);
            if index > 0 && x >= 0 {
                self.text.push(' ');
            }
            push(&mut self.text, x);
            if y >= 0 {
                self.text.push(' ');
            }
            push(&mut self.text, y);
        }
        if let Some(last) = points.last() {
            self.last = *last;
            if letter == 'M' {
                self.start = *last;
            }
        }
    }

    fn close(&mut self) {
        self.text.push('z');
        self.last = self.start;
    }

    /// A closed polygon with the same orientation as every other one, so that no gap shows where two meet.
    fn polygon(&mut self, points: &[Point]) {
        let next = points.iter().skip(1).chain(points.first());
        let pairs = points.iter().zip(next);
        let area: i64 =
            pairs.map(|(a, b)| i64::from(a.x) * i64::from(b.y) - i64::from(b.x) * i64::from(a.y)).sum();
        let put = |data: &mut Data, index: usize, point: &Point| {
            data.part(if index == 0 { 'M' } else { 'L' }, &[*point]);
        };
        if area < 0 {
            points.iter().rev().enumerate().for_each(|(index, point)| put(self, index, point));
        } else {
            points.iter().enumerate().for_each(|(index, point)| put(self, index, point));
        }
        self.close();
    }
}

fn path(verbs: &[Verb]) -> String {
    let mut data = Data::default();
    for verb in verbs {
        match *verb {
            Verb::Move(to) => data.part('M', &[to]),
            Verb::Line(to) => data.part('L', &[to]),
            Verb::Quad(a, to) => data.part('Q', &[a, to]),
            Verb::Cubic(a, b, to) => data.part('C', &[a, b, to]),
            Verb::Close => data.close(),
        }
    }
    data.text
}

fn hundredths(steps: i32) -> i32 {
    (steps * 100 + STEPS / 2).div_euclid(STEPS)
}

/// A length in pixels, rounded to hundredths.
fn number(steps: i32) -> String {
    let mut text = String::new();
    push(&mut text, hundredths(steps));
    text
}

fn push(text: &mut String, hundredths: i32) {
    let (whole, part) = (hundredths.abs() / 100, hundredths.abs() % 100);
    if hundredths < 0 {
        text.push('-');
    }
    let _ = match part {
        0 => write!(text, "{whole}"),
        _ if part % 10 == 0 => write!(text, "{whole}.{}", part / 10),
        _ => write!(text, "{whole}.{part:02}"),
    };
}

fn fill(color: Color32) -> String {
    if color == Color32::TRANSPARENT {
        return " fill=\"none\"".to_owned();
    }
    let opacity = opacity(color).map(|opacity| format!(" fill-opacity=\"{opacity}\""));
    format!(" fill=\"{}\"{}", hex(color), opacity.unwrap_or_default())
}

fn hex(color: Color32) -> String {
    let [r, g, b, _] = color.to_srgba_unmultiplied();
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// The opacity of a colour, unless it is fully opaque.
fn opacity(color: Color32) -> Option<String> {
    (color.a() < 255).then(|| part(color.a()))
}

/// Converts 0 to 255 into 0 to 1.
fn part(alpha: u8) -> String {
    let thousandths = (u32::from(alpha) * 1000 + 127) / 255;
    if thousandths == 1000 { "1".to_owned() } else { format!(".{thousandths:03}") }
}
