"""Tries what the table in docs/python.md says of other packages.

    pip install gensim nltk pronto networkx pykeen
    python scripts/comparison.py                     # all of them
    python scripts/comparison.py gensim pronto       # some of them

NLTK needs WordNet in /usr/share/wordnet, Debian's package wordnet-base. Nothing is downloaded.
"""

import importlib.metadata
import importlib.util
import io
import pathlib
import shutil
import sys
import tempfile

PAIRS = [("puppy", "dog"), ("dog", "animal"), ("cat", "animal")]


def fails(work, *errors):
    try:
        work()
    except errors:
        return True
    return False


def is_typed(package):
    (folder,) = importlib.util.find_spec(package).submodule_search_locations
    return (pathlib.Path(folder) / "py.typed").exists()


def gensim():
    import numpy
    from gensim.models import FastText, KeyedVectors
    from gensim.models.poincare import PoincareModel

    vectors = KeyedVectors(3)
    vectors.add_vectors(["dog", "cat"], numpy.eye(3)[:2])
    assert isinstance(vectors["dog"], numpy.ndarray) and fails(lambda: vectors["Dog"], KeyError)
    assert vectors.distances("dog", ["cat", "dog"]).shape == (2,)
    poincare = PoincareModel(PAIRS, size=2, negative=1, seed=1)
    poincare.train(50)
    assert poincare.kv.closest_parent("puppy") in ("dog", "animal")
    assert isinstance(float(poincare.kv.difference_in_hierarchy("dog", "puppy")), float)
    words = FastText([["dog", "cat"]] * 20, vector_size=4, min_count=1).wv
    assert words["doggy"].shape == (4,)
    assert importlib.util.find_spec("gensim.sklearn_api") is None and not is_typed("gensim")


def wordnet_of_nltk(data):
    """NLTK's reader of Debian's WordNet, with what that lacks, in a folder of its own."""
    import nltk as package
    from nltk.corpus.reader.wordnet import WordNetCorpusReader

    folder = shutil.copytree("/usr/share/wordnet", f"{data}/corpora/wordnet")
    for name, lines in [("lexnames", range(45)), ("index.sense", [])]:
        pathlib.Path(folder, name).write_text("".join(f"{at:02} x 1\n" for at in lines))
    package.data.path.insert(0, data)
    return WordNetCorpusReader(folder, omw_reader=None)


def nltk():
    with tempfile.TemporaryDirectory() as data:
        wordnet = wordnet_of_nltk(data)
        dog, cat, puppy = (wordnet.synset(f"{name}.n.01") for name in ("dog", "cat", "puppy"))
        assert wordnet.synsets("Golden_Retrievers") and not wordnet.synsets("golden retriever")
        assert dog in puppy.hypernyms() and dog.hypernyms()[0].hypernyms()
        assert dog in puppy.closure(lambda synset: synset.hypernyms())
        assert [one.name() for one in dog.lowest_common_hypernyms(cat)] == ["carnivore.n.01"]
        measures = {name for name in dir(dog) if name.endswith("_similarity")}
        assert {"path_similarity", "wup_similarity", "lin_similarity"} < measures
        assert dog.hypernym_paths() and fails(lambda: dog & cat, TypeError)
        assert wordnet.digraph([dog]).startswith("digraph")
    assert not is_typed("nltk")


def pronto():
    import pronto as package

    terms = "[Term]\nid: A:1\nname: animal\n\n[Term]\nid: A:2\nname: dog\nis_a: A:1\n"
    text = f"format-version: 1.2\ndefault-namespace: a\nontology: a\n\n{terms}"
    ontology = package.Ontology(io.BytesIO(text.encode()))
    dog, animal = ontology["A:2"], ontology["A:1"]
    assert fails(lambda: ontology["dog"], KeyError)
    assert list(dog.superclasses(1, with_self=False)) == [animal] and animal in dog.superclasses()
    assert not hasattr(dog, "similarity") and fails(lambda: dog & animal, TypeError)
    ontology.create_term("A:3").superclasses().add(dog)
    assert animal in ontology["A:3"].superclasses()
    assert all(ontology.dumps(format=name) for name in ("obo", "json", "ofn", "owx", "rdf"))
    assert is_typed("pronto")


def networkx():
    import networkx as package

    graph = package.DiGraph(PAIRS)
    assert list(graph.successors("puppy")) == ["dog"] and fails(lambda: graph["Dog"], KeyError)
    assert package.has_path(graph, "puppy", "animal") and not package.has_path(graph, "cat", "dog")
    assert package.lowest_common_ancestor(graph.reverse(), "puppy", "cat") == "animal"
    two = package.DiGraph([("p", "x"), ("p", "y"), ("q", "x"), ("q", "y")])
    assert package.lowest_common_ancestor(two, "x", "y") in ("p", "q")
    assert package.shortest_path(graph, "puppy", "animal") == ["puppy", "dog", "animal"]
    newer = package.DiGraph([*PAIRS[:2], ("cat", "dog")])
    assert len(package.symmetric_difference(graph, newer).edges) == 2
    assert not is_typed("networkx")


def pykeen():
    import numpy
    from pykeen.pipeline import pipeline
    from pykeen.predict import predict_triples
    from pykeen.triples import TriplesFactory

    triples = numpy.array([(child, "is-a", parent) for child, parent in PAIRS])
    factory = TriplesFactory.from_labeled_triples(triples)
    assert fails(lambda: factory.entities_to_ids(["Dog"]), KeyError)
    run = pipeline(
        training=factory,
        testing=factory,
        model="TransE",
        model_kwargs={"embedding_dim": 4},
        training_kwargs={"num_epochs": 2, "use_tqdm": False},
        evaluation_kwargs={"use_tqdm": False},
        random_seed=1,
        device="cpu",
    )
    asked = [("puppy", "is-a", "animal"), ("cat", "is-a", "dog")]
    scores = predict_triples(run.model, triples=asked, triples_factory=factory).process().df
    assert len(scores) == 2 and scores["score"].dtype.kind == "f"
    assert is_typed("pykeen")


PACKAGES = {check.__name__: check for check in (gensim, nltk, pronto, networkx, pykeen)}

if __name__ == "__main__":
    for name in sys.argv[1:] or PACKAGES:
        PACKAGES[name]()
        print(f"{name} {importlib.metadata.version(name)}: as the table says")
