//! Ufuncs and some functions of other packages: they are called as they are, on arrays of the host.

use crate::calls::Arguments;
use crate::translate::Translator;
use crate::value::Value;
use ruff_text_size::TextRange;

/// Before the name of such a function, the number of its operands and a number of its own.
pub const OUTSIDE_FUNCTION: &str = "outside.";

/// What such a function calls itself.
pub(crate) fn own_name(function: &str) -> Option<&str> {
    function.strip_prefix(OUTSIDE_FUNCTION)?.split('.').next()
}

/// What parameters are called that such a function writes to, as `python/colocate/_outside_functions.py` has them.
const RESULTS: [&str; 4] = ["out", "output", "distances", "indices"];

impl Translator<'_> {
    /// A call of such a function; what it gives is found out by example.
    pub fn outside_function(
        &mut self,
        name: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Value {
        let arguments = &self.with_list_views(arguments, name);
        let mut given = self.with_counted(arguments, range);
        let operands = name.split('.').nth(1).and_then(|count| count.parse().ok());
        let mut changes = Vec::new();
        let places = given.positional.iter_mut();
        let places = places.skip(operands.unwrap_or(usize::MAX));
        let named = given.keywords.iter_mut();
        let named = named.filter(|(keyword, ..)| RESULTS.contains(&keyword.as_str()));
        for place in places
            .map(|(value, _)| value)
            .chain(named.map(|(_, value, _)| value))
        {
            *place = self.all_stored(place.clone());
            match place {
                Value::Tuple(items) => changes.extend(items.iter().cloned()),
                one => changes.push(one.clone()),
            }
        }
        let overwrites =
            |(keyword, ..): &(String, Value, TextRange)| keyword.starts_with("overwrite_");
        if given.keywords.iter().any(overwrites) {
            changes.extend(given.positional.iter().map(|(value, _)| value.clone()));
        }
        let function = format!("{OUTSIDE_FUNCTION}{name}");
        let (positional, keywords) = (&given.positional, &given.keywords);
        self.library(&function, positional, keywords, &changes, range)
    }
}
