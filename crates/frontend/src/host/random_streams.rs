//! Random numbers in parallel loops: every turn has a stream of its own.
//!
//! A stream is a function of a key, which is drawn on the host once for each launch, and of the number of the
//! turn: so the numbers are the same on every device, however the turns are shared out. A variable of the
//! item counts the draws of its turn. A draw makes 128 bits; what one number leaves of them is
//! kept for the next one in the same block of statements.

use crate::program::{Call, Drawn, Generator, RegionParameter};
use crate::translate::Translator;
use colocate_ir::{
    BinaryOp, CallResult, DType, IndexFunction, KernelBuilder, KernelKind, Literal, ParamId,
    ParamKind, ValueId, VariableId,
};
use colocate_kernels::formula::{Formula, Term};
use colocate_kernels::random::draws;

/// The random numbers of the turns of a loop.
#[derive(Debug)]
pub(crate) struct Streams {
    /// Counts the draws of a turn.
    counter: VariableId,
    /// Of the generators: the parameter that is the key, and what is left of draws.
    numpy: Stream,
    python: Stream,
}

#[derive(Debug, Default)]
struct Stream {
    key: Option<ParamId>,
    /// 64 bits that nobody used.
    bits: Option<ValueId>,
    /// A normal number that nobody used.
    normal: Option<ValueId>,
}

impl Streams {
    /// Whether a number was drawn.
    pub fn are_used(&self) -> bool {
        self.numpy.key.is_some() || self.python.key.is_some()
    }

    /// Nothing drawn yet.
    pub fn new(builder: &mut KernelBuilder) -> Streams {
        Streams {
            counter: builder.variable("draws", DType::UInt64),
            numpy: Stream::default(),
            python: Stream::default(),
        }
    }

    fn of(&mut self, from: Generator) -> &mut Stream {
        match from {
            Generator::NumPy => &mut self.numpy,
            Generator::Python => &mut self.python,
        }
    }
}

impl Translator<'_> {
    /// Whether single random numbers can be drawn here as kernels do it.
    pub fn has_streams(&self) -> bool {
        let region = self.region.as_ref();
        region.is_some_and(|region| region.streams.is_some())
    }

    /// What was drawn and not used may have been rewound.
    pub fn forget_spare_numbers(&mut self) {
        if let Some(region) = &mut self.region
            && let Some(streams) = &mut region.streams
        {
            for stream in [&mut streams.numpy, &mut streams.python] {
                (stream.bits, stream.normal) = (None, None);
            }
        }
    }

    fn stream(&mut self, from: Generator) -> &mut Stream {
        let region = self.region.as_mut().expect("a region is open");
        let streams = region.streams.as_mut().expect("it is a loop");
        streams.of(from)
    }

    /// A number from the turn's stream; of [`Drawn::UpTo`] with the largest, a uint64.
    pub fn draw_in_turn(
        &mut self,
        from: Generator,
        what: Drawn,
        largest: Option<ValueId>,
    ) -> ValueId {
        if what == Drawn::Normal {
            if let Some(spare) = self.stream(from).normal.take()
                && self.b.is_defined_here(spare)
            {
                return spare;
            }
            let bits = self.turn_bits(from);
            let [one, other] = self.formulated(&bits, |_, bits| {
                let normals = draws::normals([bits[0], bits[1]]);
                normals.map(Term::value)
            });
            self.stream(from).normal = Some(other);
            return one;
        }
        let spare = self.stream(from).bits.take();
        let bits = match spare.filter(|spare| self.b.is_defined_here(*spare)) {
            Some(spare) => spare,
            None => {
                let [one, other] = self.turn_bits(from);
                self.stream(from).bits = Some(other);
                one
            }
        };
        let operands = [Some(bits), largest];
        let operands: Vec<ValueId> = operands.into_iter().flatten().collect();
        self.formulated(&operands, |_, terms| {
            let made = match (what, terms) {
                (Drawn::Unit, [bits, ..]) => draws::unit(*bits),
                (Drawn::Exponential, [bits, ..]) => draws::exponential(*bits),
                (Drawn::UpTo, [bits, largest]) => draws::below(*bits, *largest + 1i64),
                (_, terms) => terms[0],
            };
            made.value()
        })
    }

    /// The bits of the turn's next draw.
    fn turn_bits(&mut self, from: Generator) -> [ValueId; 2] {
        let key = match self.stream(from).key {
            Some(param) => param,
            None => {
                let kind = ParamKind::Scalar(DType::UInt64);
                let param = self.b.param("random_key", kind);
                let region = self.region.as_mut().expect("a region is open");
                // The word comes when the region ends.
                let parameter = RegionParameter::Scalar(DType::UInt64);
                region.parameters.push((parameter, Vec::new()));
                self.stream(from).key = Some(param);
                param
            }
        };
        let region = self.region.as_ref().expect("a region is open");
        let counter = region.streams.as_ref().expect("it is a loop").counter;
        let key = self.b.scalar(key);
        let turn = self.b.index(IndexFunction::GlobalId, 0);
        let turn = self.b.convert(turn, DType::UInt64);
        let number = self.b.get(counter);
        let one = self.b.literal(Literal::Int(DType::UInt64, 1));
        let next = self.b.binary(BinaryOp::Add, number, one);
        self.b.set(counter, next);
        self.formulated(&[key, turn, number], |_, terms| {
            draws::bits(terms[0], terms[1], terms[2]).map(Term::value)
        })
    }

    /// Writes on with formulas of values.
    fn formulated<T>(
        &mut self,
        operands: &[ValueId],
        write: impl for<'a> FnOnce(&'a Formula, &[Term<'a>]) -> T,
    ) -> T {
        let placeholder = KernelBuilder::new("none", 1, KernelKind::Host);
        let formula = Formula::over(std::mem::replace(&mut self.b, placeholder));
        let written = {
            let terms: Vec<Term<'_>> = operands.iter().map(|one| formula.value(*one)).collect();
            write(&formula, &terms)
        };
        self.b = formula.into_builder();
        written
    }

    /// Draws the keys of a region that has ended, for its launch.
    pub fn draw_keys(
        &mut self,
        streams: &Streams,
        parameters: &mut [(RegionParameter, Vec<ValueId>)],
    ) {
        let keys = [
            (Generator::NumPy, &streams.numpy),
            (Generator::Python, &streams.python),
        ];
        for (from, stream) in keys {
            let Some(param) = stream.key else {
                continue;
            };
            let key = self.b.variable("key", DType::UInt64);
            let what = Drawn::Bits;
            self.call(
                Call::Draw { from, what },
                &[],
                vec![CallResult::Variable(key)],
            );
            parameters[param.index()].1 = vec![self.b.get(key)];
        }
    }
}
