//! The keys of jit calls: the types of the arguments as numbers, and what those numbers mean.
//!
//! Each type begins with a word whose highest bits say what it is; what does not fit into that word follows it.
//! `jit_arguments` writes keys; a key is read only where a function is compiled for it.

use colocate_dtype::DType;
use colocate_frontend::ArgumentType;
use colocate_frontend::ir::Layout;
use colocate_frontend::objects::object_type_words;
use colocate_frontend::program::ListItem;
use smallvec::SmallVec;

/// The types of all arguments, and facts of the call before them.
pub type Key = SmallVec<[u32; 16]>;

pub const SCALAR: u32 = 1 << 28;
pub const ARRAY: u32 = 2 << 28;
pub const TUPLE: u32 = 3 << 28;
pub const NONE: u32 = 4 << 28;
pub const TEXT: u32 = 5 << 28;
/// A list of numbers of one dtype.
pub const LIST: u32 = 6 << 28;
/// Another list, taken apart like a tuple.
pub const ITEMS: u32 = 7 << 28;
/// A named tuple; the address of its class follows.
pub const NAMED: u32 = 8 << 28;
/// What is known while compiling; its address follows.
pub const OBJECT: u32 = 9 << 28;
/// A slice, whose parts follow.
pub const SLICE: u32 = 10 << 28;
pub const ELLIPSIS: u32 = 11 << 28;
/// A list of lists or tuples of numbers, all of one type, which follows.
pub const NESTED: u32 = 12 << 28;
/// A set or a dictionary; so many words about what it holds follow.
pub const HELD: u32 = 13 << 28;
/// A range, whose parts follow.
pub const RANGE: u32 = 14 << 28;
/// A Python bool.
pub const TRUTH: u32 = 15 << 28;
/// A dictionary without items.
pub const EMPTY_DICT: u32 = 0;
/// An int that is known; it follows.
pub const AXIS: u32 = 1;
/// A list of objects of one class; an example of them follows.
pub const OBJECTS: u32 = 2;
/// The same, but some items are `None`.
pub const OBJECTS_OR_NONE: u32 = 3;
/// In the code of an array: which of its extents are 1 follows, as bits.
pub const THIN: u32 = 8;

pub fn array_key(dtype: DType, rank: usize, kind: Kept, writable: bool) -> u32 {
    let layout = match kind {
        Kept::InCOrder => 0,
        Kept::Anyhow => 2,
        Kept::InFortranOrder => 2 | 4,
    };
    ARRAY | (rank as u32) << 16 | (dtype as u32) << 8 | layout | u32::from(writable)
}

/// How the elements of an argument lie in memory.
pub enum Kept {
    InCOrder,
    InFortranOrder,
    Anyhow,
}

impl Kept {
    pub fn of(aligned: bool, in_c_order: bool, in_fortran_order: bool) -> Kept {
        match (aligned, in_c_order, in_fortran_order) {
            (true, true, _) => Kept::InCOrder,
            (true, false, true) => Kept::InFortranOrder,
            _ => Kept::Anyhow,
        }
    }
}

/// The types that a key stands for, without the facts of the call.
pub fn types_of(key: &[u32]) -> Vec<ArgumentType> {
    let mut rest = key.iter();
    std::iter::from_fn(|| next_type(&mut rest)).collect()
}

fn next_type(rest: &mut std::slice::Iter<'_, u32>) -> Option<ArgumentType> {
    let code = *rest.next()?;
    let dtype = || DType::ALL[(code >> 8 & 0xff) as usize];
    let count = (code & 0x0fff_ffff) as usize;
    Some(match code & 0xf000_0000 {
        SCALAR => ArgumentType::Scalar {
            dtype: dtype(),
            weak: code & 1 != 0,
        },
        ARRAY => {
            let array = ArgumentType::Array {
                dtype: dtype(),
                rank: (code >> 16) as u8,
                layout: match code & 2 != 0 {
                    true => Layout::Strided,
                    false => Layout::Contiguous,
                },
                fortran: code & 4 != 0,
                writable: code & 1 != 0,
            };
            match code & THIN != 0 {
                true => ArgumentType::Thin(Box::new(array), *rest.next()?),
                false => array,
            }
        }
        EMPTY_DICT if code == AXIS => ArgumentType::Axis(*rest.next()? as i32),
        EMPTY_DICT if matches!(code, OBJECTS | OBJECTS_OR_NONE) => ArgumentType::Objects {
            example: Box::new(next_type(rest)?),
            optional: code == OBJECTS_OR_NONE,
        },
        EMPTY_DICT => ArgumentType::EmptyDict,
        TUPLE => ArgumentType::Tuple((0..count).filter_map(|_| next_type(rest)).collect()),
        ITEMS => ArgumentType::Items((0..count).filter_map(|_| next_type(rest)).collect()),
        LIST => ArgumentType::List {
            dtype: dtype(),
            weak: code & 1 != 0,
            empty: code & 2 != 0,
        },
        NAMED => {
            let class = next_address(rest)?;
            let items = (0..count).filter_map(|_| next_type(rest)).collect();
            ArgumentType::Named(class, items)
        }
        OBJECT => ArgumentType::Object(next_address(rest)?),
        TEXT => {
            let words = (0..count.div_ceil(4)).filter_map(|_| rest.next());
            let mut bytes: Vec<u8> = words.flat_map(|word| word.to_le_bytes()).collect();
            bytes.truncate(count);
            ArgumentType::Str(String::from_utf8_lossy(&bytes).into_owned())
        }
        SLICE => ArgumentType::Slice((0..count).filter_map(|_| next_type(rest)).collect()),
        ELLIPSIS => ArgumentType::Ellipsis,
        RANGE => ArgumentType::Range((0..count).filter_map(|_| next_type(rest)).collect()),
        TRUTH => ArgumentType::Truth(count != 0),
        NESTED => ArgumentType::ListOf(next_item(rest)?),
        HELD => {
            let words: Vec<u32> = (0..count).filter_map(|_| rest.next().copied()).collect();
            ArgumentType::Held(object_type_words::decode(&mut words.iter()))
        }
        _ => ArgumentType::None,
    })
}

