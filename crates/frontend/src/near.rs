//! Names that a misspelt one may have meant.

/// The closest names by edit distance, at most three, the closest first.
pub(crate) fn near<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let most = (name.chars().count() / 3).clamp(1, 3);
    let mut found: Vec<(usize, &str)> = names
        .into_iter()
        .filter(|other| *other != name && !other.starts_with('_'))
        .filter(|other| other.len().abs_diff(name.len()) <= 4)
        .map(|other| (distance(name, other), other))
        .filter(|(distance, other)| *distance <= most && *distance < other.chars().count())
        .collect();
    found.sort();
    found.dedup();
    let best = found.first().map_or(0, |(distance, _)| *distance);
    found.retain(|(distance, _)| *distance == best);
    found.into_iter().take(3).map(|(_, name)| name).collect()
}

/// "did you mean a, b or c?"
pub(crate) fn did_you_mean(names: &[&str]) -> Option<String> {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.as_slice() {
        [] => None,
        [one] => Some(format!("did you mean {one}?")),
        [first @ .., last] => Some(format!("did you mean {} or {last}?", first.join(", "))),
    }
}

/// Insertions, deletions, replacements and swaps of neighbours that make one of the other; case
/// counts half a change, rounded down.
fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.to_lowercase(), b.to_lowercase());
    let a: Vec<char> = a.chars().take(64).collect();
    let b: Vec<char> = b.chars().take(64).collect();
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = i;
    }
    for (j, cell) in rows[0].iter_mut().enumerate() {
        *cell = j;
    }
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let change = usize::from(a[i - 1] != b[j - 1]);
            let mut best = (rows[i - 1][j] + 1)
                .min(rows[i][j - 1] + 1)
                .min(rows[i - 1][j - 1] + change);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = best;
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_names_find_what_was_meant() {
        assert_eq!(near("sqr", ["sqrt", "sin", "exp"]), ["sqrt"]);
        assert_eq!(near("arctna", ["arctan", "arcsin"]), ["arctan"]);
        assert!(near("x", ["y", "z"]).is_empty());
        assert_eq!(
            did_you_mean(&["a", "b"]).unwrap(),
            "did you mean `a` or `b`?"
        );
    }
}
