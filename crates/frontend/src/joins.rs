//! What a variable holds where paths meet: a value that stands for either.

use crate::objects::python_objects::Object;
use crate::program::ObjectType;
use crate::scope::each_view;
use crate::types;
use crate::value::{Axis, Conflict, Scalar, Value, View};
use colocate_diag::Site;
use colocate_ir::DType;

/// The value that stands for one or the other; None or something else, if that is possible.
pub(crate) fn join(a: &Value, a_site: Site, b: &Value, b_site: Site, optional: bool) -> Value {
    let conflict = || {
        Value::Conflict(Box::new(Conflict {
            first: (a.describe(), a_site),
            second: (b.describe(), b_site),
        }))
    };
    match (a, b) {
        (Value::Poison, _) | (_, Value::Poison) => Value::Poison,
        (Value::Conflict(_), _) => a.clone(),
        (_, Value::Conflict(_)) => b.clone(),
        (Value::Scalar(x), Value::Scalar(y)) => join_scalars(x, y).into(),
        (Value::Tuple(x), Value::Tuple(y)) if x.len() == y.len() => {
            let pairs = x.iter().zip(y);
            let items: Vec<_> = pairs
                .map(|(x, y)| join(x, a_site, y, b_site, optional))
                .collect();
            if items.iter().any(|item| matches!(item, Value::Conflict(_))) {
                return conflict();
            }
            Value::Tuple(items)
        }
        (Value::Held(x), Value::Held(y)) if x.item == y.item => {
            let number = join_scalars(&x.number, &y.number);
            Value::Held(Box::new(crate::objects::held_lists::Held {
                number,
                ..(**x).clone()
            }))
        }
        (Value::Named(class, x), Value::Named(other, y))
            if (class == other || class.is_list() && other.is_list()) && x.len() == y.len() =>
        {
            let pairs = x.iter().zip(y);
            let items: Vec<_> = pairs
                .map(|(x, y)| join(x, a_site, y, b_site, optional))
                .collect();
            if items.iter().any(|item| matches!(item, Value::Conflict(_))) {
                return conflict();
            }
            Value::Named(class.clone(), items)
        }
        (Value::Object(x), other) | (other, Value::Object(x))
            if x.kind.is_anything() && crate::objects::python_objects::kind_of(other).is_some() =>
        {
            Value::Object(any_object(ObjectType::anything()))
        }
        (Value::None, Value::None) => Value::None,
        (Value::Optional(..) | Value::None, _) | (_, Value::Optional(..) | Value::None)
            if optional =>
        {
            join_optional(a, a_site, b, b_site).unwrap_or_else(conflict)
        }
        (Value::Object(x), Value::Object(y)) => x.join(y).map_or_else(conflict, Value::Object),
        // Different strings are known when the program runs.
        (Value::Str(x), Value::Str(y)) if optional && x != y => Value::Object(any_text()),
        (Value::Str(_), Value::Object(object)) | (Value::Object(object), Value::Str(_))
            if *object.kind == ObjectType::Text =>
        {
            Value::Object(any_text())
        }
        (Value::Scalar(_), Value::Object(_)) | (Value::Object(_), Value::Scalar(_))
            if both_numbers(a, b) =>
        {
            Value::Object(any_object(ObjectType::int_or_float()))
        }
        (Value::Tuple(_) | Value::Object(_), Value::Tuple(_) | Value::Object(_)) if optional => {
            join_sequences(a, b).map_or_else(conflict, Value::Object)
        }
        (Value::View(x), Value::View(y)) => join_views(x, y).map_or_else(conflict, Value::View),
        (Value::Range(x), Value::Range(y)) => Value::Range(Box::new(std::array::from_fn(|i| {
            join_scalars(&x[i], &y[i])
        }))),
        (Value::Closure(x), Value::Closure(y)) if x == y => {
            Value::Closure(std::rc::Rc::new(x.joined(y)))
        }
        (a, b) if a == b => a.clone(),
        (a, b) if optional => crate::objects::choices::choice(a, b).unwrap_or_else(conflict),
        _ => conflict(),
    }
}

/// Whether both are ints or floats of Python's.
fn both_numbers(a: &Value, b: &Value) -> bool {
    let is_number = |value| {
        let kind = crate::objects::python_objects::kind_of(value);
        kind.is_some_and(|kind| kind.is_int_or_float())
    };
    is_number(a) && is_number(b)
}

/// A string that is known when the program runs.
fn any_text() -> Object {
    any_object(ObjectType::Text)
}

/// Tuples of different lengths, of items of one type.
fn join_sequences(a: &Value, b: &Value) -> Option<Object> {
    let kinds = [a, b].map(crate::objects::python_objects::kind_of);
    let [Some(a), Some(b)] = kinds else {
        return None;
    };
    let joined = a.join(&b)?;
    (matches!(joined, ObjectType::Sequence(_)) && !joined.has_array()).then(|| any_object(joined))
}

