//! What is known of Python objects that a program holds: joined, and in words.

use crate::objects::anything::ANYTHING;
use crate::objects::foreign_objects::INT_OR_FLOAT;
use crate::program::ObjectType;
use crate::types;
use crate::value::{Know, Scalar};
use colocate_ir::DType;

impl ObjectType {
    /// Whether nothing is known of it, or of a part of it that comes with it.
    pub fn is_open(&self) -> bool {
        match self {
            ObjectType::Unknown => true,
            ObjectType::Tuple(items) | ObjectType::Named(_, items) => {
                items.iter().any(ObjectType::is_open)
            }
            _ => false,
        }
    }

    /// Whether it is a container that something is not known of at any depth.
    pub fn is_unfinished(&self) -> bool {
        let open = |kind: &ObjectType| kind.is_open() || kind.is_unfinished();
        match self {
            ObjectType::List(item) | ObjectType::Set(item) => open(item),
            ObjectType::Dict(key, value) => open(key) || open(value),
            _ => false,
        }
    }

    /// An int or a float of Python's.
    pub fn int_or_float() -> ObjectType {
        ObjectType::Foreign(INT_OR_FLOAT.into())
    }

    /// An object of which only Python knows what it is, when the program runs.
    pub fn anything() -> ObjectType {
        ObjectType::Foreign(ANYTHING.into())
    }

    /// Whether it is such an object.
    pub fn is_anything(&self) -> bool {
        matches!(self, ObjectType::Foreign(kind) if kind == ANYTHING)
    }

    /// Whether it is such an object, or has such items.
    pub fn has_anything(&self) -> bool {
        match self {
            ObjectType::Optional(item)
            | ObjectType::List(item)
            | ObjectType::Sequence(item)
            | ObjectType::Set(item)
            | ObjectType::FrozenSet(item)
            | ObjectType::Iterator(item) => item.has_anything(),
            ObjectType::Dict(key, value) => key.has_anything() || value.has_anything(),
            ObjectType::Tuple(items) | ObjectType::Named(_, items) => {
                items.iter().any(ObjectType::has_anything)
            }
            ObjectType::Fields(fields) => fields.iter().any(|(_, kind)| kind.has_anything()),
            other => other.is_anything(),
        }
    }

    /// The same where floats that are read from it may be ints: those are anything then.
    pub fn with_numbers_as_they_are(self) -> ObjectType {
        use ObjectType::{Dict, Fields, List, Optional, Sequence, Tuple};
        let inside = |inner: Box<ObjectType>| Box::new(inner.with_numbers_as_they_are());
        match self {
            ObjectType::Scalar {
                dtype: DType::Float64,
                weak: true,
            } => ObjectType::anything(),
            Optional(inner) => match inner.with_numbers_as_they_are() {
                inner if inner.is_anything() => inner,
                inner => Optional(Box::new(inner)),
            },
            List(inner) => List(inside(inner)),
            Sequence(inner) => Sequence(inside(inner)),
            Dict(key, value) => Dict(key, inside(value)),
            Tuple(items) => {
                let items = items.into_iter().map(ObjectType::with_numbers_as_they_are);
                Tuple(items.collect())
            }
            // Each is a number of its own.
            Fields(fields) => {
                let fields = fields.into_iter().map(|(name, kind)| match kind {
                    number @ ObjectType::Scalar { .. } => (name, number),
                    kind => (name, kind.with_numbers_as_they_are()),
                });
                Fields(fields.collect())
            }
            other => other,
        }
    }

