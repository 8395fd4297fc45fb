//! What the host part asks for where lists are concerned, what lists hold, and what it sees of them by itself.

use colocate_ir::{DType, LocalId};

/// What is done with a list that the runtime holds. The first word is the list's number, unless said
/// otherwise; positions are inside the list.
#[derive(Clone, Debug, PartialEq)]
pub enum ListCall {
    /// A new list of the first elements of an array of one axis, which becomes the list's own. Words:
    /// how many. Result: the list's number.
    Hold {
        /// The array.
        local: LocalId,
        /// The argument that the list is.
        leaf: Option<usize>,
    },
    /// Shows the items of a list of numbers as an array, with room behind them. Results: the local,
    /// and the number of items.
    Open {
        /// What it becomes.
        local: LocalId,
    },
    /// Puts an array in the place of the items of a list of numbers. Words: the list, the number of
    /// items.
    Close {
        /// The array, which may have room behind the items.
        local: LocalId,
    },
    /// A new list without items, which are no numbers. No words. Result: the list's number.
    New {
        /// What its items are.
        item: ListItem,
    },
    /// A list among the arguments. No words. Result: the list's number.
    Argument {
        /// Its number among all leaves of the arguments.
        leaf: usize,
        /// What its items are.
        item: ListItem,
    },
    /// Result: the number of items.
    Length,
    /// An item of a list that is not of numbers. Words: the list, the position. Results: the arrays
    /// of the item in order, then its words.
    Get {
        /// What its items are.
        item: ListItem,
        /// What the arrays become.
        locals: Vec<LocalId>,
    },
    /// Sets an item of a list that is not of numbers. Words: the list, the position, then the item's.
    Set {
        /// What its items are.
        item: ListItem,
        /// The arrays of the item.
        locals: Vec<LocalId>,
    },
    /// Puts an item before a position, which may be the end. Words as those of `Set`.
    Insert {
        /// What its items are.
        item: ListItem,
        /// The arrays of the item.
        locals: Vec<LocalId>,
    },
    /// A new list of some items. Words: the list, start, step, number of items. Result: the new
    /// list's number.
    Take,
    /// Takes items out. Words as those of `Take`; the step is not negative.
    Delete,
    /// Puts the items of a list in the place of others. Words: the list, start, stop, the other list.
    Splice,
    /// Assigns the items of a list to as many at equal distances. Words: the list, start, step, the
    /// number of items, the other list.
    Spread,
    /// Turns the order around.
    Reverse,
    /// Compares two lists, which are given by two words. Result: -1, 0 or 1 for what the first is to
    /// the second; 2 if they differ and have no order.
    Compare {
        /// What their items are.
        item: ListItem,
    },
    /// The positions of the items in their order, as a new list of int64; equal items stay as they
    /// are. Words: the list, and whether the greatest comes first. Result: the new list's number.
    Order {
        /// What its items are.
        item: ListItem,
    },
    /// The list is not used any more.
    Drop,
}

/// What host code reads of a list without a call, where it reaches all memory: words of 64 bits. The context of the
/// callback begins with the address of those of the first list; each list's are at its number.
#[derive(Clone, Copy, Debug)]
pub struct ShownList;

impl ShownList {
    /// From one list's words to the next one's.
    pub const WORDS: usize = 8;
    /// Where the items are: numbers as arrays have them, of other items their words.
    pub const ADDRESS: usize = 0;
    /// How many items there are. Who puts numbers behind those that are there says so.
    pub const LENGTH: usize = 1;
    /// For how many numbers there is room; 0 if they are no numbers.
    pub const ROOM: usize = 2;
    /// Whether the list was changed; who changes it in place sets it to 1.
    pub const CHANGED: usize = 3;
}

/// What the items of a list are.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ListItem {
    /// Numbers.
    Scalar {
        /// Their dtype.
        dtype: DType,
        /// Whether they are Python numbers.
        weak: bool,
    },
    /// Arrays.
    Array {
        /// Of their elements.
        dtype: DType,
        /// How many axes they have.
        rank: u8,
    },
    /// Tuples.
    Tuple(Vec<ListItem>),
    /// Named tuples: the number of their class in the environment, and their items.
    Named(u32, Vec<ListItem>),
    /// Lists; an item is the number of one.
    List(Box<ListItem>),
    /// Something without arrays, or None; the last word says whether it is there.
    Optional(Box<ListItem>),
}

impl ListItem {
    /// How many words an item has.
    pub fn words(&self) -> usize {
        match self {
            ListItem::Scalar { dtype, .. } if dtype.kind() == colocate_ir::Kind::Complex => 2,
            ListItem::Scalar { .. } | ListItem::List(_) => 1,
            ListItem::Array { .. } => 0,
            ListItem::Optional(inner) => inner.words() + 1,
            ListItem::Tuple(items) | ListItem::Named(_, items) => {
                items.iter().map(ListItem::words).sum()
            }
        }
    }

    /// Whether there are lists in an item.
    pub fn holds_lists(&self) -> bool {
        match self {
            ListItem::Scalar { .. } | ListItem::Array { .. } => false,
            ListItem::List(_) => true,
            ListItem::Optional(inner) => inner.holds_lists(),
            ListItem::Tuple(items) | ListItem::Named(_, items) => {
                items.iter().any(ListItem::holds_lists)
            }
        }
    }

    /// How many arrays an item has.
    pub fn arrays(&self) -> usize {
        match self {
            ListItem::Scalar { .. } | ListItem::List(_) | ListItem::Optional(_) => 0,
            ListItem::Array { .. } => 1,
            ListItem::Tuple(items) | ListItem::Named(_, items) => {
                items.iter().map(ListItem::arrays).sum()
            }
        }
    }
}
