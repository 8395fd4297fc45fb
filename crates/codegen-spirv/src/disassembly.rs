//! Modules as text, for readers.

use rspirv::binary::Disassemble;
use rspirv::dr::{Instruction, Operand};
use std::collections::{HashMap, HashSet};

/// A module as text, one instruction a line; ids that have a name are shown by it. An error if the
/// words are no module.
pub fn disassemble(words: &[u32]) -> Result<String, String> {
    let module = rspirv::dr::load_words(words).map_err(|error| error.to_string())?;
    let names = unique_names(&module.debug_names);
    Ok(with_names(&module.disassemble(), &names))
}

/// The names that a module gives its ids, each id's own.
fn unique_names(instructions: &[Instruction]) -> HashMap<u32, String> {
    let mut taken = HashSet::new();
    let mut names = HashMap::new();
    for instruction in instructions {
        let [Operand::IdRef(id), Operand::LiteralString(name)] = &instruction.operands[..] else {
            continue;
        };
        let mut name = name.clone();
        // A name that is a number would be read as an id.
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
            continue;
        }
        if !taken.insert(name.clone()) {
            name = format!("{name}.{id}");
            taken.insert(name.clone());
        }
        names.insert(*id, name);
    }
    names
}

fn with_names(text: &str, names: &HashMap<u32, String>) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(found) = rest.find('%') {
        let (before, id) = rest.split_at(found + 1);
        result.push_str(before);
        let digits = id.bytes().take_while(u8::is_ascii_digit).count();
        match id[..digits].parse().ok().and_then(|id: u32| names.get(&id)) {
            Some(name) => result.push_str(name),
            None => result.push_str(&id[..digits]),
        }
        rest = &id[digits..];
    }
    result.push_str(rest);
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_ids_are_replaced_by_names() {
        let names = HashMap::from([(1, "one".to_owned())]);
        assert_eq!(
            with_names("%1 = OpAdd %11 %1 100%", &names),
            "%one = OpAdd %11 %one 100%"
        );
    }

    #[test]
    fn words_that_are_no_module_are_an_error() {
        assert!(disassemble(&[1, 2, 3]).is_err());
    }
}