    /// What two kinds of containers were joined to, where numbers that are ints in one and floats in the other are anything.
    pub fn keeping_ints(self, a: &ObjectType, b: &ObjectType) -> ObjectType {
        use ObjectType::{Dict, List, Scalar, Sequence, Tuple};
        let inside = |inner: Box<ObjectType>, a: &ObjectType, b: &ObjectType| {
            Box::new(match (&*inner, a, b) {
                (Scalar { weak: true, .. }, Scalar { .. }, Scalar { .. }) if a != b => {
                    ObjectType::anything()
                }
                _ => inner.keeping_ints(a, b),
            })
        };
        match (self, a, b) {
            (List(inner), List(a), List(b)) => List(inside(inner, a, b)),
            (Sequence(inner), Sequence(a), Sequence(b)) => Sequence(inside(inner, a, b)),
            (Dict(key, value), Dict(_, a), Dict(_, b)) => Dict(key, inside(value, a, b)),
            (Tuple(items), Tuple(a), Tuple(b)) => {
                let items = items.into_iter().zip(a.iter().zip(b));
                let items = items.map(|(item, (a, b))| *inside(Box::new(item), a, b));
                Tuple(items.collect())
            }
            (other, _, _) => other,
        }
    }

    /// The same, but containers that are nested more deeply than so many levels are anything: a list that holds lists
    /// like itself has no end otherwise.
    pub fn nested_at_most(self, levels: usize) -> ObjectType {
        use ObjectType::{Dict, List, Optional, Sequence};
        let inside = |inner: Box<ObjectType>| {
            Box::new(match levels {
                0 => ObjectType::anything(),
                _ => inner.nested_at_most(levels - 1),
            })
        };
        match self {
            List(inner) => List(inside(inner)),
            Sequence(inner) => Sequence(inside(inner)),
            Optional(inner) => Optional(inside(inner)),
            Dict(key, value) => Dict(key, inside(value)),
            other => other,
        }
    }

    /// A container of one type or the other, whose items are anything where they are of no one type.
    pub fn join_loosely(&self, other: &ObjectType) -> Option<ObjectType> {
        use ObjectType::{Dict, List, Set};
        let inside = |a: &ObjectType, b: &ObjectType| {
            let joined = a.join(b).or_else(|| a.join_loosely(b));
            let loose = || (!a.has_array() && !b.has_array()).then(ObjectType::anything);
            joined.or_else(loose).map(Box::new)
        };
        Some(match (self, other) {
            (List(a), List(b)) => List(inside(a, b)?),
            (Set(a), Set(b)) => Set(inside(a, b)?),
            (Dict(a, b), Dict(x, y)) => Dict(inside(a, x)?, inside(b, y)?),
            (ObjectType::Fields(_), Dict(..) | ObjectType::Fields(_))
            | (Dict(..), ObjectType::Fields(_)) => {
                let whole = |kind: &ObjectType| match kind {
                    ObjectType::Fields(_) => {
                        Dict(Box::new(ObjectType::Text), Box::new(ObjectType::anything()))
                    }
                    other => other.clone(),
                };
                whole(self).join_loosely(&whole(other))?
            }
            _ => return None,
        })
    }

    /// Whether it is an int or a float of Python's, or may be either.
    pub fn is_int_or_float(&self) -> bool {
        match self {
            ObjectType::Scalar { dtype, weak } => {
                *weak && matches!(dtype, DType::Bool | DType::Int64 | DType::Float64)
            }
            ObjectType::Foreign(kind) => kind == INT_OR_FLOAT,
            _ => false,
        }
    }

