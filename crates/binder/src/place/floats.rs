//! Numbers of 32 or 16 bits in safetensors files.

use safetensors::tensor::{Dtype, TensorView};

/// The types that are read, for messages.
pub(super) const READ: &str = "F32, F16 or BF16";

/// The numbers of a tensor; `None` if it is of another type.
pub(super) fn floats(tensor: &TensorView<'_>) -> Option<Vec<f32>> {
    let (wide, _) = tensor.data().as_chunks::<4>();
    let (narrow, _) = tensor.data().as_chunks::<2>();
    let bits = narrow.iter().map(|&bytes| u16::from_le_bytes(bytes));
    match tensor.dtype() {
        Dtype::F32 => Some(wide.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect()),
        Dtype::F16 => Some(bits.map(from_half).collect()),
        Dtype::BF16 => Some(bits.map(|bits| f32::from_bits(u32::from(bits) << 16)).collect()),
        _ => None,
    }
}

/// A number of one bit for the sign, five for the exponent and ten for the fraction.
fn from_half(bits: u16) -> f32 {
    /// The fraction of a number below 2⁻¹⁴ counts so much.
    const LEAST: f32 = 1.0 / 16_777_216.0;
    let (exponent, fraction) = (u32::from(bits >> 10 & 0x1f), u32::from(bits & 0x3ff));
    let size = match exponent {
        0 => f32::from(bits & 0x3ff) * LEAST,
        0x1f => f32::from_bits(0x7f80_0000 | fraction << 13),
        _ => f32::from_bits((exponent + 112) << 23 | fraction << 13),
    };
    if bits >> 15 == 1 { -size } else { size }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_half_is_its_sign_fraction_and_exponent() {
        for bits in 0..=u16::MAX {
            let (exponent, fraction) = (i32::from(bits >> 10 & 0x1f), f64::from(bits & 0x3ff));
            let size = match exponent {
                0 => fraction * 2f64.powi(-24),
                0x1f if fraction == 0.0 => f64::INFINITY,
                0x1f => f64::NAN,
                _ => (1.0 + fraction / 1024.0) * 2f64.powi(exponent - 15),
            };
            let wanted = if bits >= 0x8000 { -size } else { size };
            let found = f64::from(from_half(bits));
            assert!(found.to_bits() == wanted.to_bits() || found.is_nan() && wanted.is_nan());
        }
    }

    #[test]
    fn each_type_is_read() {
        let read = |dtype, bytes: &[u8]| {
            let length = bytes.len() * 8 / dtype_bits(dtype);
            floats(&TensorView::new(dtype, vec![length], bytes).unwrap())
        };
        assert_eq!(read(Dtype::F32, &1.5f32.to_le_bytes()), Some(vec![1.5]));
        assert_eq!(read(Dtype::F16, &[0x00, 0x3e, 0x00, 0xc0]), Some(vec![1.5, -2.0]));
        assert_eq!(read(Dtype::BF16, &[0xc0, 0x3f]), Some(vec![1.5]));
        assert_eq!(read(Dtype::F64, &1.5f64.to_le_bytes()), None);
    }

    fn dtype_bits(dtype: Dtype) -> usize {
        match dtype {
            Dtype::F64 => 64,
            Dtype::F32 => 32,
            _ => 16,
        }
    }
}
