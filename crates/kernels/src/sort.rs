//! Sorting and searching.
//!
//! Rows are sorted by merging: each item of [`sort_blocks`] sorts a short block, and every launch of
//! [`merge`] makes sorted runs twice as long. An item of `merge` finds by bisection where its part of
//! the result begins in both runs, and merges from there. Nothing but the lesser of two elements
//! ever overtakes another, so all of it is stable.
//!
//! The order is NumPy's: `-0.0` equals `0.0`, NaNs come last, and complex numbers are ordered by real,
//! then by imaginary part, those with a NaN in the imaginary part after those without, and those with
//! a NaN in the real part at the end.

use colocate_ir::{
    ArrayRef, BinaryOp, CompareOp, DType, IndexFunction, Kernel, KernelBuilder, KernelKind, Kind,
    Layout, ParamId, ParamKind, Place, StorageClass, UnaryOp, ValueId,
};

/// Elements of a block.
pub const BLOCK: usize = 32;
/// Elements of the result of a merge that one item finds. Divides twice the length of a run.
pub const PART: usize = 32;

/// What is sorted, and how.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Sort {
    /// Of the elements.
    pub dtype: DType,
    /// Whether the greatest come first.
    pub descending: bool,
    /// Whether indices are moved along.
    pub indices: bool,
}

impl Sort {
    /// What tells its kernels from others of their family.
    pub fn words(&self) -> [u32; 3] {
        [
            self.dtype as u32,
            u32::from(self.descending),
            u32::from(self.indices),
        ]
    }

    fn before(&self, b: &mut KernelBuilder, x: ValueId, y: ValueId) -> ValueId {
        if self.descending {
            less(b, y, x)
        } else {
            less(b, x, y)
        }
    }
}

fn array(b: &mut KernelBuilder, name: &str, dtype: DType, rank: u8) -> ArrayRef {
    let kind = ParamKind::Array {
        dtype,
        rank,
        layout: Layout::Contiguous,
    };
    ArrayRef::Param(b.param(name, kind))
}

fn int64(b: &mut KernelBuilder, name: &str) -> ParamId {
    b.param(name, ParamKind::Scalar(DType::Int64))
}

fn place(array: ArrayRef, indices: &[ValueId]) -> Place {
    Place::new(array, indices.iter().copied())
}

/// Whether x comes before y.
fn less(b: &mut KernelBuilder, x: ValueId, y: ValueId) -> ValueId {
    use BinaryOp::{BitAnd, BitOr};
    match b.dtype(x).kind() {
        Kind::Bool => {
            let (x, y) = (b.convert(x, DType::UInt8), b.convert(y, DType::UInt8));
            b.compare(CompareOp::Less, x, y)
        }
        Kind::Int | Kind::UInt => b.compare(CompareOp::Less, x, y),
        Kind::Float => {
            let less = b.compare(CompareOp::Less, x, y);
            let (x_nan, y_nan) = (b.unary(UnaryOp::IsNan, x), b.unary(UnaryOp::IsNan, y));
            let x_number = b.unary(UnaryOp::Not, x_nan);
            let last = b.binary(BitAnd, x_number, y_nan);
            b.binary(BitOr, less, last)
        }
        Kind::Complex => {
            let (x_re, y_re) = (b.unary(UnaryOp::Real, x), b.unary(UnaryOp::Real, y));
            let (x_im, y_im) = (
                b.unary(UnaryOp::Imaginary, x),
                b.unary(UnaryOp::Imaginary, y),
            );
            let (x_class, y_class) = (class(b, x_re, x_im), class(b, y_re, y_im));
            let class_less = b.compare(CompareOp::Less, x_class, y_class);
            let class_same = b.compare(CompareOp::Equal, x_class, y_class);
            let (re_less, re_more) = (less(b, x_re, y_re), less(b, y_re, x_re));
            let im_less = less(b, x_im, y_im);
            let re_same = b.unary(UnaryOp::Not, re_more);
            let by_im = b.binary(BitAnd, re_same, im_less);
            let by_parts = b.binary(BitOr, re_less, by_im);
            let within = b.binary(BitAnd, class_same, by_parts);
            b.binary(BitOr, class_less, within)
        }
    }
}