    /// What is one or the other; `None` if nothing is.
    pub fn join(&self, other: &ObjectType) -> Option<ObjectType> {
        use ObjectType::{
            Array, Dict, FrozenSet, Iterator, List, Named, None as Nothing, Optional, Sequence,
            Set, Tuple, Unknown,
        };
        let boxed = |a: &ObjectType, b: &ObjectType| a.join(b).map(Box::new);
        Some(match (self, other) {
            (a, b) if a == b => a.clone(),
            (Unknown, known) | (known, Unknown) => known.clone(),
            (a, b) if a.is_anything() || b.is_anything() => ObjectType::anything(),
            (
                ObjectType::Scalar { dtype, weak },
                ObjectType::Scalar {
                    dtype: other,
                    weak: other_weak,
                },
            ) => {
                let scalar = |dtype, weak| Scalar {
                    dtype,
                    weak,
                    know: Know::Any,
                    ir: None,
                };
                let (dtype, weak) =
                    types::join(&scalar(*dtype, *weak), &scalar(*other, *other_weak));
                ObjectType::Scalar { dtype, weak }
            }
            (ObjectType::Foreign(_), ObjectType::Scalar { .. })
            | (ObjectType::Scalar { .. }, ObjectType::Foreign(_))
                if self.is_int_or_float() && other.is_int_or_float() =>
            {
                ObjectType::int_or_float()
            }
            (Nothing, Optional(inner)) | (Optional(inner), Nothing) => Optional(inner.clone()),
            (Nothing, known) | (known, Nothing) => Optional(Box::new(known.clone())),
            (Optional(a), Optional(b)) => Optional(boxed(a, b)?),
            (Optional(a), b) | (b, Optional(a)) => Optional(boxed(a, b)?),
            (Tuple(a), Tuple(b)) if a.len() == b.len() => {
                let items = a.iter().zip(b).map(|(a, b)| a.join(b));
                Tuple(items.collect::<Option<_>>()?)
            }
            (Named(class, a), Named(other, b)) if class == other => {
                let items = a.iter().zip(b).map(|(a, b)| a.join(b));
                Named(class.clone(), items.collect::<Option<_>>()?)
            }
            (
                Array { dtype, rank },
                Array {
                    dtype: other,
                    rank: axes,
                },
            ) if dtype == other && rank == axes => Array {
                dtype: *dtype,
                rank: *rank,
            },
            (List(a), List(b)) => List(boxed(a, b)?),
            (Sequence(a), Sequence(b)) => Sequence(boxed(a, b)?),
            (Sequence(_) | Tuple(_), Sequence(_) | Tuple(_)) => {
                self.as_sequence()?.join(&other.as_sequence()?)?
            }
            (Set(a), Set(b)) => Set(boxed(a, b)?),
            (FrozenSet(a), FrozenSet(b)) => FrozenSet(boxed(a, b)?),
            (Iterator(a), Iterator(b)) => Iterator(boxed(a, b)?),
            (Dict(a, b), Dict(x, y)) => Dict(boxed(a, x)?, boxed(b, y)?),
            (ObjectType::Fields(a), ObjectType::Fields(b)) => ObjectType::Fields(all_fields(a, b)?),
            (fields @ ObjectType::Fields(_), Dict(key, value))
            | (Dict(key, value), fields @ ObjectType::Fields(_))
                if matches!((&**key, &**value), (Unknown | ObjectType::Text, Unknown)) =>
            {
                fields.clone()
            }
            (a @ ObjectType::Fields(_), b @ Dict(..)) => a.as_dict()?.join(b)?,
            (a @ Dict(..), b @ ObjectType::Fields(_)) => a.join(&b.as_dict()?)?,
            _ => return None,
        })
    }

    /// A container of the kind of another, with what is known of its items from here: a path through
    /// containers calls whatever has items a list.
    pub fn fitted(&self, shape: &ObjectType) -> Option<ObjectType> {
        use ObjectType::{Dict, FrozenSet, List, Sequence, Set, Unknown};
        let fit = |a: &ObjectType, b: &ObjectType| -> Option<Box<ObjectType>> {
            b.join(a).or_else(|| a.fitted(b)).map(Box::new)
        };
        Some(match (self, shape) {
            (_, Unknown) => self.clone(),
            (List(item), Set(known)) => Set(fit(item, known)?),
            (List(item), FrozenSet(known)) => FrozenSet(fit(item, known)?),
            (List(item), List(known)) => List(fit(item, known)?),
            (List(item), Sequence(known)) => Sequence(fit(item, known)?),
            (List(item), Dict(known, value)) => Dict(fit(item, known)?, value.clone()),
            (Dict(key, value), Dict(known, old)) => Dict(fit(key, known)?, fit(value, old)?),
            _ => return None,
        })
    }

    /// A dictionary whose values are of one type, even if what is known of it is more; `None` if there is no
    /// such type.
    pub fn as_dict(&self) -> Option<ObjectType> {
        let ObjectType::Fields(fields) = self else {
            return Some(self.clone());
        };
        let mut all = ObjectType::Unknown;
        for (_, kind) in fields {
            all = all.join(kind)?;
        }
        Some(ObjectType::Dict(Box::new(ObjectType::Text), Box::new(all)))
    }

