//! Products of matrices by tiles.
//!
//! A group computes a square tile of the result. It goes along the common extent in steps of the
//! tile's side; at each step its items bring a tile of either factor into local storage, so that
//! an element is read from global memory once for a whole row or column of the tile.

use colocate_ir::{
    ArrayRef, BinaryOp, CompareOp, DType, IndexFunction, Kernel, KernelBuilder, KernelKind, Kind,
    Layout, Literal, MathFunction, ParamKind, Place, StatementKind, StorageClass, ValueId,
    VariableId,
};

/// Rows of the tile that one item computes.
pub const ROWS_AN_ITEM: u32 = 4;

/// The side of a tile: elements of 16 bytes would fill a small device's local memory otherwise.
pub fn side(dtype: DType) -> u32 {
    if dtype.itemsize() > 8 { 16 } else { 32 }
}

/// The dtype that products are summed in.
pub fn accumulated_dtype(dtype: DType) -> DType {
    match dtype {
        DType::Float16 => DType::Float32,
        other => other,
    }
}

/// The extents of a group: a batch, and the items of a tile.
pub fn group(dtype: DType) -> [usize; 3] {
    let side = side(dtype);
    [1, (side / ROWS_AN_ITEM) as usize, side as usize]
}

struct Builder {
    b: KernelBuilder,
    dtype: DType,
    accumulated: DType,
}

impl Builder {
    fn array(&mut self, name: &str, layout: Layout) -> ArrayRef {
        let kind = ParamKind::Array {
            dtype: self.dtype,
            rank: 3,
            layout,
        };
        ArrayRef::Param(self.b.param(name, kind))
    }

    fn add(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.b.binary(BinaryOp::Add, a, b)
    }

    fn times_plus(&mut self, a: ValueId, b: ValueId, sum: ValueId) -> ValueId {
        let (times, plus) = match self.accumulated.kind() {
            Kind::Float => return self.b.math(MathFunction::Fma, &[a, b, sum]),
            Kind::Bool => (BinaryOp::BitAnd, BinaryOp::BitOr),
            _ => (BinaryOp::Multiply, BinaryOp::Add),
        };
        let product = self.b.binary(times, a, b);
        self.b.binary(plus, sum, product)
    }

    /// `tile[local] = array[place]`, or zero if a condition is false.
    fn bring(
        &mut self,
        array: ArrayRef,
        place: [ValueId; 3],
        inside: ValueId,
        tile: ArrayRef,
        local: [ValueId; 2],
    ) {
        let zero = self.b.literal(Literal::zero(self.accumulated));
        let value = self.b.variable("value", self.accumulated);
        self.b.set(value, zero);
        self.b.begin_if(inside);
        let element = self.b.load(Place::new(array, place));
        let element = self.b.convert(element, self.accumulated);
        self.b.set(value, element);
        self.b.end();
        let element = self.b.get(value);
        self.b.store(Place::new(tile, local), element);
    }

    fn barrier(&mut self) {
        self.b.push(StatementKind::Barrier { global: false });
    }
}

/// `out[n] = a[n] b[n]` for each matrix `n` of a batch.
///
/// Parameters: the contiguous result and the two strided factors, each of rank 3. The index space
/// has the axes batch, rows divided by [`ROWS_AN_ITEM`], columns, the last two rounded up to whole
/// [`group`]s. Half floats are summed as float32; sums of bools are disjunctions.
pub fn matmul(dtype: DType) -> Kernel {
    let side = side(dtype);
    let height = i64::from(side / ROWS_AN_ITEM);
    let mut k = Builder {
        b: KernelBuilder::new("matmul", 3, KernelKind::NdRange),
        dtype,
        accumulated: accumulated_dtype(dtype),
    };
    let out = k.array("out", Layout::Contiguous);
    let left = k.array("a", Layout::Strided);
    let right = k.array("b", Layout::Strided);
    let tile = |k: &mut Builder, name: &str| {
        let id =
            k.b.storage(name, k.accumulated, &[side, side], StorageClass::Local);
        ArrayRef::Storage(id)
    };
    let left_tile = tile(&mut k, "a_tile");
    let right_tile = tile(&mut k, "b_tile");
    let batch = k.b.index(IndexFunction::GlobalId, 0);
    let y = k.b.index(IndexFunction::LocalId, 1);
    let x = k.b.index(IndexFunction::LocalId, 2);
    let column = k.b.index(IndexFunction::GlobalId, 2);
    let group = k.b.index(IndexFunction::GroupId, 1);
    let side_value = k.b.int64(i64::from(side));
    let first_row = k.b.binary(BinaryOp::Multiply, group, side_value);
    let rows = k.b.extent(out, 1);
    let columns = k.b.extent(out, 2);
    let depth = k.b.extent(left, 2);
    let column_inside = k.b.compare(CompareOp::Less, column, columns);
    let accumulated = k.accumulated;
    let sums: Vec<VariableId> = (0..ROWS_AN_ITEM)
        .map(|number| k.b.variable(&format!("sum{number}"), accumulated))
        .collect();
    // The rows of the tile that this item computes and brings.
    let local_rows: Vec<ValueId> = (0..ROWS_AN_ITEM)
        .map(|number| {
            let offset = k.b.int64(i64::from(number) * height);
            k.add(y, offset)
        })
        .collect();
    let (zero, one) = (k.b.int64(0), k.b.int64(1));
    let start = k.b.variable("start", DType::Int64);
    k.b.begin_for(start, zero, depth, side_value);
    let first = k.b.get(start);
    for &local_row in &local_rows {
        let row = k.add(first_row, local_row);
        let row_inside = k.b.compare(CompareOp::Less, row, rows);
        let inner = k.add(first, x);
        let inner_inside = k.b.compare(CompareOp::Less, inner, depth);
        let inside = k.b.binary(BinaryOp::BitAnd, row_inside, inner_inside);
        k.bring(left, [batch, row, inner], inside, left_tile, [local_row, x]);
        let inner = k.add(first, local_row);
        let inner_inside = k.b.compare(CompareOp::Less, inner, depth);
        let inside = k.b.binary(BinaryOp::BitAnd, column_inside, inner_inside);
        k.bring(
            right,
            [batch, inner, column],
            inside,
            right_tile,
            [local_row, x],
        );
    }
    k.barrier();
    let step = k.b.variable("step", DType::Int64);
    k.b.begin_for(step, zero, side_value, one);
    let at = k.b.get(step);
    let factor = k.b.load(Place::new(right_tile, [at, x]));
    for (&sum, &local_row) in sums.iter().zip(&local_rows) {
        let element = k.b.load(Place::new(left_tile, [local_row, at]));
        let so_far = k.b.get(sum);
        let next = k.times_plus(element, factor, so_far);
        k.b.set(sum, next);
    }
    k.b.end();
    k.barrier();
    k.b.end();
    for (&sum, &local_row) in sums.iter().zip(&local_rows) {
        let row = k.add(first_row, local_row);
        let row_inside = k.b.compare(CompareOp::Less, row, rows);
        let inside = k.b.binary(BinaryOp::BitAnd, row_inside, column_inside);
        k.b.begin_if(inside);
        let value = k.b.get(sum);
        let value = k.b.convert(value, dtype);
        k.b.store(Place::new(out, [batch, row, column]), value);
        k.b.end();
    }
    k.b.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernel_is_sound_for_every_dtype() {
        for dtype in DType::ALL {
            let violations = colocate_ir::verify(&matmul(dtype));
            assert!(violations.is_empty(), "{dtype}: {violations:?}");
        }
    }
}