/// 2 if the real part is NaN, 1 if only the imaginary part is, else 0.
fn class(b: &mut KernelBuilder, re: ValueId, im: ValueId) -> ValueId {
    let (re_nan, im_nan) = (b.unary(UnaryOp::IsNan, re), b.unary(UnaryOp::IsNan, im));
    let [zero, one, two] = [0, 1, 2].map(|number| b.int64(number));
    let of_number = b.select(im_nan, one, zero);
    b.select(re_nan, two, of_number)
}

/// Sorts blocks of [`BLOCK`] neighbours. Parameters: elements, results, and if asked for the indices of
/// the results, all rows × length. The index space is rows × blocks.
pub fn sort_blocks(sort: &Sort) -> Kernel {
    let mut builder = KernelBuilder::new(
        "sort_blocks",
        2,
        KernelKind::Region {
            reductions: Vec::new(),
        },
    );
    let b = &mut builder;
    let from = array(b, "x", sort.dtype, 2);
    let to = array(b, "result", sort.dtype, 2);
    let to_indices = sort.indices.then(|| array(b, "indices", DType::Int64, 2));
    let keys =
        ArrayRef::Storage(b.storage("keys", sort.dtype, &[BLOCK as u32], StorageClass::Private));
    let places = sort.indices.then(|| {
        ArrayRef::Storage(b.storage(
            "places",
            DType::Int64,
            &[BLOCK as u32],
            StorageClass::Private,
        ))
    });
    let turn = b.variable("turn", DType::Int64);
    let hole = b.variable("hole", DType::Int64);
    let going = b.variable("going", DType::Bool);

    let row = b.index(IndexFunction::GlobalId, 0);
    let block = b.index(IndexFunction::GlobalId, 1);
    let length = b.extent(from, 1);
    let (zero, one) = (b.int64(0), b.int64(1));
    let size = b.int64(BLOCK as i64);
    let first = b.binary(BinaryOp::Multiply, block, size);
    let left = b.binary(BinaryOp::Subtract, length, first);
    let count = b.binary(BinaryOp::Minimum, left, size);

    b.begin_for(turn, zero, count, one);
    let now = b.get(turn);
    let index = b.binary(BinaryOp::Add, first, now);
    let key = b.load(place(from, &[row, index]));
    b.set(hole, now);
    let some = b.compare(CompareOp::Less, zero, now);
    b.set(going, some);
    b.begin_while();
    let go = b.get(going);
    b.begin_while_body(go);
    let at = b.get(hole);
    let below = b.binary(BinaryOp::Subtract, at, one);
    let other = b.load(place(keys, &[below]));
    let before = sort.before(b, key, other);
    b.begin_if(before);
    b.store(place(keys, &[at]), other);
    if let Some(places) = places {
        let moved = b.load(place(places, &[below]));
        b.store(place(places, &[at]), moved);
    }
    b.set(hole, below);
    let more = b.compare(CompareOp::Less, zero, below);
    b.set(going, more);
    b.begin_else();
    let no = b.literal(colocate_ir::Literal::Bool(false));
    b.set(going, no);
    b.end();
    b.end();
    let at = b.get(hole);
    b.store(place(keys, &[at]), key);
    if let Some(places) = places {
        b.store(place(places, &[at]), index);
    }
    b.end();

    b.begin_for(turn, zero, count, one);
    let now = b.get(turn);
    let index = b.binary(BinaryOp::Add, first, now);
    let key = b.load(place(keys, &[now]));
    b.store(place(to, &[row, index]), key);
    if let (Some(places), Some(to)) = (places, to_indices) {
        let moved = b.load(place(places, &[now]));
        b.store(place(to, &[row, index]), moved);
    }
    b.end();
    builder.finish()
}

