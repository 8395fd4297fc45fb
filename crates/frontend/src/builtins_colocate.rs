//! The package's own functions: where an item is, its group, local and private arrays, barriers.

use crate::calls::Arguments;
use crate::codes;
use crate::translate::Translator;
use crate::value::{Axis, Know, Scalar, Value, View};
use colocate_ir::{
    ArrayRef, DType, IndexFunction, Kind, ReductionOperator, StatementKind, StorageClass,
};
use ruff_text_size::TextRange;

/// What there is.
pub(crate) const NAMES: &[&str] = &[
    "get_global_id",
    "get_global_size",
    "get_local_id",
    "get_local_size",
    "get_group_id",
    "get_num_groups",
    "local_array",
    "private_array",
    "barrier",
    "atomic.add",
    "atomic.sub",
    "atomic.min",
    "atomic.max",
    "atomic.and_",
    "atomic.or_",
    "atomic.xor",
    "atomic.exchange",
    "atomic.compare_exchange",
    "group.sum",
    "group.prod",
    "group.min",
    "group.max",
    "group.any",
    "group.all",
];

impl Translator<'_> {
    /// A call; nothing if there is no such function. The name is that of the variable which the
    /// result is assigned to.
    pub fn call_colocate(
        &mut self,
        name: &str,
        arguments: &Arguments,
        range: TextRange,
        variable: Option<&str>,
    ) -> Option<Value> {
        if !NAMES.contains(&name) {
            return None;
        }
        let index = match name {
            "get_global_id" => Some(IndexFunction::GlobalId),
            "get_global_size" => Some(IndexFunction::GlobalSize),
            "get_local_id" => Some(IndexFunction::LocalId),
            "get_local_size" => Some(IndexFunction::LocalSize),
            "get_group_id" => Some(IndexFunction::GroupId),
            "get_num_groups" => Some(IndexFunction::NumGroups),
            _ => None,
        };
        let result = if let Some(function) = index {
            self.index_function(name, function, arguments, range)
        } else if let Some(operation) = name.strip_prefix("atomic.") {
            self.atomic(operation, arguments, range)
        } else if let Some(operation) = name.strip_prefix("group.") {
            self.group(operation, arguments, range)
        } else if name == "barrier" {
            self.barrier(arguments, range)
        } else {
            self.array(name, arguments, range, variable)
        };
        Some(result.unwrap_or(Value::Poison))
    }

    /// Whether items form groups; a report if they do not.
    fn needs_groups(&mut self, name: &str, range: TextRange) -> bool {
        if self.options.grouped {
            return true;
        }
        let site = self.site(range);
        let (file, span) = (site.file as usize, site.span);
        let known = self
            .diagnostics
            .iter_mut()
            .find(|diagnostic| diagnostic.code == codes::NEEDS_LOCAL_SIZE);
        // One launch is to be changed, so it is said once.
        if let Some(known) = known {
            let seen = |label: &colocate_diag::Label| label.file == file && label.span == span;
            if !known.labels.iter().any(seen) {
                *known = known.clone().at(file, span, "this needs groups, too");
            }
            return false;
        }
        let kernel = self.frames[0].name.clone();
        // In one dimension, two numbers in the brackets would be a global size of two.
        let launch = match self.options.rank {
            0 | 1 => format!("{kernel}[n, (64,)](...)"),
            2 => format!("{kernel}[(n, m), (8, 8)](...)"),
            _ => format!("{kernel}[(n, m, k), (4, 4, 4)](...)"),
        };
        let diagnostic = self
            .wrong(
                codes::NEEDS_LOCAL_SIZE,
                format!("`{name}` needs groups, but the kernel is launched without a local size"),
                range,
                "items form no groups",
            )
            .help(format!(
                "launch with a local size, which is a tuple: `{launch}`"
            ));
        self.report(diagnostic);
        false
    }

    fn index_function(
        &mut self,
        name: &str,
        function: IndexFunction,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        let arguments = arguments.by_position(&["axis"]);
        let given = self.exactly(name, &arguments, 0..=1, range)?;
        let (axis, place) = match given.first() {
            Some((value, place)) => (self.integer(value, *place, "an axis")?, *place),
            None => (Scalar::const_int(0), range),
        };
        let rank = self.b.kernel().rank;
        let Some(axis) = axis.as_int() else {
            let diagnostic = self
                .wrong(
                    codes::CONSTANT_NEEDED,
                    format!("the axis of `{name}` must be a constant"),
                    place,
                    "this is known only when the kernel runs",
                )
                .help("write 0, 1 or 2");
            return Some(self.report(diagnostic));
        };
        let Some(axis) = u8::try_from(axis).ok().filter(|axis| *axis < rank) else {
            let kernel = self.frames[0].name.clone();
            let diagnostic = self
                .wrong(
                    codes::AXIS,
                    format!("axis {axis} is out of range"),
                    place,
                    format!(
                        "the kernel is launched over {rank} {}",
                        if rank == 1 { "axis" } else { "axes" }
                    ),
                )
                .help(match (rank, axis) {
                    (1, 1) => format!("launch over two axes: `{kernel}[n, m](...)`"),
                    (1 | 2, 2) => format!("launch over three axes: `{kernel}[n, m, k](...)`"),
                    (1, _) => "the only axis is 0".to_string(),
                    _ => format!("the axes are 0 to {}", rank - 1),
                });
            return Some(self.report(diagnostic));
        };
        let global = matches!(
            function,
            IndexFunction::GlobalId | IndexFunction::GlobalSize
        );
        if !global && !self.needs_groups(name, range) {
            return None;
        }
        Some(Scalar::int(self.b.index(function, axis), Know::NonNegative).into())
    }

    fn barrier(&mut self, arguments: &Arguments, range: TextRange) -> Option<Value> {
        let fence = match (
            arguments.positional.as_slice(),
            arguments.keywords.as_slice(),
        ) {
            ([], []) => None,
            ([(value, place)], []) => Some((value, place)),
            ([], [(name, value, place)]) if name == "fence" => Some((value, place)),
            _ => {
                self.exactly("barrier", arguments, 0..=1, range)?;
                None
            }
        };
        let global = match fence {
            None => true,
            Some((Value::Str(text), _)) if text == "local" => false,
            Some((Value::Str(text), _)) if text == "global" => true,
            Some((Value::Builtin(name), _)) if name.ends_with("LOCAL_MEM_FENCE") => false,
            Some((Value::Builtin(name), _)) if name.ends_with("GLOBAL_MEM_FENCE") => true,
            Some((_, place)) => {
                let diagnostic = self
                    .wrong(codes::ARGUMENTS, "there is no such fence", *place, "")
                    .help("write fence=\"local\" or fence=\"global\"");
                return Some(self.report(diagnostic));
            }
        };
        if !self.needs_groups("barrier", range) {
            return None;
        }
        self.b.push(StatementKind::Barrier { global });
        Some(Value::None)
    }

    fn array(
        &mut self,
        name: &str,
        arguments: &Arguments,
        range: TextRange,
        variable: Option<&str>,
    ) -> Option<Value> {
        let mut given: [Option<(&Value, TextRange)>; 2] = [None, None];
        for (slot, (value, place)) in given.iter_mut().zip(&arguments.positional) {
            *slot = Some((value, *place));
        }
        for (keyword, value, place) in &arguments.keywords {
            match keyword.as_str() {
                "shape" if given[0].is_none() => given[0] = Some((value, *place)),
                "dtype" if given[1].is_none() => given[1] = Some((value, *place)),
                _ => {
                    let diagnostic = self
                        .wrong(
                            codes::ARGUMENTS,
                            format!("`{name}` takes no `{keyword}` here"),
                            *place,
                            "",
                        )
                        .help(format!("write `{name}(shape, dtype)`"));
                    return Some(self.report(diagnostic));
                }
            }
        }
        let (Some((shape, shape_place)), Some((dtype, dtype_place)), true) =
            (given[0], given[1], arguments.positional.len() <= 2)
        else {
            let diagnostic = self
                .wrong(
                    codes::ARGUMENTS,
                    format!("`{name}` takes a shape and a dtype"),
                    range,
                    "",
                )
                .help(format!(
                    "write for example `{name}((16, 16), numpy.float32)`"
                ));
            return Some(self.report(diagnostic));
        };
        let Some(dtype) = self.as_dtype_value(dtype) else {
            return Some(self.no_dtype(dtype, dtype_place));
        };
        let shape = self.constant_shape(name, shape, shape_place)?;
        let class = if name == "local_array" {
            if !self.needs_groups(name, range) {
                return None;
            }
            StorageClass::Local
        } else {
            StorageClass::Private
        };
        let storage = self
            .b
            .storage(variable.unwrap_or(name), dtype, &shape, class);
        Some(Value::View(View {
            base: ArrayRef::Storage(storage),
            dtype,
            writable: true,
            axes: vec![Axis::Whole; shape.len()],
            free: (0..shape.len()).collect(),
            packed: true,
        }))
    }

    fn constant_shape(&mut self, name: &str, shape: &Value, range: TextRange) -> Option<Vec<u32>> {
        let items = match shape {
            Value::Tuple(items) => items.clone(),
            other => vec![other.clone()],
        };
        let mut extents = Vec::new();
        for item in &items {
            let scalar = self.integer(item, range, "an extent")?;
            let Some(extent) = scalar.as_int() else {
                let diagnostic = self
                    .wrong(
                        codes::RUNTIME_SHAPE,
                        format!("the shape of `{name}` must be constant"),
                        range,
                        "this is known only when the kernel runs",
                    )
                    .help("write numbers, or use a variable from outside the kernel: it is a constant in it");
                self.report(diagnostic);
                return None;
            };
            let Some(extent) = u32::try_from(extent).ok().filter(|extent| *extent > 0) else {
                let why = match extent > 0 {
                    true => format!("extents are at most {}", u32::MAX),
                    false => "extents are positive".into(),
                };
                let diagnostic = self.wrong(
                    codes::RUNTIME_SHAPE,
                    format!("an extent of {extent} is not possible"),
                    range,
                    why,
                );
                self.report(diagnostic);
                return None;
            };
            extents.push(extent);
        }
        let size = extents
            .iter()
            .try_fold(1u32, |size, extent| size.checked_mul(*extent));
        if size.is_none_or(|size| size > 1 << 28) || extents.is_empty() || extents.len() > 8 {
            let diagnostic = self.wrong(
                codes::RUNTIME_SHAPE,
                format!("`{name}` cannot have this shape"),
                range,
                "one to eight axes, and a size that fits a device",
            );
            self.report(diagnostic);
            return None;
        }
        Some(extents)
    }

    fn group(&mut self, operation: &str, arguments: &Arguments, range: TextRange) -> Option<Value> {
        let full = format!("group.{operation}");
        let arguments = &arguments.by_position(&["value"]);
        let x = self.numbers(&full, arguments, 1..=1, range)?[0];
        if !self.needs_groups(&full, range) {
            return None;
        }
        let operator = match operation {
            "sum" => ReductionOperator::Add,
            "prod" => ReductionOperator::Multiply,
            "min" => ReductionOperator::Minimum,
            "max" => ReductionOperator::Maximum,
            "any" => ReductionOperator::BitOr,
            _ => ReductionOperator::BitAnd,
        };
        let x = match operation {
            "any" | "all" => self.truth(&x.into(), range)?,
            "sum" | "prod" if x.dtype == DType::Bool => self.cast(&x, DType::Int64, x.weak),
            _ => x,
        };
        if x.dtype.kind() == Kind::Complex {
            return Some(self.not_real(&full, &x, range));
        }
        let ir = self.ir(&x);
        Some(Scalar::new(x.dtype, x.weak, self.b.group_reduce(operator, ir)).into())
    }
}
