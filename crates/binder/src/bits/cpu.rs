//! Detects which instruction sets the machine has.
//!
//! The best level is chosen once, at run time. Setting the environment variable `BINDER_KERNELS` to
//! `scalar`, `avx2` or `avx512` chooses a lower level, for comparisons.

use std::sync::OnceLock;

/// The instruction sets that inner loops are compiled for, the lowest level first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Cpu {
    /// Plain code, which runs on every machine.
    Scalar,
    /// AVX2, BMI2 and POPCNT.
    #[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
    Avx2,
    /// AVX-512 F, BW and DQ, BMI2 and POPCNT.
    #[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
    Avx512,
}

impl Cpu {
    /// The levels that this machine has, the best last.
    #[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
    pub(crate) fn available() -> Vec<Self> {
        let mut levels = vec![Self::Scalar];
        if is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt")
        {
            levels.push(Self::Avx2);
            if is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
            {
                levels.push(Self::Avx512);
            }
        }
        levels
    }

    /// The levels that this machine has, the best last.
    #[cfg(not(all(target_arch = "x86_64", not(feature = "portable"))))]
    pub(crate) fn available() -> Vec<Self> {
        vec![Self::Scalar]
    }

    /// The value of `BINDER_KERNELS` that chooses this level.
    fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            #[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
            Self::Avx2 => "avx2",
            #[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
            Self::Avx512 => "avx512",
        }
    }

    /// The level in use: the one that `BINDER_KERNELS` names if the machine has it, else the best.
    #[inline]
    pub(crate) fn current() -> Self {
        static CURRENT: OnceLock<Cpu> = OnceLock::new();
        *CURRENT.get_or_init(|| {
            let best = || Self::available().into_iter().next_back();
            requested().and_then(|name| by_name(&name)).or_else(best).unwrap_or(Self::Scalar)
        })
    }
}

fn requested() -> Option<String> {
    std::env::var("BINDER_KERNELS").ok().filter(|name| !name.is_empty())
}

fn by_name(name: &str) -> Option<Cpu> {
    Cpu::available().into_iter().find(|cpu| cpu.name() == name)
}

/// The level that the environment variable `BINDER_KERNELS` asks for, if this machine does not have
/// it. The best available level is used instead.
pub fn unavailable_kernels() -> Option<String> {
    requested().filter(|name| by_name(name).is_none())
}

/// Work that is compiled once for each instruction set, so that the compiler turns its plain loops
/// into vector code: [`vectorised`] runs it.
///
/// Floating-point results are the same on every machine, as long as sums have a fixed number of
/// partial sums: the compiler neither reorders operations nor joins two into one.
///
/// # Examples
///
/// ```
/// use binder::bits::{VectorWork, vectorised};
///
/// struct Doubled<'a>(&'a mut [f32]);
///
/// impl VectorWork for Doubled<'_> {
///     type Output = ();
///
///     #[inline(always)]
///     fn run(self) {
///         self.0.iter_mut().for_each(|number| *number *= 2.0);
///     }
/// }
///
/// let mut numbers = [1.0, 2.0, 3.0];
/// vectorised(Doubled(&mut numbers));
/// assert_eq!(numbers, [2.0, 4.0, 6.0]);
/// ```
pub trait VectorWork {
    /// The result.
    type Output;

    /// Does the work. Mark it and what it calls `#[inline(always)]`: only what is inlined is
    /// compiled for each instruction set.
    fn run(self) -> Self::Output;
}

/// Does work in the version for the current level.
#[inline]
pub fn vectorised<W: VectorWork>(work: W) -> W::Output {
    #[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
    {
        #[target_feature(enable = "avx2,bmi2,popcnt")]
        fn avx2<W: VectorWork>(work: W) -> W::Output {
            work.run()
        }
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,bmi2,popcnt")]
        fn avx512<W: VectorWork>(work: W) -> W::Output {
            work.run()
        }
        match Cpu::current() {
            Cpu::Scalar => {}
            // SAFETY: `current` returns this level only if the machine has these features.
            Cpu::Avx2 => return unsafe { avx2(work) },
            // SAFETY: as above.
            Cpu::Avx512 => return unsafe { avx512(work) },
        }
    }
    work.run()
}

/// Defines a function that is compiled once for each instruction set, so that the compiler turns
/// its plain loop into vector code. A call runs the version for the current level.
macro_rules! per_cpu {
    (
        $(#[$meta:meta])*
        $vis:vis fn $name:ident($($arg:ident: $type:ty),* $(,)?) $(-> $output:ty)? $body:block
    ) => {
        $(#[$meta])*
        #[inline]
        $vis fn $name($($arg: $type),*) $(-> $output)? {
            #[inline(always)]
            fn plain($($arg: $type),*) $(-> $output)? $body

            #[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
            {
                #[target_feature(enable = "avx2,bmi2,popcnt")]
                fn avx2($($arg: $type),*) $(-> $output)? {
                    plain($($arg),*)
                }
                #[target_feature(enable = "avx512f,avx512bw,avx512dq,bmi2,popcnt")]
                fn avx512($($arg: $type),*) $(-> $output)? {
                    plain($($arg),*)
                }
                match $crate::bits::cpu::Cpu::current() {
                    $crate::bits::cpu::Cpu::Scalar => {}
                    // SAFETY: `current` returns this level only if the machine has these features.
                    $crate::bits::cpu::Cpu::Avx2 => return unsafe { avx2($($arg),*) },
                    // SAFETY: as above.
                    $crate::bits::cpu::Cpu::Avx512 => return unsafe { avx512($($arg),*) },
                }
            }
            plain($($arg),*)
        }
    };
}
