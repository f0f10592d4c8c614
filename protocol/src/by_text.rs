//! Trait implementations shared by types that are written as text, and the error for unreadable text.

use std::borrow::Cow;

use crate::text::shorten;

/// Implements JSON serialization as the string that `Display` writes, and deserialization with `FromStr`.
macro_rules! json_by_text {
    ($type:ty) => {
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }
        $crate::by_text::from_json_by_text!($type);
    };
}

/// Implements JSON deserialization from the string that `FromStr` reads.
macro_rules! from_json_by_text {
    ($type:ty) => {
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                let text: String = serde::Deserialize::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

/// Implements `FromStr` for an enum of [`words!`](crate::words).
macro_rules! named_by_text {
    ($type:ty, $kind:literal) => {
        impl $type {
            /// The list of names for error messages.
            pub(crate) fn expected() -> String {
                $crate::text::alternatives(&<$type>::ALL.map(<$type>::name))
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::ParseError;

            fn from_str(name: &str) -> Result<$type, $crate::ParseError> {
                let error = || $crate::ParseError::new(name, $kind, <$type>::expected());
                <$type>::named(name).ok_or_else(error)
            }
        }
    };
}

/// A text that can't be read as the expected kind of value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not {kind}: expected {expected}")]
pub struct ParseError {
    text: String,
    kind: &'static str,
    expected: Cow<'static, str>,
}

impl ParseError {
    pub(crate) fn new(text: &str, kind: &'static str, expected: impl Into<Cow<'static, str>>) -> ParseError {
        ParseError { text: shorten(text, 40), kind, expected: expected.into() }
    }
}

/// Implements `Deref<Target = str>` and `Display` for a wrapper of text.
macro_rules! like_str {
    ($type:ty) => {
        impl std::ops::Deref for $type {
            type Target = str;

            fn deref(&self) -> &str {
                &self.0
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(&self.0)
            }
        }
    };
}

/// Defines an enum of words: its names, `ALL`, `name`, `named`, `Display`, and JSON as the name.
/// A crate that uses the macro depends on serde.
///
/// ```
/// grandstand_protocol::words! {
///     /// What a traffic light shows.
///     Light {
///         /// Stop.
///         Red = "red",
///         /// Go.
///         Green = "green",
///     }
/// }
/// assert_eq!((Light::Red.name(), Light::named("green")), ("red", Some(Light::Green)));
/// ```
#[macro_export]
macro_rules! words {
    ($(#[$docs:meta])* $type:ident { $($(#[$doc:meta])* $variant:ident = $name:literal,)+ }) => {
        $(#[$docs])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        pub enum $type {
            $($(#[$doc])* #[serde(rename = $name)] $variant,)+
        }

        impl $type {
            /// All variants, in declaration order.
            pub const ALL: [$type; [$($name),+].len()] = [$($type::$variant),+];

            /// The name, as it is written in text and in JSON.
            pub fn name(self) -> &'static str {
                match self {
                    $($type::$variant => $name,)+
                }
            }

            /// The variant with this name.
            pub fn named(name: &str) -> Option<$type> {
                $type::ALL.into_iter().find(|word| word.name() == name)
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }
    };
}

pub(crate) use {from_json_by_text, json_by_text, like_str, named_by_text};
