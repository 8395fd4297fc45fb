//! Advanced indexing as arithmetic: which axes index arrays run along, and the shape that results.
//!
//! The rules are NumPy's. Slices, integers and new axes make a view first. Index arrays are broadcast
//! together, and their axes come where the first of them stood if they stood side by side, else
//! first. An integer beside an index array counts as one of them in this. A mask stands for as many
//! index arrays as it has axes: where it is true.

use crate::{Array, Result};
use colocate_dtype::index::{IndexError, Item};
use colocate_dtype::{Dims, Strides, broadcast_shapes};
use smallvec::SmallVec;

/// Indices along one axis.
#[derive(Clone, Debug)]
pub struct Indices {
    /// An array of integers.
    pub array: Array,
    /// The least and the greatest of them, where they are known.
    pub range: Option<(i64, i64)>,
}

/// One of the things between the brackets.
#[derive(Clone, Debug)]
pub enum Selector {
    /// A basic one.
    Item(Item),
    /// An index array.
    Indices(Indices),
    /// A mask over so many axes as it has, of which there is at least one.
    Mask(Array),
    /// `True` or `False`, which select all or nothing along a new axis.
    Truth(bool),
}

/// Index arrays along an axis of a view.
#[derive(Clone, Debug)]
pub struct Along {
    /// What they are.
    pub indices: Indices,
    /// The axis of the view.
    pub view_axis: usize,
    /// The axis of the array that was indexed, for messages.
    pub axis: usize,
}

/// What `x[…]` with index arrays means.
#[derive(Clone, Debug)]
pub struct Selection {
    /// The array after its basic indices.
    pub view: Array,
    /// The index arrays.
    pub along: SmallVec<[Along; 2]>,
    /// The shape they have together.
    pub index_shape: Dims,
    /// How many axes of the result come before theirs.
    pub before: usize,
    /// Whether no element is selected twice.
    pub distinct: bool,
}

impl Selection {
    /// Reads an index. Masks are looked through, which waits for them.
    pub fn new(array: &Array, selectors: &[Selector]) -> Result<Selection> {
        let ndim = array.layout().ndim();
        let used: usize = selectors
            .iter()
            .map(|selector| match selector {
                Selector::Item(Item::At(_) | Item::Slice { .. }) | Selector::Indices(_) => 1,
                Selector::Mask(mask) => mask.layout().ndim(),
                Selector::Item(_) | Selector::Truth(_) => 0,
            })
            .sum();
        if used > ndim {
            return Err(IndexError::TooMany { ndim, given: used }.into());
        }
        let mut reader = Reader::default();
        for selector in selectors {
            reader.read(array, selector, ndim - used)?;
        }
        let masks = selectors
            .iter()
            .filter(|one| matches!(one, Selector::Mask(_)))
            .count();
        let arrays = selectors
            .iter()
            .filter(|one| matches!(one, Selector::Indices(_) | Selector::Truth(_)))
            .count();
        let mut index_shape = Dims::new();
        for shape in &reader.shapes {
            index_shape = broadcast_shapes(&index_shape, shape).map_err(|_| {
                let shapes = reader.shapes.iter().map(|shape| shape.to_vec()).collect();
                IndexError::Shapes { shapes }
            })?;
        }
        let selection = Selection {
            view: array.index(&reader.items)?,
            before: if reader.scattered { 0 } else { reader.before },
            along: reader.along,
            index_shape,
            distinct: masks == 1 && arrays == 0,
        };
        let got = selection.shape().len();
        if got > colocate_dtype::Layout::MAX_NDIM {
            return Err(IndexError::TooManyDims { got }.into());
        }
        Ok(selection)
    }

    /// Index arrays along one axis, all of the others.
    pub fn along_axis(array: &Array, axis: usize, indices: Indices) -> Selection {
        Selection {
            view: array.clone(),
            index_shape: Dims::from_slice(indices.array.shape()),
            along: smallvec::smallvec![Along {
                indices,
                view_axis: axis,
                axis
            }],
            before: axis,
            distinct: false,
        }
    }