/// Merges pairs of sorted runs. Parameters: elements and results, then if asked for their indices
/// and the indices of the results, all rows × length; the length of a run. The index space is rows ×
/// parts of [`PART`] elements of the result.
pub fn merge(sort: &Sort) -> Kernel {
    let mut builder = KernelBuilder::new(
        "merge",
        2,
        KernelKind::Region {
            reductions: Vec::new(),
        },
    );
    let b = &mut builder;
    let from = array(b, "x", sort.dtype, 2);
    let to = array(b, "result", sort.dtype, 2);
    let indices = sort.indices.then(|| {
        (
            array(b, "from_indices", DType::Int64, 2),
            array(b, "to_indices", DType::Int64, 2),
        )
    });
    let run = int64(b, "run");
    let low = b.variable("low", DType::Int64);
    let high = b.variable("high", DType::Int64);
    let turn = b.variable("turn", DType::Int64);

    let row = b.index(IndexFunction::GlobalId, 0);
    let part = b.index(IndexFunction::GlobalId, 1);
    let length = b.extent(from, 1);
    let (zero, one, two) = (b.int64(0), b.int64(1), b.int64(2));
    let size = b.int64(PART as i64);
    let run = b.scalar(run);
    let twice = b.binary(BinaryOp::Multiply, run, two);
    let first = b.binary(BinaryOp::Multiply, part, size);
    let left_over = b.binary(BinaryOp::Subtract, length, first);
    let count = b.binary(BinaryOp::Minimum, size, left_over);
    let pair = b.binary(BinaryOp::Quotient, first, twice);
    let start = b.binary(BinaryOp::Multiply, pair, twice);
    let after = b.binary(BinaryOp::Add, start, run);
    let middle = b.binary(BinaryOp::Minimum, after, length);
    let after = b.binary(BinaryOp::Add, start, twice);
    let end = b.binary(BinaryOp::Minimum, after, length);
    let left_length = b.binary(BinaryOp::Subtract, middle, start);
    let right_length = b.binary(BinaryOp::Subtract, end, middle);
    let diagonal = b.binary(BinaryOp::Subtract, first, start);

    // How many elements of the left run come before this part.
    let least = b.binary(BinaryOp::Subtract, diagonal, right_length);
    let least = b.binary(BinaryOp::Maximum, least, zero);
    let most = b.binary(BinaryOp::Minimum, diagonal, left_length);
    b.set(low, least);
    b.set(high, most);
    b.begin_while();
    let (a, z) = (b.get(low), b.get(high));
    let open = b.compare(CompareOp::Less, a, z);
    b.begin_while_body(open);
    let (a, z) = (b.get(low), b.get(high));
    let sum = b.binary(BinaryOp::Add, a, z);
    let half = b.binary(BinaryOp::ShiftRight, sum, one);
    let left_at = b.binary(BinaryOp::Add, start, half);
    let left = b.load(place(from, &[row, left_at]));
    let rest = b.binary(BinaryOp::Subtract, diagonal, half);
    let rest = b.binary(BinaryOp::Subtract, rest, one);
    let right_at = b.binary(BinaryOp::Add, middle, rest);
    let right = b.load(place(from, &[row, right_at]));
    let right_first = sort.before(b, right, left);
    let next = b.binary(BinaryOp::Add, half, one);
    let new_low = b.select(right_first, a, next);
    let new_high = b.select(right_first, half, z);
    b.set(low, new_low);
    b.set(high, new_high);
    b.end();

    let before = b.get(low);
    let i = b.binary(BinaryOp::Add, start, before);
    b.set(low, i);
    let rest = b.binary(BinaryOp::Subtract, diagonal, before);
    let j = b.binary(BinaryOp::Add, middle, rest);
    b.set(high, j);
    let last_left = b.binary(BinaryOp::Subtract, middle, one);
    let last = b.binary(BinaryOp::Subtract, end, one);
    b.begin_for(turn, zero, count, one);
    let (i, j) = (b.get(low), b.get(high));
    // An exhausted run's last element is read again, but not taken.
    let safe_i = b.binary(BinaryOp::Minimum, i, last_left);
    let safe_j = b.binary(BinaryOp::Minimum, j, last);
    let left = b.load(place(from, &[row, safe_i]));
    let right = b.load(place(from, &[row, safe_j]));
    let has_left = b.compare(CompareOp::Less, i, middle);
    let has_right = b.compare(CompareOp::Less, j, end);
    let right_first = sort.before(b, right, left);
    let no_left = b.unary(UnaryOp::Not, has_left);
    let right_first = b.binary(BinaryOp::BitOr, right_first, no_left);
    let takes_right = b.binary(BinaryOp::BitAnd, right_first, has_right);
    let element = b.select(takes_right, right, left);
    let now = b.get(turn);
    let index = b.binary(BinaryOp::Add, first, now);
    b.store(place(to, &[row, index]), element);
    if let Some((from, to)) = indices {
        let at = b.select(takes_right, safe_j, safe_i);
        let moved = b.load(place(from, &[row, at]));
        b.store(place(to, &[row, index]), moved);
    }
    let (next_i, next_j) = (
        b.binary(BinaryOp::Add, i, one),
        b.binary(BinaryOp::Add, j, one),
    );
    let new_i = b.select(takes_right, i, next_i);
    let new_j = b.select(takes_right, next_j, j);
    b.set(low, new_i);
    b.set(high, new_j);
    b.end();
    builder.finish()
}

