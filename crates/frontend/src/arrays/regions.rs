//! Regions: parts of a jit function that run as kernels.
//!
//! While a region is built the host part's builder rests in [`RegionState`]. What the region needs
//! from outside becomes a parameter at its first use: numbers by [`Translator::import`], arrays by
//! [`Translator::import_array`].

use crate::arrays::lazy::{Root, resolved, same_value};
use crate::host::random_streams::Streams;
use crate::program::{Call, FAILURE, Region, RegionParameter, Usual};
use crate::translate::Translator;
use crate::value::{Know, Scalar, Value, View};
use colocate_diag::Site;
use colocate_ir::in_parts::in_rows;
use colocate_ir::range_checks::{RangeChecks, without_checks};
use colocate_ir::{
    ArrayRef, BinaryOp, CallResult, CompareOp, DType, IndexFunction, Kernel, KernelBuilder,
    KernelKind, Kind, Layout, LocalId, Op, ParamId, ParamKind, Reduction, ReductionOperator,
    StatementKind, UnaryOp, ValueId, VariableId,
};
use indexmap::IndexMap;
use ruff_text_size::TextRange;
use std::collections::{HashMap, HashSet};

/// An element of a lazy array: which array, and the indices.
pub(crate) type ElementKey = (u32, Vec<(Option<ValueId>, Option<i128>)>);

/// A region being built.
pub(crate) struct RegionState {
    /// The builder of the host part meanwhile.
    host: KernelBuilder,
    /// The host part's variables by name. Those of the region have numbers of their own.
    host_variables: crate::scope::Variables,
    /// What is known of the host part's variables.
    host_constants: HashMap<VariableId, ValueId>,
    host_broadcasts: HashSet<ValueId>,
    host_counters: HashMap<VariableId, (Scalar, Scalar)>,
    /// Numbers of the host part that are parameters here.
    imports: HashMap<ValueId, ParamId>,
    /// Arrays of the host part that are parameters here.
    pub arrays: IndexMap<LocalId, ParamId>,
    /// One for each parameter: what it is, and the words that the launch passes for it.
    pub parameters: Vec<(RegionParameter, Vec<ValueId>)>,
    /// Pairs of extents that are taken to be equal.
    assumptions: Vec<(Scalar, Scalar)>,
    /// Whether extents that are most likely equal are taken to be.
    fast: bool,
    elements: HashMap<ElementKey, Scalar>,
    reductions: Vec<Reduction>,
    /// Whether it is the body of a loop of the program.
    pub is_loop: bool,
    /// How many frames there are in that loop's body itself.
    pub frames: usize,
    /// The counters of that loop and of the one inside it that are the region's axes.
    pub counters: Vec<AxisCounter>,
    /// Arrays that expressions read which were not computed when something was stored.
    pub pending: HashSet<ArrayRef>,
    /// Expressions that are parts of others, and those that have parts: they would share memory.
    pub shared: HashSet<u32>,
    /// Why it cannot be a kernel, if that was found.
    pub hindrance: Option<String>,
    /// Where failures of items are gathered.
    pub failure: Option<VariableId>,
    /// The random numbers of a loop's turns.
    pub streams: Option<Streams>,
    /// The variables of a loop that are combined over its turns: name, what it is taken for, and what it would
    /// have to be.
    pub combined: Vec<(String, Scalar, Option<Scalar>)>,
}

impl RegionState {
    /// Forgets the elements whose values, or whose indices, come after the first so many.
    pub fn forget_elements(&mut self, values: usize) {
        let stays = |value: &Option<ValueId>| value.is_none_or(|value| value.index() < values);
        self.elements.retain(|(_, indices), element| {
            stays(&element.ir) && indices.iter().all(|(index, _)| stays(index))
        });
    }
}