/// An object that is known when the program runs.
pub(crate) fn any_object(kind: ObjectType) -> Object {
    Object {
        kind: std::rc::Rc::new(kind),
        handle: Scalar {
            dtype: DType::Int64,
            weak: true,
            know: crate::value::Know::Any,
            ir: None,
        },
        origins: std::rc::Rc::new([]),
    }
}

/// The join of two of which one may be None.
fn join_optional(a: &Value, a_site: Site, b: &Value, b_site: Site) -> Option<Value> {
    let inner = |value: &Value| match value {
        Value::None => None,
        Value::Optional(inner, _) => Some(inner.as_ref().clone()),
        other => Some(other.clone()),
    };
    let inner = match (inner(a), inner(b)) {
        (Some(a), Some(b)) => join(&a, a_site, &b, b_site, true),
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => return Some(Value::None),
    };
    let inner = match inner {
        Value::Str(_) => Value::Object(any_text()),
        other => other,
    };
    let mut inner = is_plain(&inner).then_some(inner)?;
    let mut fine = true;
    each_view(&mut inner, &mut |view| {
        if !view.is_phi() {
            match crate::host::array_variables::phi(view, view) {
                Some(phi) => *view = phi,
                None => fine = false,
            }
        }
    });
    inner.for_each_leaf(&mut |leaf| leaf.ir = None);
    let present = Scalar {
        dtype: DType::Bool,
        weak: true,
        know: crate::value::Know::Any,
        ir: None,
    };
    fine.then(|| Value::Optional(Box::new(inner), present))
}

/// Whether a value consists of numbers and arrays in memory.
fn is_plain(value: &Value) -> bool {
    match value {
        Value::Scalar(_) | Value::View(_) | Value::Range(_) | Value::Held(_) | Value::Object(_) => {
            true
        }
        // Which object from outside it is, is known.
        Value::Module { name, .. } => name.starts_with(crate::value::OBJECT_OF),
        // An object whose attributes may be other objects is not the sum of its parts.
        Value::Named(class, items) if class.is_instance => {
            let is_part = |item| !matches!(item, &Value::Optional(..)) && is_plain(item);
            items.iter().all(is_part)
        }
        Value::Tuple(items) | Value::Named(_, items) => items
            .iter()
            .all(|item| matches!(item, Value::None) || is_plain(item)),
        Value::Optional(inner, _) => is_plain(inner),
        _ => false,
    }
}

fn join_scalars(a: &Scalar, b: &Scalar) -> Scalar {
    let (dtype, weak) = types::join(a, b);
    let mut know = a.know.join(b.know);
    if a.dtype != b.dtype && a.as_constant().is_some() && a.know == b.know {
        know = a.know.weakened();
    }
    Scalar {
        dtype,
        weak,
        know,
        ir: None,
    }
}

fn join_views(a: &View, b: &View) -> Option<View> {
    join_parts(a, b).or_else(|| crate::host::array_variables::phi(a, b))
}

fn join_parts(a: &View, b: &View) -> Option<View> {
    if a.base != b.base || a.free != b.free || a.axes.len() != b.axes.len() {
        return None;
    }
    let axes = a.axes.iter().zip(&b.axes).map(|pair| {
        let sliced = |start: &Scalar, step: &Scalar, length: &Scalar| Axis::Sliced {
            start: *start,
            step: *step,
            length: *length,
        };
        let any = |scalar: &Scalar, whole: i128| join_scalars(scalar, &Scalar::const_int(whole));
        match pair {
            (Axis::Fixed(x), Axis::Fixed(y)) => Some(Axis::Fixed(join_scalars(x, y))),
            (Axis::Whole, Axis::Whole) => Some(Axis::Whole),
            (Axis::New, Axis::New) => Some(Axis::New),
            (
                Axis::Sliced {
                    start: a,
                    step: b,
                    length: c,
                },
                Axis::Sliced {
                    start: x,
                    step: y,
                    length: z,
                },
            ) => Some(sliced(
                &join_scalars(a, x),
                &join_scalars(b, y),
                &join_scalars(c, z),
            )),
            (
                Axis::Whole,
                Axis::Sliced {
                    start,
                    step,
                    length,
                },
            )
            | (
                Axis::Sliced {
                    start,
                    step,
                    length,
                },
                Axis::Whole,
            ) => {
                let mut length = *length;
                length.know = length.know.weakened();
                length.ir = None;
                Some(sliced(&any(start, 0), &any(step, 1), &length))
            }
            _ => None,
        }
    });
    Some(View {
        axes: axes.collect::<Option<_>>()?,
        ..a.clone()
    })
}
