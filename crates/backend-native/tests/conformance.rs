//! The native backend keeps the contract, as one device and as several, discrete or not.

use colocate_backend_native::{NativeBackend, NativeConfig};

mod plain {
    use super::*;
    colocate_hal::conformance_suite!(|| Ok(NativeBackend::new(NativeConfig {
        devices: 1,
        discrete: false,
    })));
}

mod two_discrete_devices {
    use super::*;
    colocate_hal::conformance_suite!(|| Ok(NativeBackend::new(NativeConfig {
        devices: 2,
        discrete: true,
    })));
}
