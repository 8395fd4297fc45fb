"""The bit generator: seeds, states, jumps."""

import numpy as np

from colocate import _native
from colocate._errors import InvalidArgumentError

_NAME = "Philox4x32"
_POSITIONS = 1 << 96


def _rebuild(state, seed_seq):
    philox = Philox(0)
    philox.state = state
    philox._seed_seq = seed_seq
    return philox


class Philox:
    """Philox-4x32 with ten rounds, a counter-based bit generator.

    It is a key of 64 bits and a position among 2\\ :sup:`96`, each of which stands for 128 random bits.

    Parameters
    ----------
    seed : None, int, sequence of int or numpy.random.SeedSequence
        ``None`` takes fresh entropy from the system.

    Examples
    --------
    >>> import colocate as cl
    >>> bits = cl.random.Philox(7)
    >>> saved = bits.state
    >>> bits.advance(1000).state == saved
    False
    >>> bits.state = saved
    >>> bits.state == saved
    True
    """

    def __init__(self, seed=None):
        if not isinstance(seed, np.random.SeedSequence):
            seed = np.random.SeedSequence(seed)
        self._seed_seq = seed
        first, second, high = (int(word) for word in seed.generate_state(3, np.uint32))
        self._stream = _native._RandomStream([first, second], high << 64)

    @property
    def seed_seq(self):
        """The seed sequence it was made from.

        Examples
        --------
        >>> import colocate as cl
        >>> cl.random.Philox(7).seed_seq.entropy
        7
        """
        return self._seed_seq

    @property
    def state(self):
        """A dict of its name, key and position, of nothing but strings, lists and integers. It can be set.

        Examples
        --------
        >>> import colocate as cl, json
        >>> bits = cl.random.Philox(7)
        >>> other = cl.random.Philox(8)
        >>> other.state = json.loads(json.dumps(bits.state))
        >>> other.state == bits.state
        True
        """
        stream = self._stream
        return {"bit_generator": _NAME, "state": {"key": list(stream.key), "position": stream.position}}

    @state.setter
    def state(self, value):
        try:
            name, inner = value["bit_generator"], value["state"]
            key, position = [int(word) for word in inner["key"]], int(inner["position"])
            if name != _NAME or len(key) != 2 or not 0 <= position < _POSITIONS:
                raise ValueError
            if not all(0 <= word < 1 << 32 for word in key):
                raise ValueError
        except (KeyError, TypeError, ValueError):
            raise InvalidArgumentError(
                f"{value!r} is not a state of {_NAME}; take one from the attribute state of another generator"
            ) from None
        self._stream.set(key, position)

    def advance(self, delta):
        """Moves on by this many positions of 128 bits, back if negative; returns itself.

        Examples
        --------
        >>> import colocate as cl
        >>> bits = cl.random.Philox(7)
        >>> before = bits.state["state"]["position"]
        >>> _ = bits.advance(10)
        >>> bits.state["state"]["position"] - before
        10
        """
        self._stream.advance(int(delta) % _POSITIONS)
        return self

    def jumped(self, jumps=1):
        """A new bit generator, 2\\ :sup:`64` positions further on for each jump.

        Examples
        --------
        >>> import colocate as cl
        >>> bits = cl.random.Philox(7)
        >>> ahead = bits.jumped()
        >>> (ahead.state["state"]["position"] - bits.state["state"]["position"]) % 2**96 == 2**64
        True
        """
        return _rebuild(self.state, self._seed_seq).advance(int(jumps) << 64)

    def spawn(self, n_children):
        """New bit generators whose streams have nothing to do with one another.

        Examples
        --------
        >>> import colocate as cl
        >>> a, b = cl.random.Philox(7).spawn(2)
        >>> a.state == b.state
        False
        """
        return [type(self)(child) for child in self._seed_seq.spawn(n_children)]

    def __reduce__(self):
        return _rebuild, (self.state, self._seed_seq)

    def __repr__(self):
        return f"<colocate.random.Philox at position {self._stream.position}>"
