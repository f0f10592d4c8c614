//! Limits by name: the ones that `--limit`, `--program-limit` and `--team-limit` set and the documents list.

use std::fmt::Debug;
use std::time::Duration;

use thiserror::Error;

/// Type of a limit's value.
pub trait Quantity: Debug {
    /// The value; a time is in seconds.
    fn get(&self) -> u64;
    /// Sets the value; `false` if it is too large for the type.
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

/// One limit, by its name.
///
/// The suffix of the name determines the unit of the number that people write: `-kib` and `-mib` are 1,024 and
/// 1,048,576 bytes; without them the unit is 1.
#[derive(Debug)]
pub struct Limit<'a> {
    /// Name of the limit, as people write it.
    pub name: &'static str,
    /// Value of the limit.
    pub value: &'a mut dyn Quantity,
}

impl Limit<'_> {
    /// Factor from the unit that people write to the unit of the value.
    pub fn unit(&self) -> u64 {
        match self.name.rsplit('-').next() {
            Some("kib") => 1 << 10,
            Some("mib") => 1 << 20,
            _ => 1,
        }
    }
}

/// Reason for which a limit can't be set by name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LimitError {
    /// The text has no `=`.
    #[error("`{0}` is not NAME=VALUE")]
    Form(String),
    /// No limit has that name.
    #[error("there is no limit `{name}`; the limits are {names}", names = names.join(", "))]
    Name {
        /// Name in the text.
        name: String,
        /// Names of all limits.
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

/// A set of named limits.
pub trait NamedLimits: Default {
    /// Every limit, in the order of its document.
    fn limits(&mut self) -> Vec<Limit<'_>>;

    /// Sets a limit from `NAME=VALUE`, as on the command line.
    ///
    /// # Errors
    /// [`LimitError`] for an invalid text; no limit is changed then.
    fn set_limit(&mut self, setting: &str) -> Result<(), LimitError> {
        let (name, text) = setting.split_once('=').ok_or_else(|| LimitError::Form(setting.to_owned()))?;
        let mut limits = self.limits();
        let Some(index) = limits.iter().position(|limit| limit.name == name) else {
            let names = limits.iter().map(|limit| limit.name).collect();
            return Err(LimitError::Name { name: name.to_owned(), names });
        };
        let limit = &mut limits[index];
        let number = text.parse::<u32>().ok().filter(|number| *number > 0).map(u64::from);
        let is_set = number.is_some_and(|number| limit.value.set(number * limit.unit()));
        is_set
            .then_some(())
            .ok_or_else(|| LimitError::Value { name: name.to_owned(), value: text.to_owned() })
    }

    /// Default of every limit, in the unit that people write.
    fn defaults() -> Vec<(&'static str, u64)> {
        let mut defaults = Self::default();
        defaults.limits().iter().map(|limit| (limit.name, limit.value.get() / limit.unit())).collect()
    }
}

/// Defines a set of limits: for each field the name if people can set it, the type and the default.
///
/// ```
/// use grandstand_players::named_limits::NamedLimits as _;
///
/// grandstand_players::limits! {
///     /// Limits on a queue.
///     #[derive(Debug, Clone)]
///     QueueLimits {
///         /// Bytes that may wait. Default 1 KiB.
///         bytes "queue-bytes": u32 = 1024;
///         /// Whether it is compressed. Default yes.
///         compress: bool = true;
///     }
/// }
/// assert_eq!(QueueLimits::defaults(), [("queue-bytes", 1024)]);
/// ```
#[macro_export]
macro_rules! limits {
    ($(#[$docs:meta])* $limits:ident {
        $($(#[$doc:meta])+ $field:ident $($name:literal)?: $type:ty = $default:expr;)+
    }) => {
        $(#[$docs])*
        pub struct $limits {
            $($(#[$doc])+ pub $field: $type,)+
        }

        impl Default for $limits {
            fn default() -> Self {
                Self { $($field: $default,)+ }
            }
        }

        impl $crate::named_limits::NamedLimits for $limits {
            fn limits(&mut self) -> Vec<$crate::named_limits::Limit<'_>> {
                vec![$($($crate::named_limits::Limit { name: $name, value: &mut self.$field },)?)+]
            }
        }
    };
}
