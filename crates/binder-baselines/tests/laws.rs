//! What holds for every method.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use binder::container::ContainerError;
use binder::graph::Graph;
use binder::{Choice, Codes, Hierarchy, Id, Model, Progress};
use binder_baselines::evaluate::{all_pairs, code_scores, listed, measures};
use binder_baselines::{
    Baseline, BaselineParams, Error, KeepBy, Method, Training, Validation, fit,
};

fn toy() -> Hierarchy {
    Hierarchy::read("toy").unwrap()
}

/// A hierarchy with more concepts than the pool of [`quick`], two parents each.
fn larger() -> Hierarchy {
    let pairs = (1..60u32).flat_map(|child| [child / 2, child / 3].map(|parent| (child, parent)));
    Hierarchy::from_pairs(
        pairs.filter(|(a, b)| a != b).map(|(a, b)| (a.to_string(), b.to_string())),
    )
    .unwrap()
}

/// Settings for a run of a moment.
fn quick(method: Method) -> BaselineParams {
    BaselineParams::of(method).with(|params| {
        (params.dim, params.epochs, params.batch) = (6, 3, 32);
        (params.negatives, params.pool, params.seed) = (5, 20, 9);
    })
}

fn trained(hierarchy: &Hierarchy, params: BaselineParams) -> Baseline {
    fit(hierarchy, &params.check().unwrap(), &()).unwrap()
}

/// All pairs of different concepts: those of the closure and the others.
fn both(hierarchy: &Hierarchy) -> [Vec<(Id, Id)>; 2] {
    let all = hierarchy.ids().flat_map(|child| hierarchy.ids().map(move |parent| (child, parent)));
    let (yes, no) = all
        .filter(|(child, parent)| child != parent)
        .partition(|&(child, parent)| hierarchy.is_a(child, parent));
    [yes, no]
}

#[test]
fn the_same_seed_gives_the_same_bytes_with_any_number_of_threads() {
    let hierarchy = larger();
    for &method in Method::ALL {
        let bytes = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| trained(&hierarchy, quick(method)).to_bytes())
        };
        let one = bytes(1);
        assert_eq!(one, bytes(2), "{method}");
        assert_eq!(one, bytes(5), "{method}");
        let other = quick(method).with(|params| params.seed = 10);
        assert_ne!(one, trained(&hierarchy, other).to_bytes(), "{method}");
    }
}

#[test]
fn every_method_learns_the_closure_of_the_toy() {
    let toy = toy();
    let [positives, negatives] = both(&toy);
    let pairs = Graph::new(toy.len(), positives.iter().copied());
    for &method in Method::ALL {
        let params = BaselineParams::of(method).with(|params| {
            (params.dim, params.epochs, params.batch, params.negatives) = (24, 150, 8, 16);
            params.patience = 0;
        });
        let params = params.check().unwrap();
        let validation = Validation { positives: &positives, negatives: &negatives };
        let mut training = Training::new(&pairs, &pairs, &params, validation).unwrap();
        while !training.is_over() {
            training.step(&()).unwrap();
        }
        let f1 = training.model(&toy, "closure", "all").threshold().confusion.f1();
        let weak = [Method::Lorentzian, Method::Poincare].contains(&method);
        assert!(f1 > if weak { 0.6 } else { 0.9 }, "{method}: {f1}");
    }
}

#[test]
fn both_ways_to_judge_agree() {
    let toy = toy();
    let [positives, negatives] = both(&toy);
    for &method in Method::ALL {
        let model = trained(&toy, quick(method));
        let (scores, at) = (model.scores(), model.threshold().at);
        let of_lists = listed(&*scores, at, &positives, &negatives, &toy);
        let of_all = all_pairs(&*scores, at, &toy, &()).unwrap();
        assert_eq!(of_lists.measures, measures(&*scores, at, &positives, &negatives), "{method}");
        assert_eq!(of_lists.measures.confusion, of_all.measures.confusion, "{method}");
        let pairs = [
            (of_lists.measures.auc, of_all.measures.auc),
            (of_lists.measures.average_precision, of_all.measures.average_precision),
            (of_lists.measures.best_f1, of_all.measures.best_f1),
            (of_lists.mrr, of_all.mrr),
            (of_lists.hits[2], of_all.hits[2]),
        ];
        for (a, b) in pairs {
            assert!((a - b).abs() < 1e-9 && (0.0..=1.0).contains(&a), "{method}: {a} {b}");
        }
    }
}

#[test]
fn exact_codes_are_judged_perfect() {
    let toy = toy();
    let model = binder::encode(&toy).unwrap();
    let judged = all_pairs(&code_scores(model.codes()), 0.0, &toy, &()).unwrap();
    let measures = judged.measures;
    assert_eq!(measures.confusion.errors(), 0);
    assert!(measures.auc >= 1.0 && measures.average_precision >= 1.0 && judged.mrr >= 1.0);
}

