//! Which native devices there are.

use crate::device::NativeDevice;
use crate::event;
use crate::topology::Topology;
use colocate_hal::{Backend, DeviceRef, Error, Result, fork};
use std::sync::{Arc, Once};

/// What the environment asks of the native backend (R1.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NativeConfig {
    /// `COLOCATE_NATIVE_DEVICES`: how many root devices to present; they share the cores.
    pub devices: usize,
    /// `COLOCATE_NATIVE_DISCRETE`: pretend that host and device do not reach each other's memory.
    pub discrete: bool,
}

impl NativeConfig {
    /// Reads the environment; a value that makes no sense is an error, not a default.
    pub fn from_env() -> Result<NativeConfig> {
        let read = |name: &str| std::env::var(name).ok().filter(|text| !text.is_empty());
        Self::parse(
            read("COLOCATE_NATIVE_DEVICES").as_deref(),
            read("COLOCATE_NATIVE_DISCRETE").as_deref(),
        )
    }

    fn parse(devices: Option<&str>, discrete: Option<&str>) -> Result<NativeConfig> {
        let refuse = |why: String| Error::Load {
            backend: "native",
            why,
        };
        let devices = match devices {
            None => 1,
            Some(text) => text
                .parse()
                .ok()
                .filter(|count| (1..=64).contains(count))
                .ok_or_else(|| {
                    refuse(format!(
                        "COLOCATE_NATIVE_DEVICES={text}: write a number from 1 to 64"
                    ))
                })?,
        };
        let discrete = match discrete {
            None | Some("0") => false,
            Some("1") => true,
            Some(text) => {
                return Err(refuse(format!(
                    "COLOCATE_NATIVE_DISCRETE={text}: write 0 or 1"
                )));
            }
        };
        Ok(NativeConfig { devices, discrete })
    }
}

/// The native backend.
#[derive(Debug)]
pub struct NativeBackend {
    config: Result<NativeConfig>,
}

impl NativeBackend {
    /// As the environment asks; a bad request shows when devices are asked for.
    pub fn from_env() -> NativeBackend {
        Self::with(NativeConfig::from_env())
    }

    /// As the caller asks.
    pub fn new(config: NativeConfig) -> NativeBackend {
        Self::with(Ok(config))
    }

    fn with(config: Result<NativeConfig>) -> NativeBackend {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| fork::on_fork(event::drain_all));
        NativeBackend { config }
    }
}

impl Backend for NativeBackend {
    fn name(&self) -> &'static str {
        "native"
    }

    fn root_devices(&self) -> Result<Vec<DeviceRef>> {
        let config = self.config.clone()?;
        let topology = Arc::new(Topology::of_this_machine());
        Ok((0..config.devices)
            .map(|_| NativeDevice::root(topology.clone(), config.discrete) as DeviceRef)
            .collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nonsense_in_the_environment_is_an_error_with_the_way_out() {
        for (devices, discrete) in [
            (Some("0"), None),
            (Some("many"), None),
            (None, Some("maybe")),
        ] {
            let error = NativeConfig::parse(devices, discrete).unwrap_err();
            assert!(error.to_string().contains("write"), "{error}");
        }
        assert_eq!(
            NativeConfig::parse(Some("3"), Some("1")),
            Ok(NativeConfig {
                devices: 3,
                discrete: true
            })
        );
    }
}