/// The counter of a loop that is an axis of a region.
pub(crate) struct AxisCounter {
    /// In terms of the item.
    pub value: ValueId,
    /// Its first number and one beyond the last.
    pub bounds: Option<(Scalar, Scalar)>,
}

/// A region that is ready to be launched.
pub(crate) struct Built {
    region: Region,
    words: Vec<ValueId>,
    /// Where the reductions' results go, in the host part.
    pub results: Vec<VariableId>,
    assumptions: Vec<(Scalar, Scalar)>,
}

impl Built {
    /// Whether the turns of its second axis can be done in order.
    pub fn runs_in_rows(&self) -> bool {
        in_rows(&self.region.kernel, self.region.failure()).is_some()
    }
}

/// Index spaces have at most this many axes.
const MOST_AXES: usize = 3;

impl Translator<'_> {
    /// How many regions are open around this point.
    pub fn level(&self) -> usize {
        usize::from(self.region.is_some())
    }

    /// The parameter for a number of the host part; what the region can find out itself is none.
    pub fn import(&mut self, value: ValueId, dtype: DType) -> ValueId {
        let region = self.region.as_mut().expect("a region is open");
        let value = resolved(&region.host, &region.host_constants, value);
        match region.host.definition(value) {
            Some(Op::Literal(literal)) => {
                let literal = *literal;
                return self.b.literal(literal);
            }
            Some(Op::Extent(ArrayRef::Local(local), axis)) if !self.mutable.contains(local) => {
                let (local, axis) = (*local, *axis);
                let param = self.import_array(local);
                return self.b.extent(ArrayRef::Param(param), axis);
            }
            _ => {}
        }
        let region = self.region.as_mut().expect("a region is open");
        let root = |array: ArrayRef, axis: u8| match array {
            ArrayRef::Local(local) if !self.mutable.contains(&local) => {
                let shape = self.shapes.get(&local);
                let known = shape.and_then(|shape| shape.get(usize::from(axis)).copied());
                Some(known.unwrap_or(Root::Extent(local, axis)))
            }
            _ => None,
        };
        let known = region.imports.iter().find(|(other, _)| {
            let (host, constants) = (&region.host, &region.host_constants);
            same_value(host, constants, &root, **other, value, 16)
        });
        let param = match known {
            Some((_, param)) => *param,
            None => {
                let param = self.b.param("number", ParamKind::Scalar(dtype));
                let words = words_of(&mut region.host, value);
                region
                    .parameters
                    .push((RegionParameter::Scalar(dtype), words));
                region.imports.insert(value, param);
                param
            }
        };
        self.b.scalar(param)
    }

    /// The parameter for an array of the host part.
    pub fn import_array(&mut self, local: LocalId) -> ParamId {
        let region = self.region.as_mut().expect("a region is open");
        if let Some(param) = region.arrays.get(&local) {
            return *param;
        }
        let array = region.host.kernel().locals[local.index()].clone();
        let kind = ParamKind::Array {
            dtype: array.dtype,
            rank: array.rank,
            layout: array.layout,
        };
        let param = self.b.param(&array.name, kind);
        let parameter = RegionParameter::Array {
            local,
            reads: false,
            writes: false,
            aligned: false,
        };
        region.parameters.push((parameter, Vec::new()));
        region.arrays.insert(local, param);
        param
    }

    /// Whether two extents may be taken to be equal in the region being built.
    pub fn may_assume(&mut self, a: &Scalar, b: &Scalar, level: usize) -> bool {
        let here = self.level();
        match &mut self.region {
            Some(region) if region.fast && level < here => {
                region.assumptions.push((*a, *b));
                true
            }
            _ => false,
        }
    }

    pub fn known_element(&mut self, key: &ElementKey) -> Option<Scalar> {
        self.region.as_ref()?.elements.get(key).copied()
    }

    /// Keeps an element for its next use. Only what is computed in the outermost block is visible
    /// everywhere.
    pub fn remember_element(&mut self, key: ElementKey, element: Scalar) {
        if self.b.depth() == 1
            && let Some(region) = &mut self.region
        {
            region.elements.insert(key, element);
        }
    }

    /// Begins a region over an index space.
    pub fn begin_region(&mut self, name: &str, rank: usize, fast: bool) {
        let rank = rank.clamp(1, MOST_AXES) as u8;
        let kind = KernelKind::Region {
            reductions: Vec::new(),
        };
        let mut builder = KernelBuilder::new(name, rank, kind);
        builder.kernel_mut().fast_math = self.b.kernel().fast_math;
        builder.site = self.b.site;
        let host = std::mem::replace(&mut self.b, builder);
        self.region = Some(Box::new(RegionState {
            host,
            host_variables: std::mem::take(&mut self.variables),
            host_constants: std::mem::take(&mut self.constant_variables),
            host_broadcasts: std::mem::take(&mut self.broadcasts),
            host_counters: std::mem::take(&mut self.counters),
            imports: HashMap::new(),
            arrays: IndexMap::new(),
            parameters: Vec::new(),
            assumptions: Vec::new(),
            fast,
            elements: HashMap::new(),
            reductions: Vec::new(),
            is_loop: false,
            frames: 0,
            counters: Vec::new(),
            pending: HashSet::new(),
            shared: HashSet::new(),
            hindrance: None,
            failure: None,
            streams: None,
            combined: Vec::new(),
        }));
    }

    /// A reduction of the region: the variable that each item leaves its contribution in. `start` is
    /// what the result begins with, in the host part.
    pub fn declare_reduction(
        &mut self,
        operator: ReductionOperator,
        dtype: DType,
        start: ValueId,
    ) -> VariableId {
        let variable = self.b.variable("reduced", dtype);
        let kind = ParamKind::Array {
            dtype,
            rank: 0,
            layout: Layout::Contiguous,
        };
        let target = self.b.param("result", kind);
        let region = self.region.as_mut().expect("a region is open");
        let words = words_of(&mut region.host, start);
        region
            .parameters
            .push((RegionParameter::Reduction(dtype), words));
        region.reductions.push(Reduction {
            operator,
            variable,
            target,
        });
        variable
    }

    /// Makes the failures of items a reduction: the first one counts.
    pub fn declare_failures(&mut self) {
        let region = self.region.as_mut().expect("a region is open");
        let Some(variable) = region.failure else {
            return;
        };
        let none = region.host.int64(i64::MAX);
        let kind = ParamKind::Array {
            dtype: DType::Int64,
            rank: 0,
            layout: Layout::Contiguous,
        };
        let target = self.b.param(FAILURE, kind);
        region
            .parameters
            .push((RegionParameter::Reduction(DType::Int64), vec![none]));
        region.reductions.push(Reduction {
            operator: ReductionOperator::Minimum,
            variable,
            target,
        });
    }

    /// Ends a region; the host part goes on.
    pub fn end_region(&mut self, what: &str, sites: Vec<Site>) -> (Built, RegionState) {
        let mut region = *self.region.take().expect("a region is open");
        let placeholder = KernelBuilder::new("none", 1, KernelKind::Host);
        let host = std::mem::replace(&mut region.host, placeholder);
        let mut builder = std::mem::replace(&mut self.b, host);
        self.variables = std::mem::take(&mut region.host_variables);
        self.constant_variables = std::mem::take(&mut region.host_constants);
        self.broadcasts = std::mem::take(&mut region.host_broadcasts);
        self.counters = std::mem::take(&mut region.host_counters);
        builder.kernel_mut().kind = KernelKind::Region {
            reductions: std::mem::take(&mut region.reductions),
        };
        let aligned = aligned_params(&builder);
        let lanes = steps_over_rows(&builder).then_some(1);
        let kernel = builder.finish();
        let accesses = colocate_ir::access::param_accesses(&kernel);
        // Loops that LLVM vectorises: it need not look whether arrays overlap, row by row.
        let disjoint = region.is_loop
            && lanes == Some(1)
            && region.arrays.len() > 1
            && accesses.iter().any(|access| access.writes);
        let usual = usual_kernel(&kernel, disjoint);
        if let Some(streams) = region.streams.take() {
            self.draw_keys(&streams, &mut region.parameters);
        }
        let mut parameters = Vec::new();
        let mut words = Vec::new();
        let mut results = Vec::new();
        for (position, (parameter, own)) in region.parameters.iter().enumerate() {
            let mut parameter = parameter.clone();
            match &mut parameter {
                RegionParameter::Array {
                    reads,
                    writes,
                    aligned: own,
                    ..
                } => {
                    (*reads, *writes) = (accesses[position].reads, accesses[position].writes);
                    *own = aligned[position];
                }
                RegionParameter::Reduction(dtype) => {
                    results.push(self.b.variable("result", *dtype));
                }
                RegionParameter::Scalar(_) => {}
            }
            parameters.push(parameter);
            words.extend(own);
        }
        let built = Built {
            region: Region {
                kernel,
                parameters,
                sites,
                what: what.into(),
                lanes,
                is_loop: region.is_loop,
                is_nest: region.counters.len() > 1,
                usual,
                rare: false,
            },
            words,
            results,
            assumptions: std::mem::take(&mut region.assumptions),
        };
        (built, region)
    }

    /// Ends a region that is not wanted.
    pub fn abandon_region(&mut self) -> RegionState {
        let mut region = *self.region.take().expect("a region is open");
        let placeholder = KernelBuilder::new("none", 1, KernelKind::Host);
        self.b = std::mem::replace(&mut region.host, placeholder);
        self.variables = std::mem::take(&mut region.host_variables);
        self.constant_variables = std::mem::take(&mut region.host_constants);
        self.broadcasts = std::mem::take(&mut region.host_broadcasts);
        self.counters = std::mem::take(&mut region.host_counters);
        region
    }

    /// The indices of the item in the index space of a shape.
    pub fn item_indices(&mut self, shape: &[Scalar]) -> Vec<Scalar> {
        let rank = shape.len();
        let id = |t: &mut Self, axis: usize| {
            let ir = t.b.index(IndexFunction::GlobalId, axis as u8);
            Scalar::int(ir, Know::NonNegative)
        };
        if rank <= MOST_AXES {
            return (0..rank).map(|axis| id(self, axis)).collect();
        }
        // The first axis of the space counts through all but the last two.
        let folded = rank - (MOST_AXES - 1);
        let mut rest = id(self, 0);
        let mut indices = Vec::new();
        for extent in shape[1..folded].iter().rev() {
            let extent = self.brought(extent, 0);
            let (at, extent) = (self.ir(&rest), self.ir(&extent));
            let index = self.b.binary(BinaryOp::Remainder, at, extent);
            indices.push(Scalar::int(index, Know::NonNegative));
            let above = self.b.binary(BinaryOp::Quotient, at, extent);
            rest = Scalar::int(above, Know::NonNegative);
        }
        indices.push(rest);
        indices.reverse();
        indices.extend([id(self, 1), id(self, 2)]);
        indices
    }

    /// The extents of the index space of a shape.
    fn space(&mut self, shape: &[Scalar]) -> Vec<ValueId> {
        let rank = shape.len();
        if rank <= MOST_AXES {
            return shape.iter().map(|extent| self.ir(extent)).collect();
        }
        let folded = rank - (MOST_AXES - 1);
        let mut product = shape[0];
        for extent in &shape[1..folded] {
            product = self.index_op(BinaryOp::Multiply, &product, extent);
        }
        let axes = [product, shape[rank - 2], shape[rank - 1]];
        axes.iter().map(|extent| self.ir(extent)).collect()
    }

    /// Emits the launch of a region over the index space of a shape.
    pub fn launch(&mut self, built: Built, shape: &[Scalar]) {
        let mut words = self.space(shape);
        words.extend(&built.words);
        let results = built.results.iter().copied();
        let results = results.map(CallResult::Variable).collect();
        let state = self.program();
        let number = state.regions.len();
        state.regions.push(built.region);
        self.call(Call::Launch { region: number }, &words, results);
    }

    /// Builds a region twice if it rests on extents being equal, and launches the one that fits.
    pub fn launch_assuming(
        &mut self,
        shape: &[Scalar],
        build: &mut dyn FnMut(&mut Self, bool) -> Option<Built>,
    ) -> Option<Vec<VariableId>> {
        let fast = build(self, true)?;
        if fast.assumptions.is_empty() {
            let results = fast.results.clone();
            self.launch(fast, shape);
            return Some(results);
        }
        let mut slow = build(self, false)?;
        slow.region.rare = true;
        slow.results.clone_from(&fast.results);
        let mut all: Option<ValueId> = None;
        let mut seen: Vec<(Option<ValueId>, Option<ValueId>)> = Vec::new();
        for (a, b) in &fast.assumptions {
            if seen.contains(&(a.ir, b.ir)) {
                continue;
            }
            seen.push((a.ir, b.ir));
            let (a, b) = (self.ir(a), self.ir(b));
            let equal = self.b.compare(CompareOp::Equal, a, b);
            all = Some(match all {
                Some(all) => self.b.binary(BinaryOp::BitAnd, all, equal),
                None => equal,
            });
        }
        let results = fast.results.clone();
        let condition = all.expect("there are assumptions");
        self.b.begin_if(condition);
        self.launch(fast, shape);
        self.b.begin_else();
        self.launch(slow, shape);
        self.b.end();
        Some(results)
    }

    /// Notes why the loop being translated cannot be a kernel.
    pub fn hinder(&mut self, why: &str) -> Value {
        if let Some(region) = &mut self.region
            && region.hindrance.is_none()
        {
            region.hindrance = Some(why.to_string());
        }
        Value::Poison
    }

    /// The runtime knows the arrays of the program, not which ones a function has been given this time.
    fn no_whole_arrays(&mut self) {
        let at = self.frame().statement.into();
        let diagnostic = self
            .wrong(
                crate::codes::RECURSION,
                "functions that call themselves use arrays element by element",
                TextRange::empty(at),
                "this is done for whole arrays",
            )
            .help("write a loop over the elements, or take the recursion apart");
        if !self
            .diagnostics
            .iter()
            .any(|known| known.code == diagnostic.code)
        {
            self.report(diagnostic);
        }
    }

    /// A new array in memory, its elements anything or zeros.
    pub fn allocate(&mut self, dtype: DType, shape: &[Scalar], zeros: bool, name: &str) -> View {
        let rank = shape.len() as u8;
        if self.function_base > 0 {
            let at = self.frame().statement.into();
            let diagnostic = self
                .wrong(
                    crate::codes::RECURSION,
                    "functions that call themselves make no arrays",
                    TextRange::empty(at),
                    "",
                )
                .help("make it before, and pass it on, or write a loop");
            self.report(diagnostic);
        }
        let local = self.b.local(name, dtype, rank, Layout::Contiguous);
        let words: Vec<ValueId> = shape.iter().map(|extent| self.ir(extent)).collect();
        let call = Call::Allocate {
            local,
            zeros,
            fortran: false,
        };
        self.call(call, &words, vec![CallResult::Local(local)]);
        self.note_shape(local, &words);
        View::whole(ArrayRef::Local(local), dtype, shape.len(), true)
    }

    /// A call into the runtime.
    pub fn call(&mut self, call: Call, words: &[ValueId], results: Vec<CallResult>) {
        if self.function_base > 0 && call.names_arrays() {
            self.no_whole_arrays();
        }
        let state = self.program();
        let number = state.calls.len() as u32;
        state.calls.push(call);
        self.b.call(number, words, results);
    }
}

