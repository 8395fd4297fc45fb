//! Programs made by hand: what they compute, and what moves, on devices the host can and cannot reach.

use colocate_backend_native::{NativeBackend, NativeConfig};
use colocate_compile::{Options, Target};
use colocate_dtype::{DType, Dims, Strides};
use colocate_frontend::Captured;
use colocate_frontend::program::{
    Call, Drawn, Exception, Generator, Operand, Program, Region, RegionParameter, ViewAxis,
};
use colocate_ir::{
    ArrayRef, BinaryOp, CallResult, IndexFunction, Kernel, KernelBuilder, KernelKind, Layout,
    Literal, LocalId, MathFunction, ParamKind, Place, Reduction, ReductionOperator, ValueId,
};
use colocate_jit::{
    Argument, BitGenerator, Callbacks, Direction, Error, Executable, HostArray, Keep, Report,
    Result, Value,
};
use colocate_runtime::{Queue, Registry, UsmKind};
use std::any::Any;
use std::mem::MaybeUninit;
use std::sync::Arc;

const F64: DType = DType::Float64;

fn queue(discrete: bool) -> Queue {
    let config = NativeConfig {
        devices: 1,
        discrete,
    };
    let registry = Registry::new(vec![Arc::new(NativeBackend::new(config))]);
    let devices = registry.devices().unwrap();
    devices[0].default_queue().unwrap()
}

/// A caller that remembers what it was asked for.
#[derive(Default)]
struct Caller {
    printed: usize,
}

impl Callbacks for Caller {
    fn keep_argument(&mut self, _leaf: usize) -> Arc<dyn Any + Send + Sync> {
        Arc::new(())
    }

    fn is_on_host(&self, _call: usize, _elements: usize) -> bool {
        true
    }

    fn library(&mut self, _: usize, mut given: Vec<Value>, _: Vec<Value>) -> Result<Value> {
        let Some(Value::Host(array)) = given.pop() else {
            panic!("the argument is an array in host memory");
        };
        let sorted = elements(&array);
        let mut sorted: Box<[f64]> = sorted.into();
        sorted.sort_by(f64::total_cmp);
        let pointer = sorted.as_mut_ptr().cast();
        Ok(Value::Host(HostArray {
            pointer,
            keep: Keep::Owner(Arc::new(sorted)),
            ..array
        }))
    }

    fn bit_generator(&mut self) -> Result<BitGenerator> {
        Err(Error::Raised(Box::new("there is none")))
    }

    fn draw(&mut self, _: Generator, _: Drawn, _: u64) -> Result<u64> {
        Ok(0)
    }

    fn fill_random(&mut self, memory: &mut [MaybeUninit<f64>], low: f64, span: f64) -> Result<()> {
        for (place, number) in memory.iter_mut().enumerate() {
            number.write(low + span * place as f64);
        }
        Ok(())
    }

    fn caught(&mut self, failure: Error) -> Result<u64> {
        Err(failure)
    }

    fn print(&mut self, _: usize, _: Vec<Value>) -> Result<()> {
        self.printed += 1;
        Ok(())
    }

    fn raise(&mut self, _: usize, _: Vec<Value>, _: Vec<Value>) -> Error {
        Error::Raised(Box::new("raised"))
    }
}

fn elements(array: &HostArray) -> Vec<f64> {
    assert_eq!((array.dtype, array.shape.len()), (F64, 1));
    (0..array.shape[0] as isize)
        .map(|index| {
            let at = array.pointer.wrapping_offset(index * array.strides[0]);
            // SAFETY: an element of a live array.
            unsafe { at.cast::<f64>().read() }
        })
        .collect()
}

fn argument(leaf: usize, data: &mut [f64]) -> Argument {
    strided(leaf, data.as_mut_ptr(), data.len(), 8)
}

fn strided(leaf: usize, first: *mut f64, length: usize, stride: isize) -> Argument {
    Argument::Host(HostArray {
        dtype: F64,
        pointer: first.cast(),
        shape: Dims::from_slice(&[length]),
        strides: Strides::from_slice(&[stride]),
        writable: true,
        keep: Keep::Argument(leaf),
    })
}

/// A function under construction.
struct Maker {
    host: KernelBuilder,
    calls: Vec<Call>,
    regions: Vec<Region>,
}

impl Maker {
    fn new() -> Maker {
        let mut host = KernelBuilder::new("f", 1, KernelKind::Host);
        for name in ["callback", "context"] {
            host.param(name, ParamKind::Scalar(DType::UInt64));
        }
        Maker {
            host,
            calls: Vec::new(),
            regions: Vec::new(),
        }
    }