    /// The axes of the view that no index array runs along.
    fn rest(&self) -> impl Iterator<Item = usize> + '_ {
        let is_indexed = |axis: usize| self.along.iter().any(|along| along.view_axis == axis);
        (0..self.view.layout().ndim()).filter(move |&axis| !is_indexed(axis))
    }

    /// The shape of the result.
    pub fn shape(&self) -> Dims {
        let mut shape: Dims = self.rest().map(|axis| self.view.shape()[axis]).collect();
        shape.insert_many(self.before, self.index_shape.iter().copied());
        shape
    }

    /// Strides of the view along the axes of the result; none along the index arrays' axes.
    pub fn view_strides(&self) -> Strides {
        let strides = self.view.layout().strides();
        let mut all: Strides = self.rest().map(|axis| strides[axis]).collect();
        all.insert_many(self.before, std::iter::repeat_n(0, self.index_shape.len()));
        all
    }

    /// Strides of an index array along the axes of the result.
    pub fn index_strides(&self, along: &Along) -> Strides {
        let layout = along.indices.array.layout();
        let spread = layout
            .broadcast_to(&self.index_shape)
            .expect("the shape was made so");
        let mut all = Strides::from_elem(0, self.rest().count());
        all.insert_many(self.before, spread.strides().iter().copied());
        all
    }

    /// The extent and the stride of the view along an index array.
    pub fn reach(&self, along: &Along) -> (usize, isize) {
        let layout = self.view.layout();
        (
            layout.shape()[along.view_axis],
            layout.strides()[along.view_axis],
        )
    }
}

/// The state of reading an index from left to right.
#[derive(Default)]
struct Reader {
    items: SmallVec<[Item; 4]>,
    along: SmallVec<[Along; 2]>,
    shapes: SmallVec<[Dims; 2]>,
    /// Axes read so far: of the array, of the view, and of the view without index arrays.
    axis: usize,
    view_axis: usize,
    rest: usize,
    /// How many axes of the result come before those of index arrays that stand side by side.
    before: usize,
    has_array: bool,
    /// Something else stood after an index array; then another one came.
    is_interrupted: bool,
    scattered: bool,
    has_ellipsis: bool,
}

impl Reader {
    fn read(&mut self, array: &Array, selector: &Selector, implied: usize) -> Result<()> {
        match selector {
            Selector::Item(item @ Item::At(_)) => {
                self.note_array();
                self.items.push(*item);
                self.axis += 1;
            }
            Selector::Item(item) => {
                self.is_interrupted |= self.has_array;
                self.items.push(*item);
                let (axes, views) = match item {
                    Item::NewAxis => (0, 1),
                    Item::Ellipsis if self.has_ellipsis => {
                        return Err(IndexError::TwoEllipses.into());
                    }
                    Item::Ellipsis => {
                        self.has_ellipsis = true;
                        (implied, implied)
                    }
                    _ => (1, 1),
                };
                self.axis += axes;
                self.view_axis += views;
                self.rest += views;
            }
            Selector::Indices(indices) => {
                self.note_array();
                self.shapes.push(Dims::from_slice(indices.array.shape()));
                self.push(indices.clone());
            }
            Selector::Truth(truth) => {
                self.note_array();
                self.shapes.push(smallvec::smallvec![usize::from(*truth)]);
            }
            Selector::Mask(mask) => {
                self.note_array();
                for (offset, &extent) in mask.shape().iter().enumerate() {
                    let axis = self.axis + offset;
                    let own = array.shape()[axis];
                    // As in NumPy, a mask without elements selects nothing of anything.
                    if own != extent && extent != 0 {
                        return Err(IndexError::Mask {
                            axis,
                            extent: own,
                            mask: extent,
                        }
                        .into());
                    }
                }
                let found = crate::compaction::nonzero(mask)?;
                self.shapes.push(Dims::from_slice(found[0].shape()));
                for (offset, array) in found.into_iter().enumerate() {
                    let last = mask.shape()[offset] as i64 - 1;
                    let range = Some((0, last));
                    self.push(Indices { array, range });
                }
            }
        }
        Ok(())
    }

    fn push(&mut self, indices: Indices) {
        self.along.push(Along {
            indices,
            view_axis: self.view_axis,
            axis: self.axis,
        });
        self.items.push(Item::Slice {
            start: None,
            stop: None,
            step: 1,
        });
        self.axis += 1;
        self.view_axis += 1;
    }

    fn note_array(&mut self) {
        if !self.has_array {
            self.has_array = true;
            self.before = self.rest;
        } else if self.is_interrupted {
            self.scattered = true;
        }
    }
}
