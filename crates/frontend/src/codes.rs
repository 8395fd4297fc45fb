//! The codes of all mistakes this crate reports. A code keeps its meaning for ever; numbers that
//! are missing were given up. Each has a page in `docs/errors` with programs that tests run.

macro_rules! codes {
    ($($name:ident = $code:literal, $title:literal;)*) => {
        $(#[doc = $title] pub const $name: &str = $code;)*

        /// Every code with its title.
        pub const ALL: &[(&str, &str)] = &[$(($code, $title)),*];
    };
}

codes! {
    SYNTAX = "CL0101", "the source is not valid Python";
    NO_SOURCE = "CL0102", "the source of the function is not available";
    UNKNOWN_NAME = "CL0103", "a name is not defined";
    STATEMENT = "CL0104", "a statement is not supported in kernels";
    FUNCTION = "CL0106", "a function is not supported in kernels";
    ARGUMENTS = "CL0107", "a function is called with the wrong arguments";
    CONFLICT = "CL0108", "a variable has incompatible types";
    UNBOUND = "CL0109", "a variable is used before it has a value";
    RANK = "CL0110", "an array is indexed with the wrong number of indices";
    INDEX_TYPE = "CL0111", "an index is not an integer";
    OPERATOR = "CL0112", "an operator is not defined for these types";
    RECURSION = "CL0113", "a function calls itself";
    STRING = "CL0114", "strings cannot be used in kernels";
    DIVERGENT_BARRIER = "CL0115", "not all items of a group reach a barrier";
    NEEDS_LOCAL_SIZE = "CL0116", "a group function needs a local size";
    RUNTIME_SHAPE = "CL0117", "the shape of a local or private array is not constant";
    AXIS = "CL0118", "an axis is out of range";
    READ_ONLY = "CL0119", "a read-only array is written to";
    KERNEL_RETURNS = "CL0120", "a kernel returns a value";
    OUT_OF_RANGE = "CL0121", "a constant does not fit its type";
    COMPLEX_TO_REAL = "CL0122", "a complex number is used where a real one is needed";
    GENERATOR = "CL0123", "generators are not supported in kernels";
    ASYNC = "CL0124", "async code is not supported in kernels";
    LAMBDA = "CL0125", "lambdas are not supported in kernels";
    TRY = "CL0126", "exceptions cannot be handled in kernels";
    WITH = "CL0127", "with statements are not supported in kernels";
    CLASS = "CL0128", "classes cannot be defined in kernels";
    IMPORT = "CL0129", "modules cannot be imported in kernels";
    GLOBAL = "CL0130", "outer variables cannot be changed in kernels";
    DELETE = "CL0131", "del is not supported in kernels";
    COMPREHENSION = "CL0132", "comprehensions are not supported in kernels";
    FORMAT_STRING = "CL0133", "formatted strings cannot be used in kernels";
    CONTAINER = "CL0134", "lists, dicts and sets cannot be used in kernels";
    STAR = "CL0135", "starred arguments and targets are not supported in kernels";
    NESTED_FUNCTION = "CL0136", "functions cannot be defined in kernels";
    ATTRIBUTE_TARGET = "CL0137", "attributes cannot be assigned to in kernels";
    KERNEL_CALL = "CL0138", "a kernel is called from a kernel";
    CAPTURED = "CL0139", "an object from outside cannot be used in kernels";
    ATTRIBUTE = "CL0140", "a value has no such attribute";
    NOT_CALLABLE = "CL0141", "a value is called that is not a function";
    TOO_DEEP = "CL0142", "the program is nested too deeply";
    RAISE = "CL0143", "exceptions cannot be raised in kernels";
    UNPACK = "CL0144", "a value cannot be unpacked into these targets";
    TUPLE_INDEX = "CL0145", "a tuple is indexed with something not constant or out of range";
    ITERATION = "CL0146", "a loop goes over something that cannot be iterated";
    TRUTH = "CL0147", "a value has no truth value";
    DTYPE = "CL0148", "a dtype is needed";
    ATOMIC = "CL0149", "an atomic operation does not exist for this dtype";
    SHAPE = "CL0150", "shapes do not match";
    CONSTANT_NEEDED = "CL0151", "a constant is needed";
    MATCH = "CL0152", "match statements are not supported in kernels";
    PARAMETERS = "CL0153", "the parameters of a function are not supported in kernels";
    VALUE = "CL0155", "a value of this type cannot be used here";
    CLASH = "CL0156", "a part of an array is copied onto the same array in another order";
}

#[cfg(test)]
mod tests {
    use super::ALL;

    #[test]
    fn no_two_mistakes_share_a_code() {
        let mut codes: Vec<_> = ALL.iter().map(|(code, _)| code).collect();
        codes.dedup();
        assert_eq!(codes.len(), ALL.len());
    }
}