    fn local(&mut self, name: &str, layout: Layout) -> LocalId {
        self.host.local(name, F64, 1, layout)
    }

    fn call(&mut self, call: Call, words: &[ValueId], results: Vec<CallResult>) {
        self.calls.push(call);
        self.host.call(self.calls.len() as u32 - 1, words, results);
    }

    fn argument(&mut self, name: &str, leaf: usize, layout: Layout) -> LocalId {
        let local = self.local(name, layout);
        self.call(
            Call::Argument { leaf, local },
            &[],
            vec![CallResult::Local(local)],
        );
        local
    }

    fn like(&mut self, name: &str, other: LocalId) -> LocalId {
        let local = self.local(name, Layout::Contiguous);
        let extent = self.host.extent(ArrayRef::Local(other), 0);
        let call = Call::Allocate {
            local,
            zeros: false,
            fortran: false,
        };
        self.call(call, &[extent], vec![CallResult::Local(local)]);
        local
    }

    fn slice(&mut self, name: &str, from: LocalId, words: [i64; 3]) -> LocalId {
        let local = self.local(name, Layout::Strided);
        let words = words.map(|word| self.host.int64(word));
        let call = Call::View {
            from,
            axes: vec![ViewAxis::Sliced],
            free: vec![0],
            local,
        };
        self.call(call, &words, vec![CallResult::Local(local)]);
        local
    }

    fn bring_to_host(&mut self, local: LocalId, writes: bool) {
        let call = Call::ToHost { local, writes };
        self.call(call, &[], vec![CallResult::Local(local)]);
    }

    /// An elementwise region from the arrays to the last one.
    fn map(
        &mut self,
        arrays: &[LocalId],
        emit: impl FnOnce(&mut KernelBuilder, &[ValueId]) -> ValueId,
    ) {
        let kind = KernelKind::Region {
            reductions: Vec::new(),
        };
        let mut kernel = KernelBuilder::new("region", 1, kind);
        let (mut parameters, mut params) = (Vec::new(), Vec::new());
        for (number, &local) in arrays.iter().enumerate() {
            let last = number + 1 == arrays.len();
            let layout = self.host.kernel().locals[local.index()].layout;
            let kind = ParamKind::Array {
                dtype: F64,
                rank: 1,
                layout,
            };
            params.push(kernel.param(&format!("a{number}"), kind));
            parameters.push(RegionParameter::Array {
                local,
                reads: !last,
                writes: last,
                aligned: true,
            });
        }
        let item = kernel.index(IndexFunction::GlobalId, 0);
        let loaded: Vec<ValueId> = params[..params.len() - 1]
            .iter()
            .map(|&param| kernel.load(Place::new(ArrayRef::Param(param), [item])))
            .collect();
        let value = emit(&mut kernel, &loaded);
        let target = params[params.len() - 1];
        kernel.store(Place::new(ArrayRef::Param(target), [item]), value);
        self.launch(
            kernel.finish(),
            parameters,
            arrays[arrays.len() - 1],
            &[],
            Vec::new(),
        );
    }

    fn launch(
        &mut self,
        kernel: Kernel,
        parameters: Vec<RegionParameter>,
        space: LocalId,
        words: &[ValueId],
        results: Vec<CallResult>,
    ) {
        self.regions.push(Region {
            kernel,
            parameters,
            sites: Vec::new(),
            what: "array expression".into(),
            lanes: None,
            is_nest: false,
            usual: None,
            rare: false,
            is_loop: false,
        });
        let mut all = vec![self.host.extent(ArrayRef::Local(space), 0)];
        all.extend(words);
        let region = self.regions.len() - 1;
        self.call(Call::Launch { region }, &all, results);
    }