    /// The same, as a dictionary of values of one type wherever that says as much.
    pub fn settled(self) -> ObjectType {
        match self {
            ObjectType::Fields(fields) => ObjectType::of_fields(fields),
            other => other,
        }
    }

    /// A tuple whose items are of one type, its length left open; `None` if there is no such type.
    pub fn as_sequence(&self) -> Option<ObjectType> {
        let ObjectType::Tuple(items) = self else {
            return Some(self.clone());
        };
        let mut all = ObjectType::Unknown;
        for kind in items {
            all = all.join(kind)?;
        }
        Some(ObjectType::Sequence(Box::new(all)))
    }

    /// A dictionary of strings whose values are of these types; of one type if they are the same.
    pub fn of_fields(fields: Vec<(String, ObjectType)>) -> ObjectType {
        match fields.split_first() {
            Some(((_, first), rest)) if rest.iter().any(|(_, kind)| kind != first) => {
                ObjectType::Fields(fields)
            }
            Some(((_, first), _)) => {
                ObjectType::Dict(Box::new(ObjectType::Text), Box::new(first.clone()))
            }
            None => ObjectType::Dict(Box::new(ObjectType::Unknown), Box::new(ObjectType::Unknown)),
        }
    }

    /// Whether an array is part of it.
    pub fn has_array(&self) -> bool {
        match self {
            ObjectType::Array { .. } => true,
            ObjectType::Tuple(items) | ObjectType::Named(_, items) => {
                items.iter().any(ObjectType::has_array)
            }
            ObjectType::Optional(inner) | ObjectType::Sequence(inner) => inner.has_array(),
            _ => false,
        }
    }
}

impl std::fmt::Display for ObjectType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ObjectType::Unknown => f.write_str("anything"),
            ObjectType::Scalar { dtype, weak } => f.write_str(types::type_name(*dtype, *weak)),
            ObjectType::Text => f.write_str("str"),
            ObjectType::None => f.write_str("None"),
            ObjectType::Optional(inner) => write!(f, "{inner} or None"),
            ObjectType::Tuple(items) => {
                let items: Vec<_> = items.iter().map(ObjectType::to_string).collect();
                write!(f, "({})", items.join(", "))
            }
            ObjectType::Named(class, items) => {
                let items: Vec<_> = items.iter().map(ObjectType::to_string).collect();
                write!(f, "{}({})", class.name, items.join(", "))
            }
            ObjectType::Array { dtype, rank } => write!(f, "{dtype}[{rank}d]"),
            ObjectType::List(item) => write!(f, "list of {item}"),
            ObjectType::Sequence(item) => write!(f, "tuple of {item}"),
            ObjectType::Set(item) => write!(f, "set of {item}"),
            ObjectType::FrozenSet(item) => write!(f, "frozenset of {item}"),
            ObjectType::Dict(key, value) => write!(f, "dict of {key} to {value}"),
            ObjectType::Fields(fields) => {
                let fields: Vec<_> = fields
                    .iter()
                    .map(|(name, kind)| format!("{name}: {kind}"))
                    .collect();
                write!(f, "dict {{{}}}", fields.join(", "))
            }
            ObjectType::Iterator(item) => write!(f, "iterator over {item}"),
            ObjectType::Exception => f.write_str("exception"),
            ObjectType::Instance(class) => f.write_str(&class.name),
            ObjectType::Foreign(kind) => f.write_str(kind),
            ObjectType::Generator | ObjectType::RandomState => {
                f.write_str("generator of random numbers")
            }
        }
    }
}

/// The fields of two dictionaries together; `None` if one of them is of no one type.
fn all_fields(
    a: &[(String, ObjectType)],
    b: &[(String, ObjectType)],
) -> Option<Vec<(String, ObjectType)>> {
    let mut all = a.to_vec();
    for (name, kind) in b {
        match all.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => *known = known.join(kind)?,
            None => all.push((name.clone(), kind.clone())),
        }
    }
    Some(all)
}
