"""Three distractor slots for each key: which concept may fill which slot, and what is filled already.

Slot 0 holds a distractor of the key's country, slots 1 and 2 hold distractors of two other countries (A.1). Where
the concepts do not allow that, a key gets the nearest option set that they allow:

- a key with no companion of its own country (none there, or only its rivals) is *lone*: its slot 0 takes another
  country's concept, of a third country where there is one;
- a key that finds only one other country takes both of its foreign distractors from it.
"""

import numpy as np

from cmb_harness.construction.distractors.pool import Pool

EMPTY = -1
SLOTS = 3


class Slots:
    """The option sets of a category while they are being filled.

    Attributes:
        chosen: (N, 3) canonical index of each slot's concept, -1 while it is empty.
        usage: (N,) how often each concept is a distractor.
        cap: how often one concept may be a distractor.
        lone: (N,) keys whose slot 0 takes a foreign concept.
        sealed: (N, 3) slots that stay as they are: those of concepts that are no keys here, and those given up.
    """

    def __init__(self, pool: Pool, cap: int, keys: np.ndarray | None = None):
        n = len(pool)
        self.pool = pool
        self.cap = cap
        self.chosen = np.full((n, SLOTS), EMPTY, order="F")
        self.usage = np.zeros(n, dtype=int)
        self.sealed = np.zeros((n, SLOTS), dtype=bool, order="F")
        if keys is not None:
            self.sealed[:] = True
            self.sealed[keys] = False
        self._all_countries = np.arange(pool.countries.max() + 1)
        self._slot_country = np.full((n, SLOTS), EMPTY, order="F")
        self.lone, abroad = surroundings(pool)
        self._foreign = np.ones((n, SLOTS), dtype=bool, order="F")
        self._foreign[:, 0] = self.lone
        self._apart = _countries_apart(self.lone, abroad)

    def open(self) -> np.ndarray:
        """(N, 3) slots that wait for a concept."""
        return (self.chosen == EMPTY) & ~self.sealed

    def place(self, key: int, slot: int, concept: int) -> None:
        """Fill a slot."""
        self.chosen[key, slot] = concept
        self._slot_country[key, slot] = self.pool.countries[concept]
        self.usage[concept] += 1

    def clear(self, key: int) -> None:
        """Empty the slots of one key."""
        for slot in np.flatnonzero(self.chosen[key] != EMPTY).tolist():
            self.take_back(key, slot)

    def take_back(self, key: int, slot: int) -> None:
        """Empty one slot."""
        self.usage[self.chosen[key, slot]] -= 1
        self.chosen[key, slot] = self._slot_country[key, slot] = EMPTY

    def candidates(self, key: int, slot: int, cap: float | None = None) -> np.ndarray:
        """(N,) concepts that the slot may take: Algorithm 1's VALID, under ``cap`` or else the current one."""
        valid = self._countries_for(key, slot)[self.pool.countries]
        valid &= self.usage < (self.cap if cap is None else cap)
        self._strike_out(key, valid)
        return valid

    def _countries_for(self, key: int, slot: int) -> np.ndarray:
        home = self.pool.countries[key]
        if not self._foreign[key, slot]:
            return self._all_countries == home
        valid = self._all_countries != home
        for other in range(SLOTS):
            if self._apart[key, slot, other] and self.chosen[key, other] != EMPTY:
                valid[self._slot_country[key, other]] = False
        return valid

    def _strike_out(self, key: int, valid: np.ndarray) -> None:
        """Mark the key, its options and the rivals of all of them as not valid."""
        for concept in (key, *self.chosen[key]):
            if concept != EMPTY:
                valid[concept] = False
                valid[self.pool.rivals[concept]] = False

    def places(self, concept: int) -> np.ndarray:
        """(N, 3) open slots that may take the concept, its uses so far apart."""
        countries, country, rivals = (
            self.pool.countries,
            self.pool.countries[concept],
            self.pool.rivals[concept],
        )
        abroad = countries != country
        free = np.ones(len(countries), dtype=bool)
        free[concept] = False
        free[rivals] = False
        for slot in range(SLOTS):
            free &= self.chosen[:, slot] != concept
            if len(rivals):
                free &= ~np.isin(self.chosen[:, slot], rivals)
        clash = [self._slot_country[:, slot] == country for slot in range(SLOTS)]
        valid = np.empty_like(self.sealed)
        for slot in range(SLOTS):
            fits = free & (abroad == self._foreign[:, slot])
            for other in range(SLOTS):
                if other != slot:
                    fits &= ~(clash[other] & self._apart[:, slot, other])
            valid[:, slot] = fits & (self.chosen[:, slot] == EMPTY) & ~self.sealed[:, slot]
        return valid

    def capacity(self, key: int) -> int:
        """Uses left, under the cap, of the concepts that one of the key's open slots may take."""
        allowed = np.zeros(len(self._all_countries), dtype=bool)
        for slot in self.open_slots(key):
            allowed |= self._countries_for(key, slot)
        valid = allowed[self.pool.countries]
        self._strike_out(key, valid)
        return int(np.maximum(self.cap - self.usage, 0) @ valid)

    def open_slots(self, key: int) -> list[int]:
        """The slots of one key that wait for a concept."""
        return np.flatnonzero((self.chosen[key] == EMPTY) & ~self.sealed[key]).tolist()


def surroundings(pool: Pool) -> tuple[np.ndarray, np.ndarray]:
    """What each key finds around it, its rivals apart.

    Returns:
        lone: (N,) whether it has no companion at home.
        abroad: (N,) how many other countries offer it a distractor.
    """
    n = len(pool)
    totals = np.bincount(pool.countries)
    lone, abroad = np.empty(n, dtype=bool), np.empty(n, dtype=int)
    for key in range(n):
        usable = totals - np.bincount(pool.countries[pool.rivals[key]], minlength=len(totals))
        home = pool.countries[key]
        lone[key] = usable[home] < 2
        abroad[key] = np.count_nonzero(usable) - (usable[home] > 0)
    return lone, abroad


def _countries_apart(lone: np.ndarray, abroad: np.ndarray) -> np.ndarray:
    """(N, 3, 3) pairs of slots whose concepts must differ in country."""
    apart = np.zeros((len(lone), SLOTS, SLOTS), dtype=bool, order="F")
    apart[:, 1, 2] = apart[:, 2, 1] = abroad >= 2
    for slot in (1, 2):
        apart[:, 0, slot] = apart[:, slot, 0] = lone & (abroad >= 3)
    return apart