/// What the items of a list are.
fn next_item(rest: &mut std::slice::Iter<'_, u32>) -> Option<ListItem> {
    let code = *rest.next()?;
    let dtype = DType::ALL[(code >> 8 & 0xff) as usize];
    Some(match code & 0xf000_0000 {
        NESTED => ListItem::List(Box::new(next_item(rest)?)),
        NONE => ListItem::Optional(Box::new(next_item(rest)?)),
        TUPLE => {
            let count = code & 0x0fff_ffff;
            ListItem::Tuple((0..count).filter_map(|_| next_item(rest)).collect())
        }
        ARRAY => ListItem::Array {
            dtype,
            rank: (code >> 16) as u8,
        },
        _ => ListItem::Scalar {
            dtype,
            weak: code & 1 != 0,
        },
    })
}

fn next_address(rest: &mut std::slice::Iter<'_, u32>) -> Option<u64> {
    let (low, high) = (*rest.next()?, *rest.next()?);
    Some(u64::from(high) << 32 | u64::from(low))
}

/// The addresses of the objects that types name.
pub fn addresses(types: &[ArgumentType], found: &mut Vec<u64>) {
    for one in types {
        match one {
            ArgumentType::Object(address) => found.push(*address),
            ArgumentType::Named(class, items) => {
                found.push(*class);
                addresses(items, found);
            }
            ArgumentType::Tuple(items) | ArgumentType::Items(items) => addresses(items, found),
            ArgumentType::Objects { example, .. } => {
                addresses(std::slice::from_ref(example), found)
            }
            _ => {}
        }
    }
}

/// A type as users read it.
pub fn shown(argument: &ArgumentType) -> String {
    match argument {
        ArgumentType::Scalar { dtype, weak: false } => dtype.to_string(),
        ArgumentType::Scalar { dtype, .. } => match dtype {
            DType::Bool => "bool".into(),
            DType::Int64 => "int".into(),
            DType::Complex128 => "complex".into(),
            _ => "float".into(),
        },
        ArgumentType::Array {
            dtype,
            rank,
            layout,
            ..
        } => {
            let strided = match layout {
                Layout::Strided => ", strided",
                Layout::Contiguous => "",
            };
            format!("{dtype}[{rank}d{strided}]")
        }
        ArgumentType::Thin(array, _) => shown(array),
        ArgumentType::Axis(axis) => axis.to_string(),
        ArgumentType::EmptyDict => "{}".into(),
        ArgumentType::Tuple(items) => {
            let items: Vec<_> = items.iter().map(shown).collect();
            format!("({})", items.join(", "))
        }
        ArgumentType::Items(items) => {
            let items: Vec<_> = items.iter().map(shown).collect();
            format!("[{}]", items.join(", "))
        }
        ArgumentType::Named(_, items) => {
            let items: Vec<_> = items.iter().map(shown).collect();
            format!("named ({})", items.join(", "))
        }
        ArgumentType::List { dtype, weak, .. } => {
            let item = shown(&ArgumentType::Scalar {
                dtype: *dtype,
                weak: *weak,
            });
            format!("list of {item}")
        }
        ArgumentType::ListOf(item) => format!("list of {}", shown_item(item)),
        ArgumentType::Objects { example, .. } => format!("list of {}", shown(example)),
        ArgumentType::Str(text) => format!("{text:?}"),
        ArgumentType::Slice(_) => "slice".into(),
        ArgumentType::Ellipsis => "...".into(),
        ArgumentType::Range(_) => "range".into(),
        ArgumentType::Truth(true) => "True".into(),
        ArgumentType::Truth(false) => "False".into(),
        ArgumentType::Held(kind) => kind.to_string(),
        ArgumentType::Object(_) => "a function or dtype".into(),
        ArgumentType::None => "None".into(),
    }
}

/// The items of a list as users read them.
fn shown_item(item: &ListItem) -> String {
    match item {
        ListItem::Scalar { dtype, weak } => shown(&ArgumentType::Scalar {
            dtype: *dtype,
            weak: *weak,
        }),
        ListItem::Array { dtype, rank } => format!("{dtype}[{rank}d]"),
        ListItem::Tuple(items) | ListItem::Named(_, items) => {
            let items: Vec<_> = items.iter().map(shown_item).collect();
            format!("({})", items.join(", "))
        }
        ListItem::List(inner) => format!("list of {}", shown_item(inner)),
        ListItem::Optional(inner) => format!("{} or None", shown_item(inner)),
    }
}
