//! Limits by name: what `--limit`, `--program-limit` and `--team-limit` set, and what the documents list.

use std::time::Duration;

use thiserror::Error;

/// A value that a limit can have.
pub trait Quantity {
    /// The value, in seconds where it is a time.
    fn get(&self) -> u64;
    /// Sets the value; `false` if it is too large to be one.
    fn set(&mut self, value: u64) -> bool;
}

macro_rules! whole_numbers {
    ($($number:ty),*) => {$(
        impl Quantity for $number {
            fn get(&self) -> u64 {
                *self as u64
            }

            fn set(&mut self, value: u64) -> bool {
                <$number>::try_from(value).map(|value| *self = value).is_ok()
            }
        }
    )*};
}
whole_numbers!(u32, u64, usize);

impl Quantity for Duration {
    fn get(&self) -> u64 {
        self.as_secs()
    }

    fn set(&mut self, value: u64) -> bool {
        u32::try_from(value).map(|secs| *self = Self::from_secs(secs.into())).is_ok()
    }
}

/// One limit among those of `T`.
///
/// The end of its name tells the unit of the number that people write: `-kib` and `-mib` stand for 1,024 and 1,048,576
/// bytes, everything else for itself.
#[derive(Debug)]
pub struct Limit<T> {
    /// What people call it.
    pub name: &'static str,
    /// Where it is.
    pub at: fn(&mut T) -> &mut dyn Quantity,
}

impl<T> Limit<T> {
    fn unit(&self) -> u64 {
        match self.name.rsplit('-').next() {
            Some("kib") => 1 << 10,
            Some("mib") => 1 << 20,
            _ => 1,
        }
    }
}

/// A limit that was asked for by name can't be set.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LimitError {
    /// There is no `=` in it.
    #[error("`{0}` is not NAME=VALUE")]
    Form(String),
    /// No limit has that name.
    #[error("there is no limit `{name}`; the limits are {names}", names = names.join(", "))]
    Name {
        /// What was asked for.
        name: String,
        /// Those that there are.
        names: Vec<&'static str>,
    },
    /// The value is not a number above zero, or too large.
    #[error("`{value}` is not a value of {name}: expected a whole number from 1 to 4,294,967,295")]
    Value {
        /// The limit.
        name: String,
        /// The value.
        value: String,
    },
}

/// A set of limits, each with a name.
pub trait NamedLimits: Default + Sized + 'static {
    /// Every limit, in the order of its document.
    const LIMITS: &'static [Limit<Self>];

    /// Sets a limit from `NAME=VALUE`, as on the command line.
    ///
    /// # Errors
    /// [`LimitError`] says what is wrong with it; nothing is changed then.
    fn set_limit(&mut self, setting: &str) -> Result<(), LimitError> {
        let (name, text) = setting.split_once('=').ok_or_else(|| LimitError::Form(setting.to_owned()))?;
        let limit = Self::LIMITS.iter().find(|limit| limit.name == name).ok_or_else(|| LimitError::Name {
            name: name.to_owned(),
            names: Self::LIMITS.iter().map(|limit| limit.name).collect(),
        })?;
        let number = text.parse::<u32>().ok().filter(|number| *number > 0).map(u64::from);
        let is_set = number.is_some_and(|number| (limit.at)(self).set(number * limit.unit()));
        is_set
            .then_some(())
            .ok_or_else(|| LimitError::Value { name: name.to_owned(), value: text.to_owned() })
    }

    /// The default of every limit, as people write it: names with numbers in the unit of the name.
    fn defaults() -> Vec<(&'static str, u64)> {
        let mut defaults = Self::default();
        Self::LIMITS
            .iter()
            .map(|limit| (limit.name, (limit.at)(&mut defaults).get() / limit.unit()))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use super::*;
    use crate::config::Config;
    use crate::fortress::limits::TeamLimits;
    use crate::sandbox::Limits;

    fn check<T: NamedLimits + Debug>() {
        for limit in T::LIMITS {
            let name = limit.name;
            let mut limits = T::default();
            assert_eq!(limits.set_limit(&format!("{name}=7777")), Ok(()));
            assert_eq!((limit.at)(&mut limits).get(), 7777 * limit.unit(), "{name}");
            assert_ne!(format!("{limits:?}"), format!("{:?}", T::default()), "{name}");
            for value in ["0", "-1", "x", "", "99999999999"] {
                let error = limits.set_limit(&format!("{name}={value}")).unwrap_err().to_string();
                assert_eq!(
                    error,
                    format!(
                        "`{value}` is not a value of {name}: expected a whole number from 1 to 4,294,967,295"
                    )
                );
            }
        }
        let error = |setting: &str| T::default().set_limit(setting).unwrap_err().to_string();
        assert_eq!(error("lines"), "`lines` is not NAME=VALUE");
        assert!(error("colour=3").starts_with("there is no limit `colour`; the limits are "));
        for limit in T::LIMITS {
            assert!(error("colour=3").contains(limit.name));
        }
    }

    #[test]
    fn every_limit_is_set_by_its_name() {
        check::<Config>();
        check::<Limits>();
        check::<TeamLimits>();
    }

    /// Rows of the form "| `name` | 1,024 … |" of a document.
    fn rows(document: &str) -> Vec<(String, String)> {
        let cells =
            |line: &str| -> Vec<String> { line.split('|').map(|cell| cell.trim().to_owned()).collect() };
        let rows =
            document.lines().filter(|line| line.starts_with('|')).map(cells).filter(|row| row.len() > 3);
        rows.map(|row| (row[1].clone(), row[2].clone())).collect()
    }

    /// The names in a row's first cell and the numbers in its second.
    fn pairs(document: &str) -> Vec<(String, u64)> {
        let mut pairs = Vec::new();
        for (names, values) in rows(document) {
            let names = names.split('`').skip(1).step_by(2).map(str::to_owned);
            let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
            let values = values.split(", ").filter_map(|value| digits(value).parse().ok());
            pairs.extend(names.zip(values));
        }
        pairs
    }

    #[test]
    fn the_tables_of_the_documents_have_every_default() {
        let documents = [
            (include_str!("../HTTP.md"), Config::defaults()),
            (include_str!("../SANDBOX.md"), Limits::defaults()),
        ];
        for (document, defaults) in documents {
            let pairs = pairs(document);
            for (name, value) in defaults {
                assert!(pairs.contains(&(name.to_owned(), value)), "{name} is {value}");
            }
        }
    }

    /// The rows of a table of limits, as they stand in `server/SECURITY.md`.
    fn table() -> String {
        let thousands = |number: u64| {
            let digits = number.to_string();
            let groups: Vec<&str> =
                digits.as_bytes().rchunks(3).rev().filter_map(|group| str::from_utf8(group).ok()).collect();
            groups.join(",")
        };
        let sets = [
            ("--limit", Config::defaults()),
            ("--program-limit", Limits::defaults()),
            ("--team-limit", TeamLimits::defaults()),
        ];
        let rows = sets.into_iter().flat_map(|(option, limits)| {
            limits
                .into_iter()
                .map(move |(name, value)| format!("| `{option}` | `{name}` | {} |\n", thousands(value)))
        });
        rows.collect()
    }

    #[test]
    fn the_page_on_security_has_every_limit_with_its_default() {
        let page = include_str!("../SECURITY.md");
        assert!(
            page.contains(&format!("| --- | --- | --- |\n{}", table())),
            "the table is now:\n{}",
            table()
        );
    }
}
