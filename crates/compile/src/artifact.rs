//! What a code generator makes, and its form in a file.
//!
//! A file is: [`MAGIC`], the key, the artifact, and a checksum of all that. Numbers are little
//! endian. A file is believed only as a whole: the checksum is looked at first. So what a driver
//! or the linker is given is what a code generator made, whatever happened to the file.

use crate::key::Key;

/// What a file begins with; its last byte counts the versions of the format.
const MAGIC: [u8; 8] = *b"colocat\x01";
const CHECKSUM: usize = blake3::OUT_LEN;

/// Code, and what is to be known to run it.
#[derive(Clone, Debug, PartialEq)]
pub struct Artifact {
    /// The name of the entry point.
    pub entry: String,
    /// Bytes of local memory for each group.
    pub local_bytes: usize,
    /// The code.
    pub code: Code,
}

/// Code in the form that a target takes.
#[derive(Clone, Debug, PartialEq)]
pub enum Code {
    /// An object file; see `colocate_codegen_llvm::Object`.
    Host {
        object: Vec<u8>,
        scratch_bytes: usize,
        scratch_bytes_per_item: usize,
        lanes: usize,
        item_cost: f32,
    },
    /// A SPIR-V module.
    SpirV(Vec<u32>),
}

const HOST: u64 = 1;
const SPIRV: u64 = 2;

impl Artifact {
    /// As a file.
    pub fn to_bytes(&self, key: &Key) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(key.as_bytes());
        put_bytes(&mut bytes, self.entry.as_bytes());
        put_number(&mut bytes, self.local_bytes as u64);
        match &self.code {
            Code::Host {
                object,
                scratch_bytes,
                scratch_bytes_per_item,
                lanes,
                item_cost,
            } => {
                put_number(&mut bytes, HOST);
                for number in [scratch_bytes, scratch_bytes_per_item, lanes] {
                    put_number(&mut bytes, *number as u64);
                }
                put_number(&mut bytes, item_cost.to_bits().into());
                put_bytes(&mut bytes, object);
            }
            Code::SpirV(words) => {
                put_number(&mut bytes, SPIRV);
                let words: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
                put_bytes(&mut bytes, &words);
            }
        }
        let checksum = blake3::hash(&bytes);
        bytes.extend_from_slice(checksum.as_bytes());
        bytes
    }

    /// From a file; `None` if it is not exactly what [`Artifact::to_bytes`] wrote for this key.
    pub fn from_bytes(bytes: &[u8], key: &Key) -> Option<Artifact> {
        let (contents, checksum) = bytes.split_at_checked(bytes.len().checked_sub(CHECKSUM)?)?;
        if blake3::hash(contents).as_bytes() != checksum {
            return None;
        }
        let mut reader = Reader(contents);
        if reader.take(MAGIC.len())? != MAGIC
            || reader.take(key.as_bytes().len())? != key.as_bytes()
        {
            return None;
        }
        let entry = String::from_utf8(reader.bytes()?.to_vec()).ok()?;
        let local_bytes = reader.size()?;
        let code = match reader.number()? {
            HOST => Code::Host {
                scratch_bytes: reader.size()?,
                scratch_bytes_per_item: reader.size()?,
                lanes: reader.size()?,
                item_cost: f32::from_bits(u32::try_from(reader.number()?).ok()?),
                object: reader.bytes()?.to_vec(),
            },
            SPIRV => {
                let words = reader.bytes()?.chunks(4);
                let words: Result<Vec<[u8; 4]>, _> = words.map(TryInto::try_into).collect();
                Code::SpirV(words.ok()?.into_iter().map(u32::from_le_bytes).collect())
            }
            _ => return None,
        };
        reader.0.is_empty().then_some(Artifact {
            entry,
            local_bytes,
            code,
        })
    }
}

fn put_number(to: &mut Vec<u8>, number: u64) {
    to.extend_from_slice(&number.to_le_bytes());
}

fn put_bytes(to: &mut Vec<u8>, bytes: &[u8]) {
    put_number(to, bytes.len() as u64);
    to.extend_from_slice(bytes);
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn number(&mut self) -> Option<u64> {
        self.take(8)?.try_into().ok().map(u64::from_le_bytes)
    }

    fn size(&mut self) -> Option<usize> {
        self.number()?.try_into().ok()
    }

    fn bytes(&mut self) -> Option<&'a [u8]> {
        let count = self.size()?;
        self.take(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn artifacts() -> [Artifact; 2] {
        let host = Code::Host {
            object: vec![1, 2, 3],
            scratch_bytes: 64,
            scratch_bytes_per_item: 7,
            lanes: 8,
            item_cost: 0.25,
        };
        [host, Code::SpirV(vec![0x0723_0203, 5])].map(|code| Artifact {
            entry: "k_1".into(),
            local_bytes: 1024,
            code,
        })
    }

    #[test]
    fn a_file_gives_back_what_was_written() {
        let key = Key::from_bytes([7; 32]);
        for artifact in artifacts() {
            let bytes = artifact.to_bytes(&key);
            assert_eq!(Artifact::from_bytes(&bytes, &key), Some(artifact));
        }
    }

    #[test]
    fn a_damaged_file_gives_nothing() {
        let key = Key::from_bytes([7; 32]);
        for artifact in artifacts() {
            let bytes = artifact.to_bytes(&key);
            for position in 0..bytes.len() {
                for flip in [1, 0x80, 0xff] {
                    let mut damaged = bytes.clone();
                    damaged[position] ^= flip;
                    assert_eq!(Artifact::from_bytes(&damaged, &key), None);
                }
                assert_eq!(Artifact::from_bytes(&bytes[..position], &key), None);
            }
            let longer = [&bytes[..], &[0]].concat();
            assert_eq!(Artifact::from_bytes(&longer, &key), None);
            assert_eq!(
                Artifact::from_bytes(&bytes, &Key::from_bytes([8; 32])),
                None
            );
        }
    }

    #[test]
    fn lengths_are_not_believed_even_with_a_valid_checksum() {
        let key = Key::from_bytes([7; 32]);
        let artifact = &artifacts()[1];
        let bytes = artifact.to_bytes(&key);
        let contents = &bytes[..bytes.len() - CHECKSUM];
        for position in MAGIC.len() + 32..contents.len() {
            let mut forged = contents.to_vec();
            forged[position] = 0xff;
            let checksum = blake3::hash(&forged);
            forged.extend_from_slice(checksum.as_bytes());
            // Whatever it gives, it neither panics nor asks for memory without end.
            let _ = Artifact::from_bytes(&forged, &key);
        }
    }
}