/// The kernel that most launches of a region may take, if it is another one.
pub(crate) fn usual_kernel(kernel: &Kernel, disjoint: bool) -> Option<Usual> {
    let (mut kernel, checks) = match without_checks(kernel) {
        Some(found) => found,
        None if disjoint => (kernel.clone(), RangeChecks::default()),
        None => return None,
    };
    kernel.disjoint = disjoint;
    Some(Usual { kernel, checks })
}

/// Whether its loops go along rows that belong to the items of its last axis: then the loops are to
/// be vectorised, not the items, which would gather elements that lie far apart.
pub(crate) fn steps_over_rows(builder: &KernelBuilder) -> bool {
    let of_items = item_values(builder, builder.kernel().rank - 1);
    let mut rows = false;
    builder.walk(&mut |statement| {
        let loops = matches!(
            statement.kind,
            StatementKind::For { .. } | StatementKind::While { .. }
        );
        if !loops {
            return;
        }
        for block in statement.kind.blocks() {
            colocate_ir::walk(block, &mut |inner| {
                let (StatementKind::Load { place, .. } | StatementKind::Store { place, .. }) =
                    &inner.kind
                else {
                    return;
                };
                let Some((last, others)) = place.indices.split_last() else {
                    return;
                };
                let own = |index: &ValueId| of_items.contains(index);
                rows |= !own(last) && others.iter().any(own);
            });
        }
    });
    rows
}

