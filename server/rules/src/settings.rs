//! Settings of a match: a struct whose fields have names, defaults and ranges.

use thiserror::Error;

/// A setting that is out of its range.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{name} is {found}; expected a number from {least} to {most}")]
pub struct OutOfRange {
    /// The name of the setting in a file.
    pub name: &'static str,
    /// The value.
    pub found: i128,
    /// The least valid value.
    pub least: i128,
    /// The greatest valid value.
    pub most: i128,
}

impl OutOfRange {
    /// Checks that `found` is at least `least` and at most `most`.
    pub(crate) fn check(name: &'static str, found: i128, [least, most]: [i128; 2]) -> Result<(), Self> {
        if (least..=most).contains(&found) { Ok(()) } else { Err(Self { name, found, least, most }) }
    }
}

/// Defines the settings of a game: field, name in a file, type, default and, for a number that has one, its range.
macro_rules! settings {
    ($(#[$docs:meta])* $settings:ident {
        $($(#[$doc:meta])+ $field:ident $name:literal: $type:ty = $default:expr $(, $least:literal..=$most:literal)?;)+
    }) => {
        $(#[$docs])*
        #[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct $settings {
            $($(#[$doc])+ #[serde(rename = $name)] pub $field: $type,)+
        }

        impl Default for $settings {
            fn default() -> Self {
                Self { $($field: $default,)+ }
            }
        }

        impl $settings {
            /// Checks that every number is in its range, in the order of the fields.
            fn check_ranges(&self) -> Result<(), $crate::settings::OutOfRange> {
                $($($crate::settings::OutOfRange::check($name, self.$field.into(), [$least, $most])?;)?)+
                Ok(())
            }
        }
    };
}

pub(crate) use settings;
