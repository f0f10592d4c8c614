//! Values as they are passed to and from the world.

use std::fmt;

/// The most array elements and parts of pairs in one request or answer, including nested ones.
pub const DATUM_ELEMENTS: usize = 4096;
/// The deepest nesting of arrays and pairs in a request, an answer or a final value, not counting nesting in right halves only.
pub const DATUM_DEPTH: usize = 16;

/// A value as it is passed to and from the world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Datum {
    /// An integer.
    Int(i64),
    /// An array: its elements up to the highest index that was ever written.
    Array(Vec<Datum>),
    /// A pair, flattened along its right halves: `(1, (2, 3))` is 1, 2, 3, and the list `[1, 2]` is 1, 2, 0. So there
    /// are at least two parts, and the last one is no pair: [`Datum::pair`] and [`Datum::list`] ensure this.
    Pair(Vec<Datum>),
    /// A value without meaning outside of its thread: a function or a cell; in a thread's final value also anything too large to show.
    Opaque,
}

impl Datum {
    /// The pair of two values.
    pub fn pair(left: Datum, right: Datum) -> Datum {
        let mut parts = vec![left];
        match right {
            Datum::Pair(others) => parts.extend(others),
            right => parts.push(right),
        }
        Datum::Pair(parts)
    }

    /// An RCL list: pairs of an element and the rest, which ends with 0.
    pub fn list(elements: impl IntoIterator<Item = Datum>) -> Datum {
        let mut parts: Vec<Datum> = elements.into_iter().collect();
        if parts.is_empty() {
            return Datum::Int(0);
        }
        parts.push(Datum::Int(0));
        Datum::Pair(parts)
    }

    /// The elements of an RCL list; `None` for any other value.
    pub fn elements(&self) -> Option<&[Datum]> {
        match self {
            Datum::Int(0) => Some(&[]),
            Datum::Pair(parts) => match parts.split_last() {
                Some((Datum::Int(0), elements)) => Some(elements),
                _ => None,
            },
            _ => None,
        }
    }

    /// A text in CL's representation: an array of character codes.
    pub fn text(text: &str) -> Datum {
        Datum::Array(codes(text).collect())
    }

    /// A text in RCL's representation: a list of character codes.
    pub fn text_list(text: &str) -> Datum {
        Datum::list(codes(text))
    }

    /// The same value limited to [`DATUM_ELEMENTS`] and [`DATUM_DEPTH`]: parts beyond them become zero.
    #[must_use]
    pub(crate) fn cut(self) -> Datum {
        let mut left = DATUM_ELEMENTS;
        self.cut_to(DATUM_DEPTH, &mut left)
    }

    fn cut_to(self, depth: usize, left: &mut usize) -> Datum {
        let mut inner = |parts: Vec<Datum>| -> Option<Vec<Datum>> {
            if depth == 0 || parts.len() > *left {
                return None;
            }
            *left -= parts.len();
            Some(parts.into_iter().map(|part| part.cut_to(depth - 1, left)).collect())
        };
        match self {
            Datum::Array(elements) => inner(elements).map_or(Datum::Int(0), Datum::Array),
            Datum::Pair(parts) => inner(parts).map_or(Datum::Int(0), Datum::Pair),
            other => other,
        }
    }
}

fn codes(text: &str) -> impl Iterator<Item = Datum> {
    text.chars().map(|c| Datum::Int(i64::from(u32::from(c))))
}

impl fmt::Display for Datum {
    /// Writes the languages' notation. Functions and cells are `<opaque>`; nested pairs that end with 0 are written as a list.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Datum::Int(value) if *value < 0 => write!(f, "~{}", value.unsigned_abs()),
            Datum::Int(value) => write!(f, "{value}"),
            Datum::Opaque => f.write_str("<opaque>"),
            // A single element in parentheses would denote the element itself.
            Datum::Array(elements) if elements.len() == 1 => write!(f, "()[0 := {}]", elements[0]),
            Datum::Array(elements) => separated(elements, "(", ", ", f, ")"),
            Datum::Pair(parts) => match self.elements() {
                Some(elements) if elements.len() > 1 => separated(elements, "[", ", ", f, "]"),
                _ => {
                    let (last, others) = parts.split_last().ok_or(fmt::Error)?;
                    separated(others, "(", ", (", f, "")?;
                    write!(f, ", {last}{}", ")".repeat(others.len()))
                }
            },
        }
    }
}

fn separated(
    parts: &[Datum],
    before: &str,
    between: &str,
    f: &mut fmt::Formatter<'_>,
    after: &str,
) -> fmt::Result {
    f.write_str(before)?;
    for (index, part) in parts.iter().enumerate() {
        f.write_str(if index == 0 { "" } else { between })?;
        write!(f, "{part}")?;
    }
    f.write_str(after)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ints(values: &[i64]) -> Vec<Datum> {
        values.iter().copied().map(Datum::Int).collect()
    }

    #[test]
    fn pairs_are_spread_along_their_right_halves() {
        let pair = Datum::pair(Datum::Int(1), Datum::pair(Datum::Int(2), Datum::Int(3)));
        assert_eq!(pair, Datum::Pair(ints(&[1, 2, 3])));
        assert_eq!(pair.elements(), None);
        assert_eq!(Datum::list(ints(&[1, 2])), Datum::Pair(ints(&[1, 2, 0])));
        assert_eq!(Datum::list(ints(&[1, 2])).elements(), Some(ints(&[1, 2]).as_slice()));
        assert_eq!(Datum::list([]), Datum::Int(0));
        assert_eq!(Datum::Int(0).elements(), Some([].as_slice()));
        assert_eq!(Datum::text_list("hi").elements(), Some(ints(&[104, 105]).as_slice()));
    }

    #[test]
    fn values_are_shown_as_the_languages_write_them() {
        let shown = |datum: Datum| datum.to_string();
        assert_eq!(shown(Datum::Array(ints(&[1, -2]))), "(1, ~2)");
        assert_eq!(shown(Datum::Array(ints(&[1]))), "()[0 := 1]");
        assert_eq!(shown(Datum::pair(Datum::Int(3), Datum::Int(0))), "(3, 0)");
        assert_eq!(shown(Datum::Pair(ints(&[1, 2, 3, 4]))), "(1, (2, (3, 4)))");
        assert_eq!(shown(Datum::list(ints(&[1, 2, 3]))), "[1, 2, 3]");
        let nested = Datum::list([Datum::pair(Datum::Int(1), Datum::Opaque), Datum::list(ints(&[4, 5]))]);
        assert_eq!(shown(nested), "[(1, <opaque>), [4, 5]]");
    }

    #[test]
    fn what_is_too_large_is_cut() {
        let long = Datum::list(ints(&[7; DATUM_ELEMENTS]));
        assert_eq!(long.cut(), Datum::Int(0));
        let long = Datum::list(ints(&[7; DATUM_ELEMENTS - 1]));
        assert_eq!(long.clone().cut(), long);
        let deep = (0..20).fold(Datum::Int(5), |inner, _| Datum::pair(inner, Datum::Int(1)));
        let (mut datum, mut depth) = (deep.cut(), 0);
        while let Datum::Pair(mut parts) = datum {
            (datum, depth) = (parts.remove(0), depth + 1);
        }
        assert_eq!((datum, depth), (Datum::Int(0), DATUM_DEPTH));
    }
}
