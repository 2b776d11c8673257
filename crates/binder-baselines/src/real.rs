//! The numbers that methods compute with.
//!
//! Methods are written once, for any [`Real`]. They run on `f32`, whose functions here are plain
//! arithmetic without a branch, so that a compiler turns loops over them into vector code and every
//! machine gives the same bits. The tests compare gradients with differences in `f64`.

use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub};

/// `f32` or `f64`.
pub trait Real:
    Copy
    + PartialOrd
    + Send
    + Sync
    + std::fmt::Debug
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
{
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// A constant, rounded.
    fn of(value: f64) -> Self;
    /// e^x. What would overflow or underflow stops at the largest or smallest normal number.
    fn exp(self) -> Self;
    /// The logarithm of a normal number above 0.
    fn ln(self) -> Self;
    /// log(1 + x) for x from 0 to 1, exact to the last digits for small x.
    fn ln_1p(self) -> Self;
    /// A normal number above 0 as m · 2^n: m from √½ to √2, and n. Numbers of any size can be
    /// multiplied by their parts.
    fn split(self) -> (Self, Self);
    /// The square root.
    fn sqrt(self) -> Self;
    /// The absolute value.
    fn abs(self) -> Self;
    /// The angle with this cosine.
    fn acos(self) -> Self;
    /// The angle with this sine.
    fn asin(self) -> Self;

    /// The larger of two. `f32::max` treats NaN specially, which costs two more instructions.
    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        if self > other { self } else { other }
    }

    /// The smaller of two.
    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        if self < other { self } else { other }
    }

    /// `[x]+` = max(x, 0).
    #[inline(always)]
    fn positive(self) -> Self {
        self.larger(Self::ZERO)
    }

    /// 1 / (1 + e^−x).
    #[inline(always)]
    fn sigmoid(self) -> Self {
        Self::ONE / (Self::ONE + (-self).exp())
    }

    /// log(1 + e^x).
    #[inline(always)]
    fn softplus(self) -> Self {
        self.positive() + (-self.abs()).exp().ln_1p()
    }
}

/// A polynomial from its coefficients, that of the highest power first, by Horner's rule. It is a
/// macro because a loop over an array of coefficients is not always unrolled.
macro_rules! polynomial {
    ($x:expr, $first:expr $(, $next:expr)*) => {{
        let sum = $first;
        $(let sum = sum * $x + $next;)*
        sum
    }};
}

pub(crate) use polynomial;

/// log₂ e, and log 2 as a sum of a short number and the rest, so that the product of the first with
/// a small integer is exact.
const LOG2_E: f32 = std::f32::consts::LOG2_E;
const LN_2_SHORT: f32 = 0.693_359_4;
const LN_2_REST: f32 = -2.121_944_4e-4;

/// 1.5 · 2^23. Adding it to a small number rounds that to an integer, which the low bits then hold.
const ROUNDER: f32 = 12_582_912.0;

/// The largest arguments whose power is a normal number.
const EXP_RANGE: (f32, f32) = (-87.0, 88.0);

/// 2 artanh(s) − 2 s = 2 s (z/3 + z²/5 + …), z = s², for |s| up to 1/3: the terms left out are
/// below 2^-25 of the sum.
#[inline(always)]
fn twice_artanh(s: f32) -> f32 {
    let z = s * s;
    let sum = polynomial!(
        z,
        1.0 / 15.0,
        1.0 / 13.0,
        1.0 / 11.0,
        1.0 / 9.0,
        1.0 / 7.0,
        1.0 / 5.0,
        1.0 / 3.0
    );
    2.0 * s + 2.0 * s * (z * sum)
}