#[test]
fn files_come_back_as_they_were() {
    let folder = tempfile::tempdir().unwrap();
    let (toy, path) = (toy(), folder.path().join("model"));
    for &method in Method::ALL {
        let model = trained(&toy, quick(method));
        model.save(&path).unwrap();
        assert!(binder::output::is_ours(&path).unwrap());
        let opened = Baseline::open(&path).unwrap();
        assert_eq!(opened.to_bytes(), model.to_bytes(), "{method}");
        assert_eq!(opened.threshold(), model.threshold());
        let pairs = both(&toy)[0].clone();
        assert_eq!(opened.scores().of_pairs(&pairs), model.scores().of_pairs(&pairs));
        assert_eq!(opened.notes()["method"], method.name());
    }
}

#[test]
fn files_of_other_kinds_are_told_apart() {
    let toy = toy();
    let codes = Codes::zeros(toy.len(), 4).unwrap();
    let model = Model::new(toy.clone(), codes).unwrap().to_bytes();
    let baseline = trained(&toy, quick(Method::Oe)).to_bytes();
    let error = Baseline::from_bytes(&model).unwrap_err();
    assert_eq!(error.to_string(), "a safetensors file, but not a Binder baseline: it is a model");
    let error = Model::from_bytes(&baseline).unwrap_err();
    assert_eq!(error.to_string(), "a safetensors file, but not a Binder model: it is a baseline");
}

#[test]
fn damaged_files_are_refused() {
    let bytes = trained(&toy(), quick(Method::Hec)).to_bytes();
    let cut = Baseline::from_bytes(&bytes[..bytes.len() - 1]);
    assert!(matches!(cut, Err(ContainerError::Length)), "{cut:?}");
    let mut flipped = bytes.clone();
    *flipped.last_mut().unwrap() ^= 1;
    assert!(matches!(Baseline::from_bytes(&flipped), Err(ContainerError::Checksum)));
    assert!(Baseline::from_bytes(b"").is_err());
    for at in 0..bytes.len().min(400) {
        let mut changed = bytes.clone();
        changed[at] ^= 0x20;
        assert!(Baseline::from_bytes(&changed).is_err() || changed == bytes, "{at}");
    }
}

#[test]
fn settings_out_of_range_are_errors() {
    type Change = fn(&mut BaselineParams);
    let wrong: [(&str, Change); 10] = [
        ("dim", |params| params.dim = 0),
        ("dim", |params| params.dim = 100_000),
        ("rate", |params| params.rate = f64::NAN),
        ("batch", |params| params.batch = 0),
        ("batch", |params| (params.batch, params.negatives) = (60_000, 60_000)),
        ("negatives", |params| params.negatives = 0),
        ("weight", |params| params.weight = 1.0),
        ("epochs", |params| params.epochs = 0),
        ("pool", |params| params.pool = 1),
        ("start", |params| params.start = -1.0),
    ];
    for (name, change) in wrong {
        let error = quick(Method::Oe).with(change).check().unwrap_err();
        assert_eq!(error.name, name);
    }
}

#[test]
fn runs_that_cannot_begin_say_why() {
    let params = quick(Method::Oe).check().unwrap();
    let validation = Validation { positives: &[], negatives: &[] };
    let none = Graph::new(3, []);
    let error = Training::new(&none, &none, &params, validation).unwrap_err();
    assert!(matches!(error, Error::NoPairs));
    let all = Graph::new(2, [(0, 1), (1, 0)]);
    let error = Training::new(&all, &all, &params, validation).unwrap_err();
    assert!(matches!(error, Error::NoNegatives));
    // One pair of six is left: it is found.
    let most = Graph::new(3, [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2)]);
    assert!(Training::new(&most, &most, &params, validation).unwrap().step(&()).is_ok());
}

#[test]
fn steps_too_large_are_an_error() {
    let params = quick(Method::Sim).with(|params| {
        (params.rate, params.start, params.keep) = (1e6, 1e6, KeepBy::Last);
        params.epochs = 1000;
    });
    let result = fit(&toy(), &params.check().unwrap(), &());
    assert!(matches!(result, Err(Error::Diverged { .. })) || result.is_ok());
}

#[test]
fn cancelled_work_ends() {
    struct Never;
    impl Progress for Never {
        fn is_cancelled(&self) -> bool {
            true
        }
    }
    let result = fit(&toy(), &quick(Method::Oe).check().unwrap(), &Never);
    assert!(matches!(result, Err(Error::Cancelled(_))));
    let model = trained(&toy(), quick(Method::Oe));
    assert!(all_pairs(&*model.scores(), 0.0, &toy(), &Never).is_err());
}