/// Values that differ between items along an axis, as far as operations tell.
fn item_values(builder: &KernelBuilder, axis: u8) -> HashSet<ValueId> {
    let mut found = HashSet::new();
    let mut variables = HashSet::new();
    // Variables carry values back in loops, so it takes another look until nothing is new.
    loop {
        let before = found.len() + variables.len();
        builder.walk(&mut |statement| match &statement.kind {
            StatementKind::Let { value, op } => {
                let own = match op {
                    Op::Index(IndexFunction::GlobalId, own) => *own == axis,
                    Op::Get(variable) => variables.contains(variable),
                    other => other.operands().iter().any(|one| found.contains(one)),
                };
                if own {
                    found.insert(*value);
                }
            }
            StatementKind::Set { variable, value } if found.contains(value) => {
                variables.insert(*variable);
            }
            _ => {}
        });
        if found.len() + variables.len() == before {
            return found;
        }
    }
}

/// Which array parameters every item reaches only at its own position, as whole arrays.
fn aligned_params(builder: &KernelBuilder) -> Vec<bool> {
    let kernel = builder.kernel();
    let mut aligned = vec![true; kernel.params.len()];
    builder.walk(&mut |statement| {
        let place = match &statement.kind {
            StatementKind::Load { place, .. }
            | StatementKind::Store { place, .. }
            | StatementKind::Atomic { place, .. } => place,
            _ => return,
        };
        let ArrayRef::Param(param) = place.array else {
            return;
        };
        let own = place.indices.len() == usize::from(kernel.rank)
            && place.indices.iter().enumerate().all(|(axis, index)| {
                builder.definition(*index) == Some(&Op::Index(IndexFunction::GlobalId, axis as u8))
            });
        aligned[param.index()] &= own;
    });
    aligned
}

/// The words of a number of the host part.
pub(crate) fn words_of(host: &mut KernelBuilder, value: ValueId) -> Vec<ValueId> {
    let dtype = host.dtype(value);
    if dtype.kind() != Kind::Complex {
        return vec![value];
    }
    [UnaryOp::Real, UnaryOp::Imaginary]
        .into_iter()
        .map(|part| {
            let part = host.unary(part, value);
            match dtype {
                DType::Complex64 => host.convert(part, DType::Float64),
                _ => part,
            }
        })
        .collect()
}
