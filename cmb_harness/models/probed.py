"""A model that opens files itself, with a probe applied to them."""

from collections.abc import Mapping, Sequence
from typing import Any

from cmb_harness.models.interface import Answer, Model, Part, Question
from cmb_harness.models.parts import Viewer


class Probed:
    """``model`` under the probe of ``viewer``; its name and settings say so."""

    def __init__(self, model: Model, viewer: Viewer):
        self.name = f"{model.name}+{viewer.look.probe}"
        self.settings: Mapping[str, Any] = {**model.settings, "probe": viewer.look.probe}
        self.needs_media = model.needs_media & viewer.look.stages_with_media
        self.parallel = model.parallel
        self._model = model
        self._viewer = viewer

    def answer(self, question: Question) -> Answer:
        """The model's answer to what the probe leaves."""
        return self._model.answer(self._viewer.files(question))

    def shown(self, question: Question) -> Sequence[Part]:
        """What the probe leaves."""
        return self._model.shown(self._viewer.files(question))

    def close(self) -> None:
        """Close the model."""
        self._model.close()