    /// The sum of an array and 10, returned.
    fn return_sum(&mut self, local: LocalId) {
        let mut kernel = KernelBuilder::new(
            "total",
            1,
            KernelKind::Region {
                reductions: Vec::new(),
            },
        );
        let array = |rank| ParamKind::Array {
            dtype: F64,
            rank,
            layout: Layout::Contiguous,
        };
        let source = kernel.param("x", array(1));
        let target = kernel.param("total", array(0));
        let own = kernel.variable("own", F64);
        let item = kernel.index(IndexFunction::GlobalId, 0);
        let loaded = kernel.load(Place::new(ArrayRef::Param(source), [item]));
        kernel.set(own, loaded);
        let mut kernel = kernel.finish();
        kernel.kind = KernelKind::Region {
            reductions: vec![Reduction {
                operator: ReductionOperator::Add,
                variable: own,
                target,
            }],
        };
        let parameters = vec![
            RegionParameter::Array {
                local,
                reads: true,
                writes: false,
                aligned: true,
            },
            RegionParameter::Reduction(F64),
        ];
        let total = self.host.variable("total", F64);
        let start = self.host.literal(Literal::Float(F64, 10.0));
        let results = vec![CallResult::Variable(total)];
        self.launch(kernel, parameters, local, &[start], results);
        let word = self.host.get(total);
        let value = Operand::Scalar {
            dtype: F64,
            weak: false,
        };
        self.call(Call::Return { value }, &[word], Vec::new());
    }

    fn return_local(&mut self, local: LocalId) {
        let value = Operand::Local(local);
        self.call(Call::Return { value }, &[], Vec::new());
    }

    fn return_none(&mut self) {
        let value = Operand::Constant(Captured::None);
        self.call(Call::Return { value }, &[], Vec::new());
    }

    fn finish(self) -> Executable {
        let program = Program {
            host: self.host.finish(),
            calls: self.calls,
            regions: self.regions,
            files: Vec::new(),
            listing: String::new(),
            captured: Vec::new(),
            notes: Vec::new(),
            guarded: Vec::new(),
            updates: Vec::new(),
            wants_ones: false,
            indexes_by_float: false,
            is_repeatable: false,
        };
        Executable::new(program, &Target::Host, &Options::default()).unwrap()
    }
}

/// Runs a function on arguments in host memory.
fn run(executable: &Executable, discrete: bool, arguments: &[Argument]) -> (Result<Value>, Report) {
    run_with_choice(executable, discrete, arguments, None)
}

/// The same, with a queue of the host for regions that are not worth the device.
fn run_with_choice(
    executable: &Executable,
    discrete: bool,
    arguments: &[Argument],
    host_queue: Option<&Queue>,
) -> (Result<Value>, Report) {
    let queue = queue(discrete);
    let call = colocate_jit::Call {
        queue: &queue,
        unified: !discrete,
        host_queue,
        kind: UsmKind::Device,
        host_results: true,
        arguments,
        scalars: &[],
    };
    let mut report = Report::default();
    let value = executable.run(&call, &mut Caller::default(), Some(&mut report));
    (value, report)
}

fn number(value: Value) -> f64 {
    match value {
        Value::Scalar { words, .. } => f64::from_bits(words[0]),
        other => panic!("{other:?} is no number"),
    }
}

fn moved(report: &Report) -> (usize, usize) {
    (
        report.bytes(Direction::ToDevice),
        report.bytes(Direction::ToHost),
    )
}

/// `y = x + y`, perhaps a look at `y`, `return sum(y)`: listings 3.1 and 3.2 of the fifth seed.
fn listing(looks_at_y: bool) -> Executable {
    let mut maker = Maker::new();
    let x = maker.argument("x", 0, Layout::Contiguous);
    let y = maker.argument("y", 1, Layout::Contiguous);
    let t = maker.like("y", y);
    maker.map(&[x, y, t], |kernel, values| {
        kernel.binary(BinaryOp::Add, values[0], values[1])
    });
    if looks_at_y {
        maker.bring_to_host(t, false);
    }
    maker.call(
        Call::Print {
            parts: vec![Operand::Constant(Captured::Str("hello".into()))],
            separator: " ".into(),
            end: "\n".into(),
        },
        &[],
        Vec::new(),
    );
    maker.return_sum(t);
    maker.finish()
}

#[test]
fn a_host_statement_that_touches_no_array_moves_nothing() {
    let executable = listing(false);
    for discrete in [false, true] {
        let (mut x, mut y) = (vec![1.0; 100], vec![0.5; 100]);
        let arguments = [argument(0, &mut x), argument(1, &mut y)];
        let (value, report) = run(&executable, discrete, &arguments);
        assert_eq!(number(value.unwrap()), 160.0);
        let expected = if discrete { (1600, 0) } else { (0, 0) };
        assert_eq!(moved(&report), expected);
        assert_eq!((report.launched.len(), report.allocations), (2, 1));
    }
}

