//! The element types.

use std::fmt;

/// An element type. The order is the order of the promotion table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
#[allow(missing_docs)] // The names say it all.
pub enum DType {
    Bool,
    Int8,
    Int16,
    Int32,
    Int64,
    UInt8,
    UInt16,
    UInt32,
    UInt64,
    Float16,
    Float32,
    Float64,
    Complex64,
    Complex128,
}

/// The family a dtype belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum Kind {
    Bool,
    Int,
    UInt,
    Float,
    Complex,
}

impl DType {
    /// How high its kind stands: in place, and into `out`, NumPy goes to a kind as high or higher.
    pub fn rung(self) -> u8 {
        match self.kind() {
            Kind::Bool => 0,
            Kind::UInt => 1,
            Kind::Int => 2,
            Kind::Float => 3,
            Kind::Complex => 4,
        }
    }

    /// Every dtype, in promotion order.
    pub const ALL: [DType; 14] = [
        DType::Bool,
        DType::Int8,
        DType::Int16,
        DType::Int32,
        DType::Int64,
        DType::UInt8,
        DType::UInt16,
        DType::UInt32,
        DType::UInt64,
        DType::Float16,
        DType::Float32,
        DType::Float64,
        DType::Complex64,
        DType::Complex128,
    ];

    /// Bytes an element takes; always a power of two from 1 to 16.
    pub const fn itemsize(self) -> usize {
        match self {
            DType::Bool | DType::Int8 | DType::UInt8 => 1,
            DType::Int16 | DType::UInt16 | DType::Float16 => 2,
            DType::Int32 | DType::UInt32 | DType::Float32 => 4,
            DType::Int64 | DType::UInt64 | DType::Float64 | DType::Complex64 => 8,
            DType::Complex128 => 16,
        }
    }

    /// The family.
    pub const fn kind(self) -> Kind {
        match self {
            DType::Bool => Kind::Bool,
            DType::Int8 | DType::Int16 | DType::Int32 | DType::Int64 => Kind::Int,
            DType::UInt8 | DType::UInt16 | DType::UInt32 | DType::UInt64 => Kind::UInt,
            DType::Float16 | DType::Float32 | DType::Float64 => Kind::Float,
            DType::Complex64 | DType::Complex128 => Kind::Complex,
        }
    }

    /// NumPy's name, for example `float32`.
    pub const fn name(self) -> &'static str {
        match self {
            DType::Bool => "bool",
            DType::Int8 => "int8",
            DType::Int16 => "int16",
            DType::Int32 => "int32",
            DType::Int64 => "int64",
            DType::UInt8 => "uint8",
            DType::UInt16 => "uint16",
            DType::UInt32 => "uint32",
            DType::UInt64 => "uint64",
            DType::Float16 => "float16",
            DType::Float32 => "float32",
            DType::Float64 => "float64",
            DType::Complex64 => "complex64",
            DType::Complex128 => "complex128",
        }
    }

    /// Addresses of aligned elements are multiples of this.
    pub const fn alignment(self) -> usize {
        match self {
            DType::Complex64 => 4,
            DType::Complex128 => 8,
            _ => self.itemsize(),
        }
    }

    /// The array-interface type string without byte order: a kind letter and a size.
    pub const fn typestr_body(self) -> &'static str {
        match self {
            DType::Bool => "b1",
            DType::Int8 => "i1",
            DType::Int16 => "i2",
            DType::Int32 => "i4",
            DType::Int64 => "i8",
            DType::UInt8 => "u1",
            DType::UInt16 => "u2",
            DType::UInt32 => "u4",
            DType::UInt64 => "u8",
            DType::Float16 => "f2",
            DType::Float32 => "f4",
            DType::Float64 => "f8",
            DType::Complex64 => "c8",
            DType::Complex128 => "c16",
        }
    }

    /// The type string with byte order, as `__sycl_usm_array_interface__` wants it.
    pub fn typestr(self) -> String {
        let order = if self.itemsize() == 1 { '|' } else { '<' };
        format!("{order}{}", self.typestr_body())
    }

    /// Reads a name such as `float32`, or a type string such as `f4`; `None` for any other of the
    /// many that NumPy knows.
    pub fn from_name(text: &str) -> Option<DType> {
        DType::ALL
            .into_iter()
            .find(|dtype| dtype.name() == text || dtype.typestr_body() == text)
    }

    /// Reads an array-interface type string. `None` for what we have no dtype for,
    /// big-endian data included.
    pub fn from_typestr(text: &str) -> Option<DType> {
        let body = text.strip_prefix(['<', '|', '=']).unwrap_or(text);
        DType::ALL
            .into_iter()
            .find(|dtype| dtype.typestr_body() == body)
    }

    /// The format character of the buffer protocol (PEP 3118, native sizes).
    pub const fn buffer_format(self) -> &'static std::ffi::CStr {
        match self {
            DType::Bool => c"?",
            DType::Int8 => c"b",
            DType::Int16 => c"h",
            DType::Int32 => c"i",
            DType::Int64 => c"l",
            DType::UInt8 => c"B",
            DType::UInt16 => c"H",
            DType::UInt32 => c"I",
            DType::UInt64 => c"L",
            DType::Float16 => c"e",
            DType::Float32 => c"f",
            DType::Float64 => c"d",
            DType::Complex64 => c"Zf",
            DType::Complex128 => c"Zd",
        }
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn type_strings_round_trip() {
        for dtype in DType::ALL {
            assert_eq!(DType::from_typestr(&dtype.typestr()), Some(dtype));
        }
    }

    #[test]
    fn names_round_trip() {
        for dtype in DType::ALL {
            assert_eq!(DType::from_name(dtype.name()), Some(dtype));
            assert_eq!(DType::from_name(dtype.typestr_body()), Some(dtype));
        }
        assert_eq!(DType::from_name("double"), None);
    }

    #[test]
    fn foreign_type_strings_are_refused() {
        for text in [">f8", "<f3", "", "V8", "O", "<f16", "<m8"] {
            assert_eq!(DType::from_typestr(text), None, "{text}");
        }
    }
}
