//! No source text makes the front end panic, and what compiles is valid.

mod support;

use colocate_frontend::Captured;
use colocate_frontend::ir::DType;
use proptest::prelude::*;
use support::*;

const VALID: &[&str] = &[
    "def kernel(a, k, x, n):
    i = cl.get_global_id(0)
    acc = 0
    for j in range(n):
        if k[j] > i and j != 3:
            acc += a[j] * x
        elif acc > 2.5:
            break
        else:
            continue
    a[i] = acc if acc else -1
    b = a[1:-1:2]
    b[:] = 3
    while n > 0:
        n -= 1
        t = (n, x, a)
        n, x, a = t
    return
",
    "def kernel(a, k, x, n):
    t = cl.private_array((4, 2), np.float32)
    t[0, 1] = math.sin(x) + np.sqrt(k[0])
    z = complex(x, n) ** 2
    a[-n] = helper(z.real, n) // 2 % 5
    cl.atomic.add(a, 0, t[0][1])
    for p, q in zip(a, k):
        a[0] += min(p, q, 1) | k[0]
    u = v = np.where(x > 0, n << 2, ~k[1])
    a[0] = round(u, 2) + (w := abs(v)) + w
",
    "def kernel(a, k, x, n):
    for i in (1, 2.0, x):
        a[i if i is None else 0] = i
    d = a.dtype.type(1) + np.finfo(a.dtype).eps
    if a.ndim == 1 and a.shape[0] > 3:
        d = divmod(n, 3)[0]
    a[0] = d not in (1, 2, 3)
    a[1:3] = a[0:2]
    a[0] **= k[0] ^ n
",
];

fn any_dtype() -> impl Strategy<Value = DType> {
    (0..DType::ALL.len()).prop_map(|i| DType::ALL[i])
}

fn check(source: &str, dtypes: [DType; 4]) {
    let mut world = World::new();
    world.add("def helper(p, q=2):\n    if p > q:\n        return p\n    for i in range(q):\n        if i == p:\n            return i * 0.5\n    return q\n");
    world.value("tile", Captured::Int(8));
    let entry = world.add(source);
    let arguments = [
        array(dtypes[0], 1),
        array(dtypes[1], 1),
        strong(dtypes[2]),
        strong(dtypes[3]),
    ];
    for options in [REGION, GROUPED] {
        if let Err(failure) = compile_in(&mut world, entry, &arguments, &options) {
            assert!(!failure.diagnostics.is_empty());
            text(&failure);
        }
    }
}

/// Pieces that programs are made of.
const PIECES: &[&str] = &[
    "a",
    "k",
    "x",
    "n",
    "i",
    "acc",
    "0",
    "1",
    "-1",
    "2.5",
    "1j",
    "True",
    "None",
    "'s'",
    "...",
    "(",
    ")",
    "[",
    "]",
    ":",
    ",",
    "+",
    "-",
    "*",
    "/",
    "//",
    "%",
    "**",
    "<<",
    "&",
    "|",
    "^",
    "~",
    "@",
    "=",
    "+=",
    "==",
    "<",
    "is",
    "in",
    "not",
    "and",
    "or",
    "if",
    "else",
    "elif",
    "for",
    "while",
    "break",
    "continue",
    "return",
    "pass",
    "lambda",
    ":=",
    ".shape",
    ".T",
    ".real",
    ".dtype",
    "range",
    "len",
    "min",
    "int",
    "np.sin",
    "np.float32",
    "np.where",
    "math.floor",
    "cl.get_global_id",
    "cl.barrier",
    "cl.group.sum",
    "cl.local_array",
    "helper",
    "\n    ",
    "\n        ",
    "\n",
    " ",
    "# c\n",
    "\"\"\"",
    "é",
    "\t",
    "\\\n",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_text_gives_diagnostics(source in "\\PC{0,120}") {
        check(&source, [DType::Float32; 4]);
    }

    #[test]
    fn random_pieces_in_a_body_give_diagnostics(
        pieces in prop::collection::vec(0..PIECES.len(), 0..40),
        dtypes in prop::array::uniform4(any_dtype()),
    ) {
        let body: Vec<&str> = pieces.iter().map(|i| PIECES[*i]).collect();
        check(&format!("def kernel(a, k, x, n):\n    {}\n", body.join(" ")), dtypes);
    }

    #[test]
    fn valid_programs_with_tokens_replaced_never_panic(
        which in 0..VALID.len(),
        changes in prop::collection::vec((0usize..400, 0..PIECES.len(), any::<bool>()), 0..5),
        dtypes in prop::array::uniform4(any_dtype()),
    ) {
        let mut parts: Vec<String> = split(VALID[which]);
        for (at, piece, insert) in changes {
            let at = at % parts.len();
            if insert {
                parts.insert(at, format!(" {} ", PIECES[piece]));
            } else {
                parts[at] = PIECES[piece].into();
            }
        }
        check(&parts.concat(), dtypes);
    }
}

/// Words, numbers and single characters.
fn split(text: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for c in text.chars() {
        let word = c.is_alphanumeric() || c == '_';
        match parts.last_mut() {
            Some(last) if word && last.chars().all(|c| c.is_alphanumeric() || c == '_') => {
                last.push(c)
            }
            _ => parts.push(c.into()),
        }
    }
    parts
}
