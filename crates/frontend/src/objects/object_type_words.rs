//! What is known of Python objects, as numbers: in the keys of calls, and in names.

use crate::program::ObjectType;
use colocate_ir::DType;

/// A type as numbers of a key.
pub fn encode(kind: &ObjectType, words: &mut Vec<u32>) {
    let code = match kind {
        ObjectType::Unknown => 0,
        ObjectType::Scalar { .. } => 1,
        ObjectType::Text => 2,
        ObjectType::None => 3,
        ObjectType::Optional(_) => 4,
        // Whoever writes these has none: their classes have no number yet.
        ObjectType::Tuple(_) | ObjectType::Named(..) => 5,
        ObjectType::Array { .. } => 6,
        ObjectType::List(_) => 7,
        ObjectType::Set(_) => 8,
        ObjectType::FrozenSet(_) => 9,
        ObjectType::Dict(..) => 10,
        ObjectType::Iterator(_) => 11,
        ObjectType::Exception => 12,
        ObjectType::Generator => 13,
        ObjectType::RandomState => 16,
        ObjectType::Fields(_) => 14,
        ObjectType::Sequence(_) => 15,
        ObjectType::Foreign(_) => 17,
        // None of these either.
        ObjectType::Instance(_) => 0,
    };
    words.push(code);
    match kind {
        ObjectType::Scalar { dtype, weak } => words.extend([*dtype as u32, u32::from(*weak)]),
        ObjectType::Array { dtype, rank } => words.extend([*dtype as u32, u32::from(*rank)]),
        ObjectType::Tuple(items) | ObjectType::Named(_, items) => {
            words.push(items.len() as u32);
            items.iter().for_each(|item| encode(item, words));
        }
        ObjectType::Optional(item)
        | ObjectType::List(item)
        | ObjectType::Set(item)
        | ObjectType::FrozenSet(item)
        | ObjectType::Sequence(item)
        | ObjectType::Iterator(item) => encode(item, words),
        ObjectType::Dict(key, value) => {
            encode(key, words);
            encode(value, words);
        }
        ObjectType::Fields(fields) => {
            words.push(fields.len() as u32);
            for (name, kind) in fields {
                encode_text(name, words);
                encode(kind, words);
            }
        }
        ObjectType::Foreign(kind) => encode_text(kind, words),
        _ => {}
    }
}

fn encode_text(text: &str, words: &mut Vec<u32>) {
    words.push(text.len() as u32);
    words.extend(text.bytes().map(u32::from));
}

fn decode_text(words: &mut std::slice::Iter<'_, u32>) -> String {
    let length = words.next().copied().unwrap_or(0) as usize;
    let bytes: Vec<u8> = words
        .by_ref()
        .take(length)
        .map(|word| *word as u8)
        .collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The type that numbers of a key stand for.
pub fn decode(words: &mut std::slice::Iter<'_, u32>) -> ObjectType {
    let mut next = || words.next().copied().unwrap_or(0);
    let code = next();
    match code {
        1 => {
            let dtype = DType::ALL[next() as usize];
            let weak = next() != 0;
            ObjectType::Scalar { dtype, weak }
        }
        6 => {
            let dtype = DType::ALL[next() as usize];
            let rank = next() as u8;
            ObjectType::Array { dtype, rank }
        }
        5 => {
            let count = next();
            ObjectType::Tuple((0..count).map(|_| decode(words)).collect())
        }
        2 => ObjectType::Text,
        3 => ObjectType::None,
        4 => ObjectType::Optional(Box::new(decode(words))),
        7 => ObjectType::List(Box::new(decode(words))),
        8 => ObjectType::Set(Box::new(decode(words))),
        9 => ObjectType::FrozenSet(Box::new(decode(words))),
        15 => ObjectType::Sequence(Box::new(decode(words))),
        10 => {
            let key = Box::new(decode(words));
            ObjectType::Dict(key, Box::new(decode(words)))
        }
        11 => ObjectType::Iterator(Box::new(decode(words))),
        12 => ObjectType::Exception,
        13 => ObjectType::Generator,
        17 => ObjectType::Foreign(decode_text(words)),
        16 => ObjectType::RandomState,
        14 => {
            let count = next();
            let fields = (0..count).map(|_| {
                let name = decode_text(words);
                (name, decode(words))
            });
            ObjectType::Fields(fields.collect())
        }
        _ => ObjectType::Unknown,
    }
}
