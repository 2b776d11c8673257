"""Hierarchies in scikit-learn: codes as features, and a classifier of pairs.

`HierarchyEncoder` turns columns of names into columns of bits:

>>> from binder.sklearn import HierarchyEncoder
>>> pets = [("cat", "pet"), ("dog", "pet"), ("puppy", "dog"), ("pet", "animal")]
>>> encoder = HierarchyEncoder(pets).fit([["cat"], ["dog"]])
>>> encoder.transform([["puppy"], ["dog"], ["stone"]])
array([[1., 0., 1., 1.],
       [1., 0., 1., 0.],
       [0., 0., 0., 0.]])

`BinderClassifier` learns which pairs (child, parent) are is-a:

>>> from binder.sklearn import BinderClassifier
>>> classifier = BinderClassifier().fit([["puppy", "dog"], ["dog", "animal"], ["cat", "animal"]])
>>> classifier.predict([["puppy", "animal"], ["puppy", "cat"]])
array([1, 0])
"""

from ._classifier import BinderClassifier
from ._encoder import HierarchyEncoder

__all__ = ["BinderClassifier", "HierarchyEncoder"]