/// What is searched for, and how.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Search {
    /// Of the elements and of what is searched for.
    pub dtype: DType,
    /// Whether places are after elements that are equal, not before them.
    pub right: bool,
    /// Whether elements are read through indices that sort them.
    pub sorter: bool,
}

impl Search {
    /// What tells its kernel from others.
    pub fn words(&self) -> [u32; 3] {
        [
            self.dtype as u32,
            u32::from(self.right),
            u32::from(self.sorter),
        ]
    }
}

/// Finds where elements would have to be inserted. Parameters: the sorted elements, what is searched
/// for, the results (int64), and if asked for the indices that sort. The index space is that of the
/// results.
pub fn search(search: &Search) -> Kernel {
    let mut builder = KernelBuilder::new(
        "search_sorted",
        1,
        KernelKind::Region {
            reductions: Vec::new(),
        },
    );
    let b = &mut builder;
    let sorted = array(b, "sorted", search.dtype, 1);
    let wanted = array(b, "wanted", search.dtype, 1);
    let result = array(b, "result", DType::Int64, 1);
    let sorter = search.sorter.then(|| array(b, "sorter", DType::Int64, 1));
    let low = b.variable("low", DType::Int64);
    let high = b.variable("high", DType::Int64);
    let item = b.index(IndexFunction::GlobalId, 0);
    let one = b.int64(1);
    let zero = b.int64(0);
    let length = b.extent(sorted, 0);
    let value = b.load(place(wanted, &[item]));
    b.set(low, zero);
    b.set(high, length);
    b.begin_while();
    let (a, z) = (b.get(low), b.get(high));
    let open = b.compare(CompareOp::Less, a, z);
    b.begin_while_body(open);
    let (a, z) = (b.get(low), b.get(high));
    let sum = b.binary(BinaryOp::Add, a, z);
    let half = b.binary(BinaryOp::ShiftRight, sum, one);
    let at = match sorter {
        None => half,
        Some(sorter) => {
            // Indices may be anything; elements are not read from elsewhere.
            let at = b.load(place(sorter, &[half]));
            let last = b.binary(BinaryOp::Subtract, length, one);
            let at = b.binary(BinaryOp::Minimum, at, last);
            b.binary(BinaryOp::Maximum, at, zero)
        }
    };
    let element = b.load(place(sorted, &[at]));
    let goes_on = if search.right {
        let stops = less(b, value, element);
        b.unary(UnaryOp::Not, stops)
    } else {
        less(b, element, value)
    };
    let next = b.binary(BinaryOp::Add, half, one);
    let new_low = b.select(goes_on, next, a);
    let new_high = b.select(goes_on, z, half);
    b.set(low, new_low);
    b.set(high, new_high);
    b.end();
    let found = b.get(low);
    b.store(place(result, &[item]), found);
    builder.finish()
}