impl Real for f32 {
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "constants are rounded")]
    fn of(value: f64) -> Self {
        value as Self
    }

    /// e^x = 2^n e^r with |r| ≤ log(2) / 2; e^r by its series to the power of 7.
    #[inline(always)]
    fn exp(self) -> Self {
        let x = self.larger(EXP_RANGE.0).smaller(EXP_RANGE.1);
        let rounded = x * LOG2_E + ROUNDER;
        let n = rounded - ROUNDER;
        let r = x - n * LN_2_SHORT - n * LN_2_REST;
        let sum = polynomial!(
            r,
            1.0 / 5040.0,
            1.0 / 720.0,
            1.0 / 120.0,
            1.0 / 24.0,
            1.0 / 6.0,
            0.5,
            1.0,
            1.0
        );
        // The low bits of `rounded` are n; shifted, they are added to the exponent.
        Self::from_bits(sum.to_bits().wrapping_add(rounded.to_bits() << 23))
    }

    /// log x = n log 2 + log m with m from √½ to √2, and log m = 2 artanh((m − 1) / (m + 1)).
    #[inline(always)]
    fn ln(self) -> Self {
        let (m, n) = self.split();
        n * LN_2_SHORT + (n * LN_2_REST + twice_artanh((m - 1.0) / (m + 1.0)))
    }

    #[inline(always)]
    #[expect(clippy::cast_precision_loss, reason = "an exponent has eight bits")]
    fn split(self) -> (Self, Self) {
        const SQRT_HALF: u32 = std::f32::consts::FRAC_1_SQRT_2.to_bits();
        let bits = self.to_bits().wrapping_sub(SQRT_HALF);
        let m = Self::from_bits((bits & 0x007f_ffff) + SQRT_HALF);
        (m, (bits.cast_signed() >> 23) as Self)
    }

    #[inline(always)]
    fn ln_1p(self) -> Self {
        twice_artanh(self / (2.0 + self))
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        self.sqrt()
    }

    #[inline(always)]
    fn abs(self) -> Self {
        self.abs()
    }

    fn acos(self) -> Self {
        libm::acosf(self)
    }

    fn asin(self) -> Self {
        libm::asinf(self)
    }
}

impl Real for f64 {
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;

    fn of(value: f64) -> Self {
        value
    }

    fn exp(self) -> Self {
        libm::exp(self)
    }

    fn ln(self) -> Self {
        libm::log(self)
    }

    fn ln_1p(self) -> Self {
        libm::log1p(self)
    }

    #[expect(clippy::cast_precision_loss, reason = "an exponent has eleven bits")]
    fn split(self) -> (Self, Self) {
        const SQRT_HALF: u64 = std::f64::consts::FRAC_1_SQRT_2.to_bits();
        let bits = self.to_bits().wrapping_sub(SQRT_HALF);
        let m = Self::from_bits((bits & 0x000f_ffff_ffff_ffff) + SQRT_HALF);
        (m, (bits.cast_signed() >> 52) as Self)
    }

    fn sqrt(self) -> Self {
        self.sqrt()
    }

    fn abs(self) -> Self {
        self.abs()
    }

    fn acos(self) -> Self {
        libm::acos(self)
    }

    fn asin(self) -> Self {
        libm::asin(self)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Whether two numbers differ by less than a few units in the last place of an `f32`.
    fn close(fast: f32, exact: f64) -> bool {
        (f64::from(fast) - exact).abs() <= 3e-7 * exact.abs() + 1e-37
    }

    proptest! {
        #[test]
        fn powers_are_right_to_the_last_digits(x in -87.0f32..88.0) {
            prop_assert!(close(Real::exp(x), libm::exp(x.into())));
        }

        #[test]
        fn logarithms_are_right_to_the_last_digits(x in 1e-37f32..1e30, small in 0.5f32..2.0) {
            for x in [x, 1.0 / x, small] {
                let exact = libm::log(x.into());
                prop_assert!((f64::from(Real::ln(x)) - exact).abs() < 3e-7 * exact.abs().max(0.1));
            }
        }

        #[test]
        fn parts_of_numbers_multiply_to_them(x in 1e-37f32..1e30, power in -100i32..100) {
            let (m, n) = x.split();
            prop_assert!((0.707..1.4143).contains(&m));
            #[expect(clippy::cast_possible_truncation)]
            let n = n as i32;
            prop_assert_eq!((f64::from(m) * 2f64.powi(n)).to_bits(), f64::from(x).to_bits());
            let long = f64::from(x) * 2f64.powi(power);
            let (m, n) = long.split();
            #[expect(clippy::cast_possible_truncation)]
            let n = n as i32;
            prop_assert_eq!((m * 2f64.powi(n)).to_bits(), long.to_bits());
        }

        #[test]
        fn logarithms_of_one_plus_a_little_are_right(x in 0.0f32..=1.0, power in 0i32..100) {
            let x = x * 2f32.powi(-power);
            prop_assert!(close(Real::ln_1p(x), libm::log1p(x.into())));
        }

        #[test]
        fn softplus_and_sigmoid_are_right(x in -80.0f32..80.0) {
            let power = libm::exp(x.into());
            prop_assert!(close(x.softplus(), libm::log1p(power)));
            prop_assert!(close(x.sigmoid(), 1.0 / (1.0 + 1.0 / power)));
        }
    }

    #[test]
    fn powers_out_of_range_are_normal_numbers() {
        for x in [-1e30, -100.0, 100.0, 1e30, f32::INFINITY, f32::NEG_INFINITY] {
            assert!(Real::exp(x).is_normal(), "{x}");
        }
    }
}