#[test]
fn a_look_at_a_result_brings_it_over_once_and_leaves_the_device_copy_valid() {
    let executable = listing(true);
    for discrete in [false, true] {
        let (mut x, mut y) = (vec![1.0; 100], vec![0.5; 100]);
        let arguments = [argument(0, &mut x), argument(1, &mut y)];
        let (value, report) = run(&executable, discrete, &arguments);
        assert_eq!(number(value.unwrap()), 160.0);
        let expected = if discrete { (1600, 800) } else { (0, 0) };
        assert_eq!(moved(&report), expected);
    }
}

#[test]
fn written_arguments_come_back_once_and_overwritten_ones_are_not_brought_in() {
    // Listing 3.6: a[:] = sin(a); b[:] = a + 2; a look at b.
    let mut maker = Maker::new();
    let a = maker.argument("a", 0, Layout::Contiguous);
    let b = maker.argument("b", 1, Layout::Contiguous);
    maker.map(&[a, a], |kernel, values| {
        kernel.math(MathFunction::Sin, values)
    });
    maker.map(&[a, b], |kernel, values| {
        let two = kernel.literal(Literal::Float(F64, 2.0));
        kernel.binary(BinaryOp::Add, values[0], two)
    });
    maker.bring_to_host(b, false);
    maker.return_none();
    let executable = maker.finish();
    for discrete in [false, true] {
        let (mut x, mut y) = (vec![1.0; 100], vec![0.5; 100]);
        let arguments = [argument(0, &mut x), argument(1, &mut y)];
        let (value, report) = run(&executable, discrete, &arguments);
        assert!(matches!(value.unwrap(), Value::Constant(Captured::None)));
        let expected = if discrete { (800, 1600) } else { (0, 0) };
        assert_eq!(moved(&report), expected, "{report:?}");
        assert!(x.iter().all(|&one| (one - 1f64.sin()).abs() < 1e-15));
        assert!(y.iter().all(|&one| (one - 2.0 - 1f64.sin()).abs() < 1e-15));
    }
}

#[test]
fn what_a_region_reads_and_writes_elsewhere_is_set_aside() {
    // a[1:] = a[:-1]
    let mut maker = Maker::new();
    let a = maker.argument("a", 0, Layout::Contiguous);
    let from = maker.slice("from", a, [0, 1, 99]);
    let to = maker.slice("to", a, [1, 1, 99]);
    maker.map(&[from, to], |_, values| values[0]);
    maker.return_none();
    let executable = maker.finish();
    for discrete in [false, true] {
        let mut data: Vec<f64> = (0..100).map(f64::from).collect();
        let (value, report) = run(&executable, discrete, &[argument(0, &mut data)]);
        value.unwrap();
        assert_eq!(report.launched[0].set_aside, 1);
        let expected: Vec<f64> = (0..100).map(|n| f64::from((n - 1).max(0))).collect();
        assert_eq!(data, expected);
    }
}

#[test]
fn arguments_that_overlap_are_one_memory_on_every_device() {
    // a[:] = b, where a is the even and b the odd elements, then b[:] = a + a of one buffer.
    let mut maker = Maker::new();
    let a = maker.argument("a", 0, Layout::Strided);
    let b = maker.argument("b", 1, Layout::Strided);
    let whole = maker.argument("whole", 2, Layout::Contiguous);
    maker.map(&[b, a], |_, values| values[0]);
    maker.map(&[a, a, b], |kernel, values| {
        kernel.binary(BinaryOp::Add, values[0], values[1])
    });
    maker.return_sum(whole);
    let executable = maker.finish();
    for discrete in [false, true] {
        let mut data: Vec<f64> = (0..10).map(f64::from).collect();
        let first = data.as_mut_ptr();
        let arguments = [
            strided(0, first, 5, 16),
            strided(1, first.wrapping_add(1), 5, 16),
            strided(2, first, 10, 8),
        ];
        let (value, _) = run(&executable, discrete, &arguments);
        assert_eq!(number(value.unwrap()), 10.0 + 3.0 * 25.0);
        assert_eq!(data, [1., 2., 3., 6., 5., 10., 7., 14., 9., 18.]);
    }
}

#[test]
fn a_strided_argument_is_packed_on_its_way_and_its_gaps_stay() {
    let mut maker = Maker::new();
    let a = maker.argument("a", 0, Layout::Strided);
    maker.map(&[a, a], |kernel, values| {
        kernel.binary(BinaryOp::Add, values[0], values[0])
    });
    maker.return_none();
    let executable = maker.finish();
    let mut data: Vec<f64> = (0..10).map(f64::from).collect();
    let last = data.as_mut_ptr().wrapping_add(9);
    let (value, report) = run(&executable, true, &[strided(0, last, 5, -16)]);
    value.unwrap();
    assert_eq!(moved(&report), (40, 40));
    assert_eq!(data, [0., 2., 2., 6., 4., 10., 6., 14., 8., 18.]);
}

