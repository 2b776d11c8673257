//! Placers with an encoder, a tiny one of random numbers.

use super::encoded;
use super::vectors::riddles;
use crate::place::encoder::tests::{SMALL, Tiny};
use crate::place::{
    Asking, Embeddings, EncoderError, PlaceError, PlaceParams, Placer, evaluate_with,
};

fn params() -> PlaceParams {
    PlaceParams::default().trees(10)
}

fn fitted(threads: usize) -> Placer {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let embeddings = Embeddings::default().encoder(Tiny::new(SMALL, 1).open());
    let fit = || Placer::fit_with(encoded(riddles()), embeddings, &params(), &()).unwrap();
    pool.install(fit)
}

#[test]
fn an_encoder_makes_the_vectors_of_texts() {
    let (placer, encoder) = (fitted(1), Tiny::new(SMALL, 1).open());
    assert_eq!(placer.to_bytes(), fitted(3).to_bytes(), "on any number of threads");
    assert!(!placer.lacks_encoder());
    let vectors = placer.embeddings().concepts.as_ref().unwrap();
    assert_eq!(vectors.len(), placer.model().hierarchy().len());
    assert_eq!(vectors.dimension(), encoder.dimension());
    let answer = placer.place("unheard", "of a kind");
    let vector = encoder.embed("unheard: of a kind");
    assert_eq!(answer, placer.place_with("unheard", "of a kind", &vector).unwrap());

    let opened = || Placer::from_bytes(&placer.to_bytes()).unwrap();
    assert!(opened().lacks_encoder() && opened().embeddings() == placer.embeddings());
    assert_eq!(opened().to_bytes(), placer.to_bytes());
    let again = opened().with_encoder(encoder).unwrap();
    assert_eq!(again.place("unheard", "of a kind"), answer);
    let wanted = placer.embeddings().encoder.as_ref().unwrap().fingerprint().to_owned();
    let other = opened().with_encoder(Tiny::new(SMALL, 2).open()).unwrap_err();
    assert!(matches!(&other, EncoderError::Other { wanted: w, .. } if *w == wanted), "{other}");
    assert!(matches!(PlaceError::from(other), PlaceError::Encoder(_)));
}

#[test]
fn a_placer_without_an_encoder_takes_none() {
    let placer = Placer::fit(encoded(riddles()), &params(), &()).unwrap();
    assert!(!placer.lacks_encoder());
    let refused = placer.with_encoder(Tiny::new(SMALL, 1).open()).unwrap_err();
    assert!(matches!(refused, EncoderError::NotFitted), "{refused}");
}

#[test]
fn hidden_concepts_are_encoded_when_they_are_asked_for() {
    let embeddings = || Embeddings::default().encoder(Tiny::new(SMALL, 1).open());
    for names_only in [false, true] {
        let asking = Asking::default().share(0.1).names_only(names_only);
        let found = evaluate_with(&riddles(), embeddings(), &asking, &params(), &()).unwrap();
        assert_eq!(found.queries, 32);
    }
}

#[test]
fn encoding_can_be_cancelled() {
    struct Encoding(std::sync::atomic::AtomicBool);
    impl crate::Progress for Encoding {
        fn start(&self, stage: &str, _: Option<u64>) {
            self.0.store(stage == "encoding texts", std::sync::atomic::Ordering::Relaxed);
        }
        fn is_cancelled(&self) -> bool {
            self.0.load(std::sync::atomic::Ordering::Relaxed)
        }
    }
    let embeddings = Embeddings::default().encoder(Tiny::new(SMALL, 1).open());
    let cancelled = Encoding(std::sync::atomic::AtomicBool::new(false));
    let refused = Placer::fit_with(encoded(riddles()), embeddings, &params(), &cancelled);
    assert!(matches!(refused, Err(PlaceError::Cancelled(_))));
}
