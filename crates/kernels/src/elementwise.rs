//! The operations that compute one element from the elements at the same place.
//!
//! [`Operation`] is the table: for each its name, which dtypes it takes and gives
//! ([`Operation::signature`]), and what it is in IR ([`Operation::emit`]). Kernels around it (how
//! elements are reached, what is stored where) are the business of [`crate::map`] and of reductions.
//!
//! Dtypes and values are NumPy's where the Array API standard leaves them open. Complex functions
//! are compositions of real ones; for complex64 they are computed in float64, which costs little next
//! to the functions themselves and leaves hardly more than the final rounding.

mod complex_inverse;
mod complex_math;
mod emission;
mod float_bits;
mod floats;
mod integers;
mod shorthand;
mod signature;

use colocate_ir::DType;
pub use signature::Signature;

/// An enum whose variants have names.
macro_rules! operations {
    ($($(#[$doc:meta])* $variant:ident = $name:literal / $arity:literal),* $(,)?) => {
        /// An elementwise operation.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        pub enum Operation { $($(#[$doc])* $variant),* }

        impl Operation {
            /// All of them.
            pub const ALL: &'static [Operation] = &[$(Operation::$variant),*];

            /// The name of the function in the Array API, or else in NumPy.
            pub const fn name(self) -> &'static str {
                match self { $(Operation::$variant => $name),* }
            }

            /// How many operands it takes.
            pub const fn arity(self) -> usize {
                match self { $(Operation::$variant => $arity),* }
            }
        }
    };
}

operations! {
    /// `x1 + x2`; of bools, or.
    Add = "add" / 2,
    /// `x1 - x2`
    Subtract = "subtract" / 2,
    /// `x1 * x2`; of bools, and.
    Multiply = "multiply" / 2,
    /// `x1 / x2`, never an integer.
    Divide = "divide" / 2,
    /// The quotient, rounded down.
    FloorDivide = "floor_divide" / 2,
    /// What [`Operation::FloorDivide`] leaves: it has the sign of the divisor.
    Remainder = "remainder" / 2,
    /// The remainder with the sign of the dividend.
    Fmod = "fmod" / 2,
    /// `x1 ** x2`. Integers to a negative power give 0, except 1 and -1.
    Pow = "pow" / 2,
    /// `x1 ** x2` in at least double precision.
    FloatPower = "float_power" / 2,
    /// `-x`
    Negative = "negative" / 1,
    /// `+x`
    Positive = "positive" / 1,
    /// The magnitude.
    Abs = "abs" / 1,
    /// The magnitude as a float.
    Fabs = "fabs" / 1,
    /// -1, 0 or 1; of a complex number, what lies in its direction at distance 1.
    Sign = "sign" / 1,
    /// `x * x`
    Square = "square" / 1,
    /// `1 / x`
    Reciprocal = "reciprocal" / 1,

    /// `x1 == x2`
    Equal = "equal" / 2,
    /// `x1 != x2`
    NotEqual = "not_equal" / 2,
    /// `x1 < x2`. Complex numbers are ordered by real, then by imaginary part.
    Less = "less" / 2,
    /// `x1 <= x2`
    LessEqual = "less_equal" / 2,
    /// `x1 > x2`
    Greater = "greater" / 2,
    /// `x1 >= x2`
    GreaterEqual = "greater_equal" / 2,
    /// The larger; NaN if either is.
    Maximum = "maximum" / 2,
    /// The smaller; NaN if either is.
    Minimum = "minimum" / 2,
    /// The larger; what is not NaN if either is.
    Fmax = "fmax" / 2,
    /// The smaller; what is not NaN if either is.
    Fmin = "fmin" / 2,
    /// The first, but not less than the second nor more than the third.
    Clip = "clip" / 3,
    /// The second where the first is true, else the third.
    Where = "where" / 3,

    /// Whether both are not zero.
    LogicalAnd = "logical_and" / 2,
    /// Whether either is not zero.
    LogicalOr = "logical_or" / 2,
    /// Whether just one is not zero.
    LogicalXor = "logical_xor" / 2,
    /// Whether it is zero.
    LogicalNot = "logical_not" / 1,
    /// `x1 & x2`
    BitwiseAnd = "bitwise_and" / 2,
    /// `x1 | x2`
    BitwiseOr = "bitwise_or" / 2,
    /// `x1 ^ x2`
    BitwiseXor = "bitwise_xor" / 2,
    /// `~x`
    BitwiseInvert = "bitwise_invert" / 1,
    /// `x1 << x2`
    BitwiseLeftShift = "bitwise_left_shift" / 2,
    /// `x1 >> x2`
    BitwiseRightShift = "bitwise_right_shift" / 2,
    /// How many bits the magnitude has set.
    BitwiseCount = "bitwise_count" / 1,
    /// The greatest common divisor.
    Gcd = "gcd" / 2,
    /// The least common multiple.
    Lcm = "lcm" / 2,

    /// Whether it is NaN; of a complex number, whether either part is.
    IsNan = "isnan" / 1,
    /// Whether it is infinite; of a complex number, whether either part is.
    IsInf = "isinf" / 1,
    /// Whether it is neither NaN nor infinite.
    IsFinite = "isfinite" / 1,
    /// Whether it is plus infinity.
    IsPosInf = "isposinf" / 1,
    /// Whether it is minus infinity.
    IsNegInf = "isneginf" / 1,
    /// Whether the sign bit is set.
    SignBit = "signbit" / 1,
    /// NaN becomes 0, infinities the largest finite numbers.
    NanToNum = "nan_to_num" / 1,

    /// Rounded down.
    Floor = "floor" / 1,
    /// Rounded up.
    Ceil = "ceil" / 1,
    /// Rounded to zero.
    Trunc = "trunc" / 1,
    /// To the nearest whole number, halves to even.
    Round = "round" / 1,
    /// The same, but always a float.
    Rint = "rint" / 1,
    /// What is behind the point.
    ModfFraction = "modf_fraction" / 1,
    /// What is before the point, as a float.
    ModfWhole = "modf_whole" / 1,

    /// The square root.
    Sqrt = "sqrt" / 1,
    /// The cube root.
    Cbrt = "cbrt" / 1,
    /// The exponential function.
    Exp = "exp" / 1,
    /// `2 ** x`
    Exp2 = "exp2" / 1,
    /// `exp(x) - 1`
    Expm1 = "expm1" / 1,
    /// The natural logarithm.
    Log = "log" / 1,
    /// The logarithm to base 2.
    Log2 = "log2" / 1,
    /// The logarithm to base 10.
    Log10 = "log10" / 1,
    /// `log(1 + x)`
    Log1p = "log1p" / 1,
    /// `log(exp(x1) + exp(x2))`
    LogAddExp = "logaddexp" / 2,
    /// `log2(2 ** x1 + 2 ** x2)`
    LogAddExp2 = "logaddexp2" / 2,
    /// Sine.
    Sin = "sin" / 1,
    /// Cosine.
    Cos = "cos" / 1,
    /// Tangent.
    Tan = "tan" / 1,
    /// Inverse sine.
    Asin = "asin" / 1,
    /// Inverse cosine.
    Acos = "acos" / 1,
    /// Inverse tangent.
    Atan = "atan" / 1,
    /// Hyperbolic sine.
    Sinh = "sinh" / 1,
    /// Hyperbolic cosine.
    Cosh = "cosh" / 1,
    /// Hyperbolic tangent.
    Tanh = "tanh" / 1,
    /// Inverse hyperbolic sine.
    Asinh = "asinh" / 1,
    /// Inverse hyperbolic cosine.
    Acosh = "acosh" / 1,
    /// Inverse hyperbolic tangent.
    Atanh = "atanh" / 1,
    /// The angle of the point whose coordinates are `x2` and `x1`.
    Atan2 = "atan2" / 2,
    /// `sqrt(x1² + x2²)`
    Hypot = "hypot" / 2,
    /// `sin(πx) / πx`
    Sinc = "sinc" / 1,
    /// Degrees to radians.
    Deg2rad = "deg2rad" / 1,
    /// Radians to degrees.
    Rad2deg = "rad2deg" / 1,

    /// The magnitude of the first with the sign of the second.
    CopySign = "copysign" / 2,
    /// The float next to the first in the direction of the second.
    NextAfter = "nextafter" / 2,
    /// The distance to the next float.
    Spacing = "spacing" / 1,
    /// 0 below zero, 1 above, and at zero the second operand.
    Heaviside = "heaviside" / 2,
    /// `x1 * 2 ** x2`
    Ldexp = "ldexp" / 2,
    /// `frexp`'s number from 0.5 to 1.
    FrexpMantissa = "frexp_mantissa" / 1,
    /// `frexp`'s power of two: int32.
    FrexpExponent = "frexp_exponent" / 1,

    /// The complex conjugate.
    Conj = "conj" / 1,
    /// The real part.
    Real = "real" / 1,
    /// The imaginary part; zero of a real number.
    Imag = "imag" / 1,
    /// The angle of a complex number in the plane.
    Angle = "angle" / 1,
    /// A complex number of its two parts.
    Complex = "complex" / 2,
}

/// The float that NumPy computes with for an integer of a dtype; floats and complex numbers are
/// their own.
fn inexact(dtype: DType) -> DType {
    use colocate_ir::Kind;
    match (dtype.kind(), dtype.itemsize()) {
        (Kind::Float | Kind::Complex, _) => dtype,
        (_, 1) => DType::Float16,
        (_, 2) => DType::Float32,
        _ => DType::Float64,
    }
}
