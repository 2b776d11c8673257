"""What `CodedConcept` and `Place` have in common: they are combined by ``|`` and ``&``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .errors import InputError

if TYPE_CHECKING:
    from ._arrays import ConceptLike
    from ._model import Model
    from ._place import Place


class Combining:
    """Something that has bits in the codes of a model."""

    __slots__ = ()

    model: Model

    def __or__(self, other: ConceptLike | Place) -> Place:
        return self.model._derived(self._bit_set() & self._bits_of(other))

    __ror__ = __or__

    def __and__(self, other: ConceptLike | Place) -> Place:
        return self.model._derived(self._bit_set() | self._bits_of(other))

    __rand__ = __and__

    def _bit_set(self) -> set[int]:
        """Its bits that are set."""
        raise NotImplementedError

    def _bits_of(self, other: ConceptLike | Place) -> set[int]:
        """The same of another, which has the bits of this model."""
        from ._place import Place

        if not isinstance(other, Place):
            return self.model[other]._bit_set()
        if other.model is not self.model:
            raise InputError("this place belongs to another model, whose bits mean something else")
        return other._bit_set()
