"""Every decision about compiled code: decorators, the compile cache, its locks.

Two decorators exist. `kernel` marks functions that are compiled into their callers and never
cached by themselves. `entry` marks the few functions that Python calls; these are cached on disk.
Numba's own disk cache can give wrong or stale code and can be raced; what is done about it:

- *Wrong code.* Numba names compiled functions with a counter that restarts in each process and
  mangles a record type with another. `Record.mangling_args` is replaced by a digest of the
  record's fields, and the function counter starts at a random number.
- *Stale code.* Numba notices edits of the file that holds the cached function, not of the files
  it calls. The cache folder is named by a digest of everything in the library that is not a game,
  of numba's and Python's versions, the CPU, and every numba setting that changes code. A game's
  own files are in its record types (`lumis_fast.core.protocol.register`).
- *Races.* An entry is compiled or loaded under a lock that is shared between processes.
"""

from __future__ import annotations

import errno
import functools
import hashlib
import itertools
import os
import secrets
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import llvmlite
import llvmlite.binding
import numba
import numba.core.types
import numpy as np
from filelock import FileLock
from numba.core.bytecode import FunctionIdentity

from lumis_fast.errors import InputError

__all__ = [
    "Entry",
    "cache_folder",
    "entry",
    "inlined_kernel",
    "kernel",
    "source_digest",
    "usable_cache_folder",
]

# Settings that name places, report, or only affect code that this project does not generate.
_SETTINGS_WITHOUT_EFFECT = {
    "NUMBA_CACHE_DIR",
    "NUMBA_CACHE_LOCATOR_CLASSES",
    "NUMBA_NUM_THREADS",
    "NUMBA_DEBUG_CACHE",
    "NUMBA_WARNINGS",
}


def source_digest(files: list[Path]) -> str:
    """Digest the content of source files, in the order of their names.

    Parameters
    ----------
    files : list of Path
        Files to read.

    Returns
    -------
    str
        64 hexadecimal digits.
    """
    digest = hashlib.sha256()
    for file in sorted(files, key=lambda path: path.as_posix()):
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


def _library_files() -> list[Path]:
    root = Path(__file__).resolve().parent.parent
    return [
        file
        for file in root.rglob("*.py")
        if file.relative_to(root).parts[0] in ("core", "players", "__init__.py")
    ]


@functools.cache
def cache_folder() -> Path:
    """Tell the folder that holds the compiled code of exactly this setting.

    The parent folder is `$LUMIS_FAST_CACHE_DIR`, else `$XDG_CACHE_HOME/lumis-fast`, else
    `~/.cache/lumis-fast`.

    Returns
    -------
    Path
        A folder whose name is a digest of the library's sources, the versions of Python, numba,
        llvmlite and NumPy, the CPU, and the numba settings that change code.
    """
    parent = os.environ.get("LUMIS_FAST_CACHE_DIR")
    if parent is None:
        parent = os.path.join(os.environ.get("XDG_CACHE_HOME") or "~/.cache", "lumis-fast")
    settings = sorted(
        (name, value)
        for name, value in os.environ.items()
        if name.startswith("NUMBA_") and name not in _SETTINGS_WITHOUT_EFFECT
    )
    what = repr(
        (
            source_digest(_library_files()),
            sys.version_info[:3],
            numba.__version__,
            llvmlite.__version__,
            np.__version__,
            llvmlite.binding.get_host_cpu_name(),
            llvmlite.binding.get_host_cpu_features().flatten(),
            settings,
        )
    )
    return Path(parent).expanduser() / hashlib.sha256(what.encode()).hexdigest()[:20]


def usable_cache_folder() -> Path:
    """Make the cache folder if need be.

    Returns
    -------
    Path
        What `cache_folder` tells.

    Raises
    ------
    InputError
        If it cannot be written.
    """
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, "Permission denied")
    except OSError as error:
        raise InputError(
            f"the folder for compiled code, {folder}, cannot be written ({error.strerror}); set "
            "LUMIS_FAST_CACHE_DIR to one that can"
        ) from None
    return folder