#[test]
fn an_argument_that_is_returned_is_the_argument() {
    let mut maker = Maker::new();
    let a = maker.argument("a", 0, Layout::Contiguous);
    maker.return_local(a);
    let executable = maker.finish();
    for discrete in [false, true] {
        let mut data = vec![1.0; 3];
        let (value, report) = run(&executable, discrete, &[argument(0, &mut data)]);
        assert!(matches!(value.unwrap(), Value::Argument(0)));
        assert_eq!(moved(&report), (0, 0));
    }
}

#[test]
fn a_view_that_is_returned_shares_the_callers_memory() {
    let mut maker = Maker::new();
    let a = maker.argument("a", 0, Layout::Contiguous);
    maker.map(&[a, a], |kernel, values| {
        kernel.binary(BinaryOp::Add, values[0], values[0])
    });
    let view = maker.slice("view", a, [2, -1, 3]);
    maker.return_local(view);
    let executable = maker.finish();
    for discrete in [false, true] {
        let mut data = vec![1.0, 2.0, 3.0];
        let (value, _) = run(&executable, discrete, &[argument(0, &mut data)]);
        let Value::Host(array) = value.unwrap() else {
            panic!("it is an array in host memory");
        };
        assert_eq!(elements(&array), [6.0, 4.0, 2.0]);
        assert!(matches!(array.keep, Keep::Argument(0)));
        assert_eq!(data, [2.0, 4.0, 6.0]);
    }
}

#[test]
fn library_functions_on_the_host_get_and_give_host_memory() {
    let mut maker = Maker::new();
    let a = maker.argument("a", 0, Layout::Contiguous);
    let doubled = maker.like("doubled", a);
    maker.map(&[a, doubled], |kernel, values| {
        kernel.binary(BinaryOp::Add, values[0], values[0])
    });
    let sorted = maker.local("sorted", Layout::Contiguous);
    let call = Call::Library {
        function: "numpy.sort".into(),
        arguments: vec![Operand::Local(doubled)],
        keywords: Vec::new(),
        result: colocate_frontend::program::Outcome::Local(sorted),
        changes: Vec::new(),
    };
    maker.call(call, &[], vec![CallResult::Local(sorted)]);
    maker.return_local(sorted);
    let executable = maker.finish();
    for discrete in [false, true] {
        let mut data = vec![3.0, 1.0, 2.0];
        let (value, report) = run(&executable, discrete, &[argument(0, &mut data)]);
        let Value::Host(array) = value.unwrap() else {
            panic!("it is an array in host memory");
        };
        assert_eq!(elements(&array), [2.0, 4.0, 6.0]);
        assert_eq!(moved(&report), if discrete { (24, 24) } else { (0, 0) });
    }
}

#[test]
fn a_negative_extent_is_refused() {
    let mut maker = Maker::new();
    let local = maker.local("a", Layout::Contiguous);
    let extent = maker.host.int64(-3);
    let call = Call::Allocate {
        local,
        zeros: true,
        fortran: false,
    };
    maker.call(call, &[extent], vec![CallResult::Local(local)]);
    maker.return_local(local);
    let (value, _) = run(&maker.finish(), false, &[]);
    assert!(matches!(value, Err(Error::NegativeExtent)));
}

#[test]
fn what_was_written_before_an_exception_stays_written() {
    let mut maker = Maker::new();
    let a = maker.argument("a", 0, Layout::Contiguous);
    maker.map(&[a, a], |kernel, values| {
        kernel.binary(BinaryOp::Add, values[0], values[0])
    });
    let call = Call::Raise {
        lists: vec![],
        class: Exception::Builtin("ValueError".into()),
        arguments: Vec::new(),
        joined: false,
        site: Default::default(),
    };
    maker.call(call, &[], Vec::new());
    maker.return_none();
    let executable = maker.finish();
    for discrete in [false, true] {
        let mut data = vec![1.0, 2.0];
        let (value, _) = run(&executable, discrete, &[argument(0, &mut data)]);
        assert!(matches!(value, Err(Error::Raised(_))));
        assert_eq!(data, [2.0, 4.0]);
    }
}

