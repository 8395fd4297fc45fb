"""Where the SYCL runtime is in this Python environment.

Called by the native module when a SYCL device is asked for, and by ``colocate doctor``. dpctl is
found without being imported; it is imported only for the default queue that it shares with dpnp.
"""

import importlib.util
import os
import sys
import warnings
from pathlib import Path

INSTALL = "pip install colocate[sycl]"
DRIVER = "libintelocl.so"


def dpctl_folder():
    """The folder of the installed dpctl, or ``None``. Does not import it."""
    try:
        spec = importlib.util.find_spec("dpctl")
    except (ImportError, ValueError):
        return None
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(spec.submodule_search_locations[0])


def driver_candidates():
    """Places where pip puts Intel's OpenCL driver for CPUs."""
    prefixes = [Path(sys.prefix), Path(sys.base_prefix)]
    folder = dpctl_folder()
    if folder is not None:
        # <prefix>/lib/pythonX.Y/site-packages/dpctl
        prefixes.extend(folder.parents[3:4])
    return [prefix / "lib" / DRIVER for prefix in dict.fromkeys(prefixes)]


def prepare_driver_discovery(candidates):
    """Lets the OpenCL loader find the driver that pip installed.

    The wheel's own .icd file holds a path that was never filled in, so in a virtual environment
    the SYCL runtime finds no device. The loader also reads ``OCL_ICD_FILENAMES``, once, at its
    first use, whoever makes it; so this is done when colocate is imported. A value that the user
    has set is left alone.
    """
    if "OCL_ICD_FILENAMES" in os.environ:
        return
    for driver in candidates:
        if os.path.exists(driver):
            os.environ["OCL_ICD_FILENAMES"] = str(driver)
            return


def prepare_at_import():
    """:func:`prepare_driver_discovery`, cheap: in the usual place, without a search for packages."""
    prepare_driver_discovery([os.path.join(sys.prefix, "lib", DRIVER)])


def locate_library():
    """The path of the SYCL runtime's C interface, or ``None``, and in that case the reason."""
    folder = dpctl_folder()
    if folder is None:
        return None, f"dpctl is not installed; run: {INSTALL}"
    library = folder / "libDPCTLSyclInterface.so"
    if not library.exists():
        return None, f"{library} does not exist; run: pip install --force-reinstall dpctl"
    prepare_driver_discovery(driver_candidates())
    return str(library), ""


def cached_queue_capsule(selector):
    """A capsule of dpctl's cached queue for a device, or ``None`` if dpctl cannot give it.

    dpnp allocates on this queue, and refuses to mix arrays of any other.
    """
    try:
        import dpctl

        return dpctl.get_device_cached_queue(selector)._get_capsule()
    except Exception as error:
        # A dpctl that does not import on this Python, or that knows no such device. Everything
        # but mixing with dpnp works all the same, so this is said but no reason to fail.
        warnings.warn(
            f"dpctl does not give its queue for {selector} ({error!r}), so colocate uses one of its own there, "
            "and dpnp will refuse to mix its arrays with them",
            RuntimeWarning,
            stacklevel=2,
        )
        return None


_views = None


def _view_classes():
    """dpctl's classes, made to compare equal with the colocate objects they stand for."""
    global _views
    if _views is None:
        import dpctl

        def view(base):
            class View(base):
                __doc__ = f"A :class:`dpctl.{base.__name__}` that is also a colocate object."

                def __eq__(self, other):
                    own = getattr(self, "_colocate", None)
                    theirs = getattr(other, "_colocate", other)
                    if type(theirs) is type(own):
                        return own == theirs
                    return super().__eq__(other)

                __hash__ = base.__hash__

            View.__name__ = View.__qualname__ = base.__name__
            return View

        _views = {
            "queue": view(dpctl.SyclQueue),
            "device": view(dpctl.SyclDevice),
            "context": view(dpctl.SyclContext),
        }
    return _views


def dpctl_view(own, queue, what):
    """``own``, a colocate object, as an object of dpctl's class that equals it.

    ``queue`` is a colocate queue through which dpctl finds the object; ``what`` names which.
    """
    import dpctl

    source = queue._get_capsule()
    if what != "queue":
        source = getattr(dpctl.SyclQueue(source), f"sycl_{what}")
    view = _view_classes()[what](source)
    view._colocate = own
    return view