def _make_symbols_independent_of_the_process() -> None:
    def mangling_args(self: numba.core.types.Record) -> tuple[str, tuple[str]]:
        return "Record", (hashlib.sha256(self.name.encode()).hexdigest()[:24],)

    numba.core.types.Record.mangling_args = property(mangling_args)
    FunctionIdentity._unique_ids = itertools.count(secrets.randbits(48))


_make_symbols_independent_of_the_process()


class _Kernel(type(numba.njit(lambda: None))):  # type: ignore[misc]
    """A dispatcher without the wrapper that calls from Python need: it costs compile time."""

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        raise TypeError(f"{self.__name__} is a kernel: only compiled code can call it")


def kernel(function: Callable, *, inline: bool = False) -> Any:
    """Compile a function into its callers; it is called from compiled code only.

    Numba optimises a function together with all that it calls, and again for each of its callers:
    compile time is lines times the depth of calls. A function with one caller and much below it
    is better made a part of its caller.

    Parameters
    ----------
    function : callable
        Plain Python in numba's subset.
    inline : bool
        Whether it becomes a part of its callers before they are compiled.

    Returns
    -------
    numba dispatcher
        Releases the GIL, divides like NumPy, is not cached by itself.
    """
    dispatcher = numba.njit(
        nogil=True,
        error_model="numpy",
        no_cpython_wrapper=True,
        no_cfunc_wrapper=True,
        inline="always" if inline else "never",
    )(function)
    dispatcher.__class__ = _Kernel
    return dispatcher


def _kind_of(argument: Any) -> Any:
    """What decides an argument's compiled type; `numba.typeof` takes a tenth of a millisecond."""
    if isinstance(argument, np.ndarray):
        flags = argument.flags
        return argument.dtype, argument.ndim, flags.c_contiguous, flags.aligned, flags.writeable
    if isinstance(argument, np.generic):
        return argument.dtype
    if isinstance(argument, tuple):
        return type(argument), *(_kind_of(item) for item in argument)
    return type(argument)


class Entry:
    """A compiled function that Python calls, cached on disk under a lock.

    Parameters
    ----------
    function : callable
        Plain Python in numba's subset. It runs without the GIL, so long ones poll a stop flag.
    """

    def __init__(self, function: Callable) -> None:
        functools.update_wrapper(self, function)
        self._function = function
        self._lock = threading.Lock()
        self._known: set[tuple] = set()
        self._dispatcher: Any = None

    def _make_dispatcher(self) -> Any:
        if not Path(self._function.__code__.co_filename).exists():  # typed at a prompt
            return numba.njit(nogil=True, error_model="numpy")(self._function)
        # Numba reads the folder when the dispatcher is made; other users of numba in this process
        # keep theirs.
        before = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(cache_folder())
        try:
            return numba.njit(nogil=True, error_model="numpy", cache=True)(self._function)
        finally:
            numba.config.CACHE_DIR = before

    def prepare(self, *arguments: Any) -> None:
        """Compile for these arguments, or load the code from the cache, without calling.

        Parameters
        ----------
        *arguments
            As in a call.
        """
        kinds = tuple(_kind_of(argument) for argument in arguments)
        if kinds in self._known:
            return
        signature = tuple(numba.typeof(argument) for argument in arguments)
        with self._lock:
            if kinds in self._known:
                return
            with FileLock(usable_cache_folder() / "compile.lock"):
                if self._dispatcher is None:
                    self._dispatcher = self._make_dispatcher()
                self._dispatcher.compile(signature)
            self._known.add(kinds)

    def cached_here(self) -> tuple[int, int]:
        """Tell how many specialisations this process loaded from disk and how many it compiled.

        Returns
        -------
        tuple of int
            (loaded, compiled)
        """
        if self._dispatcher is None:
            return 0, 0
        stats = self._dispatcher.stats
        return sum(stats.cache_hits.values()), sum(stats.cache_misses.values())

    def __call__(self, *arguments: Any) -> Any:
        self.prepare(*arguments)
        return self._dispatcher(*arguments)


inlined_kernel = functools.partial(kernel, inline=True)
"""`kernel` for a function that becomes a part of its callers."""


def entry(function: Callable) -> Entry:
    """Compile a function that Python calls; see `Entry`.

    Parameters
    ----------
    function : callable
        Plain Python in numba's subset.

    Returns
    -------
    Entry
    """
    return Entry(function)
