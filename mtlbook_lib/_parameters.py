"""Settings as scikit-learn wants them: read, changed and copied by the names of the constructor's arguments."""

import copy
import inspect
from typing import Any, TypeVar

Kind = TypeVar("Kind", bound="Parameters")


class Parameters:
    """Keeps every argument of its constructor, as given, in an attribute of the same name.

    ``sklearn.base.clone``, pipelines and grid searches need nothing else, and scikit-learn need not be imported, which
    takes as long as many a fit. Arguments are checked when they are used.
    """

    @classmethod
    def _defaults(cls) -> dict[str, Any]:
        return {name: given.default for name, given in inspect.signature(cls).parameters.items()}

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Settings by name; with `deep` also those of settings that have settings, as ``outer__inner``."""
        settings = {name: getattr(self, name) for name in self._defaults()}
        nested = {name: value for name, value in settings.items() if deep and isinstance(value, Parameters)}
        for name, value in nested.items():
            settings |= {f"{name}__{inner}": setting for inner, setting in value.get_params().items()}
        return settings

    def set_params(self: Kind, **settings: Any) -> Kind:
        """Change settings by name, ``outer__inner`` for those of a setting; returns the object itself."""
        for name, value in settings.items():
            outer, _, inner = name.partition("__")
            if outer not in (known := self._defaults()):
                raise ValueError(f"{name} is no setting of {type(self).__name__}; it has {', '.join(known)}.")
            if inner and not isinstance(getattr(self, outer), Parameters):
                raise ValueError(f"{name}: {outer} is {getattr(self, outer)!r}, which has no settings; set it first.")
            if inner:
                getattr(self, outer).set_params(**{inner: value})
            else:
                setattr(self, outer, value)
        return self

    def __repr__(self) -> str:
        defaults = self._defaults()
        given = {name: value for name, value in self.get_params(deep=False).items() if value is not defaults[name]}
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in given.items())})"


def fresh(model: Kind) -> Kind:
    """An unfitted copy with the same settings."""
    return type(model)(**copy.deepcopy(model.get_params(deep=False)))
