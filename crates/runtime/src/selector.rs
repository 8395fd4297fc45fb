//! Selector strings (R1.5).

use colocate_hal::DeviceType;

/// One alternative of a selector: every part that is given must fit.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Filter {
    /// A backend's name as devices report it, or a family's (`sycl`).
    pub backend: Option<String>,
    /// A kind of device.
    pub device_type: Option<DeviceType>,
    /// Which of those that fit the other parts; the first if not given.
    pub index: Option<usize>,
}

const BACKENDS: [&str; 7] = [
    "native",
    "cuda",
    "level_zero",
    "opencl",
    "sycl",
    "sycl_cuda",
    "sycl_hip",
];

/// Reads a selector into its alternatives, in order of preference; or says what is wrong with it.
pub fn parse(text: &str) -> Result<Vec<Filter>, String> {
    text.split(',')
        .map(|part| parse_filter(part.trim()))
        .collect()
}

fn parse_filter(part: &str) -> Result<Filter, String> {
    if part.is_empty() {
        return Err("it is empty".into());
    }
    let mut filter = Filter::default();
    // The parts come in one order, so what has been read says what may follow.
    let mut read = 0;
    for word in part.split(':').map(str::trim) {
        let lower = word.to_ascii_lowercase();
        let kind = match lower.as_str() {
            "cpu" => Some(DeviceType::Cpu),
            "gpu" => Some(DeviceType::Gpu),
            "accelerator" => Some(DeviceType::Accelerator),
            _ => None,
        };
        let position = if kind.is_some() {
            filter.device_type = kind;
            2
        } else if BACKENDS.contains(&lower.as_str()) {
            filter.backend = Some(lower);
            1
        } else if let Ok(index) = lower.parse() {
            filter.index = Some(index);
            3
        } else if lower.is_empty() {
            read + 1
        } else {
            return Err(format!(
                "{word:?} is no backend ({}), no type (cpu, gpu, accelerator) and no number",
                BACKENDS[..5].join(", ")
            ));
        };
        if position <= read || position > 3 {
            return Err(format!("{word:?} is not in its place"));
        }
        read = position;
    }
    if filter == Filter::default() {
        return Err("no part of it says anything".into());
    }
    Ok(filter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn filter(
        backend: Option<&str>,
        device_type: Option<DeviceType>,
        index: Option<usize>,
    ) -> Filter {
        Filter {
            backend: backend.map(str::to_owned),
            device_type,
            index,
        }
    }

    #[test]
    fn every_part_is_optional_and_case_does_not_matter() {
        use DeviceType::*;
        for (text, wanted) in [
            ("cpu", filter(None, Some(Cpu), None)),
            ("GPU:1", filter(None, Some(Gpu), Some(1))),
            ("cuda", filter(Some("cuda"), None, None)),
            ("Native:CPU:0", filter(Some("native"), Some(Cpu), Some(0))),
            ("opencl:gpu", filter(Some("opencl"), Some(Gpu), None)),
            ("opencl:1", filter(Some("opencl"), None, Some(1))),
            ("opencl::1", filter(Some("opencl"), None, Some(1))),
            (" sycl : cpu ", filter(Some("sycl"), Some(Cpu), None)),
            ("0", filter(None, None, Some(0))),
        ] {
            assert_eq!(parse(text), Ok(vec![wanted]), "{text}");
        }
    }

    #[test]
    fn a_comma_gives_alternatives_in_order() {
        let all = parse("cuda:gpu, cpu").unwrap();
        assert_eq!(all.len(), 2);
        assert_eq!(all[1].device_type, Some(DeviceType::Cpu));
    }

    #[test]
    fn what_cannot_be_read_is_refused_with_a_reason() {
        for text in [
            "",
            ",",
            "tpu",
            "cpu:native",
            "0:cpu",
            "cpu:cpu",
            "cpu:-1",
            "::",
            "a:b:c:d",
            "cpu:0:0",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn nothing_panics(text in ".{0,30}") {
            let _ = parse(&text);
        }
    }
}