#[test]
fn an_empty_index_space_gives_what_the_reduction_starts_with() {
    let mut maker = Maker::new();
    let a = maker.argument("a", 0, Layout::Contiguous);
    maker.return_sum(a);
    let executable = maker.finish();
    for discrete in [false, true] {
        let (value, report) = run(&executable, discrete, &[argument(0, &mut [])]);
        assert_eq!(number(value.unwrap()), 10.0);
        assert!(report.launched.is_empty());
    }
}

#[test]
fn turns_of_a_loop_use_the_same_memory() {
    let mut maker = Maker::new();
    let a = maker.argument("a", 0, Layout::Contiguous);
    let turn = maker.host.variable("turn", DType::Int64);
    let (start, stop, step) = (
        maker.host.int64(0),
        maker.host.int64(5),
        maker.host.int64(1),
    );
    maker.host.begin_for(turn, start, stop, step);
    let t = maker.like("t", a);
    maker.map(&[a, t], |kernel, values| {
        kernel.binary(BinaryOp::Add, values[0], values[0])
    });
    maker.map(&[t, a], |_, values| values[0]);
    maker.host.end();
    maker.return_none();
    let executable = maker.finish();
    for discrete in [false, true] {
        let mut data = vec![1.0, 2.0];
        let (value, report) = run(&executable, discrete, &[argument(0, &mut data)]);
        value.unwrap();
        assert_eq!(data, [32.0, 64.0]);
        assert_eq!((report.allocations, report.reused), (1, 4));
        assert_eq!(moved(&report), if discrete { (16, 16) } else { (0, 0) });
    }
}

#[test]
fn regions_that_are_not_worth_the_device_stay_on_the_host() {
    let host = queue(false);
    let executable = listing(false);
    let (mut x, mut y) = (vec![1.0; 100], vec![0.5; 100]);
    let arguments = [argument(0, &mut x), argument(1, &mut y)];
    let (value, report) = run_with_choice(&executable, true, &arguments, Some(&host));
    assert_eq!(number(value.unwrap()), 160.0);
    assert!(report.launched.iter().all(|one| one.on_host));
    assert_eq!(moved(&report), (0, 0));
}

#[test]
fn what_is_set_aside_for_a_region_on_the_host_is_set_aside_there() {
    let mut maker = Maker::new();
    let a = maker.argument("a", 0, Layout::Contiguous);
    let from = maker.slice("from", a, [0, 1, 99]);
    let to = maker.slice("to", a, [1, 1, 99]);
    maker.map(&[from, to], |_, values| values[0]);
    maker.return_none();
    let executable = maker.finish();
    let host = queue(false);
    let mut data: Vec<f64> = (0..100).map(f64::from).collect();
    let arguments = [argument(0, &mut data)];
    let (value, report) = run_with_choice(&executable, true, &arguments, Some(&host));
    value.unwrap();
    assert_eq!((moved(&report), report.launched[0].set_aside), ((0, 0), 1));
    let expected: Vec<f64> = (0..100).map(|n| f64::from((n - 1).max(0))).collect();
    assert_eq!(data, expected);
}

#[test]
fn lists_grow_and_keep_their_elements() {
    let mut maker = Maker::new();
    let a = maker.argument("a", 0, Layout::Contiguous);
    let list = maker.like("list", a);
    maker.map(&[a, list], |kernel, values| {
        kernel.binary(BinaryOp::Add, values[0], values[0])
    });
    let extent = maker.host.int64(8);
    maker.call(
        Call::Grow { local: list },
        &[extent],
        vec![CallResult::Local(list)],
    );
    let count = maker.host.int64(3);
    let value = Operand::Items {
        local: list,
        weak: true,
    };
    maker.call(Call::Return { value }, &[count], Vec::new());
    let executable = maker.finish();
    for discrete in [false, true] {
        let mut data = vec![1.0, 2.0, 3.0];
        let (value, _) = run(&executable, discrete, &[argument(0, &mut data)]);
        let Value::Shared {
            items: Some(items), ..
        } = value.unwrap()
        else {
            panic!("it is a list");
        };
        let Value::Numbers { dtype, bytes, .. } = *items else {
            panic!("it is a list of numbers");
        };
        let expected: Vec<u8> = [2.0f64, 4.0, 6.0]
            .iter()
            .flat_map(|x| x.to_le_bytes())
            .collect();
        assert_eq!((dtype, bytes), (DType::Float64, expected));
    }
}
