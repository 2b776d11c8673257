#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| binder_fuzz::baseline_checkpoint(data));
