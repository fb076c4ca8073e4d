"""install.py STAGE [SITE]: puts the package that was staged in STAGE where this interpreter looks.

Into the virtual environment it runs in, else into the user's own folder; SITE is another folder. A
dist-info folder comes with it, so that pip lists the package and can uninstall it.
"""

from __future__ import annotations

import base64
import hashlib
import importlib.util
import os
import pathlib
import shutil
import site
import sys
import sysconfig


def site_folder() -> pathlib.Path:
    """Where packages of this interpreter go without root and without pip."""
    if sys.prefix != sys.base_prefix:
        return pathlib.Path(sysconfig.get_path("platlib"))
    own = pathlib.Path(sysconfig.get_path("platlib"))
    distribution = pathlib.Path(sysconfig.get_path("stdlib")) / "EXTERNALLY-MANAGED"
    if not distribution.exists() and os.access(own, os.W_OK):
        return own
    return pathlib.Path(site.getusersitepackages())


def version_of(stage: pathlib.Path) -> str:
    """The version of the extension itself."""
    extension = next((stage / "lgn").glob("_lgn*.so"))
    spec = importlib.util.spec_from_file_location("_lgn", extension)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.__version__


def remove_earlier(target: pathlib.Path) -> None:
    """Takes away what an earlier installation put there."""
    for info in target.glob("lgn-*.dist-info"):
        for line in (info / "RECORD").read_text().splitlines():
            (target / line.split(",")[0]).unlink(missing_ok=True)
        shutil.rmtree(info)
    shutil.rmtree(target / "lgn" / "__pycache__", ignore_errors=True)


def record_line(target: pathlib.Path, file: pathlib.Path) -> str:
    content = file.read_bytes()
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{file.relative_to(target).as_posix()},sha256={digest},{len(content)}"


def main() -> None:
    stage = pathlib.Path(sys.argv[1])
    target = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else site_folder()
    version = version_of(stage)
    target.mkdir(parents=True, exist_ok=True)
    remove_earlier(target)
    files = []
    for source in sorted(stage.rglob("*")):
        if source.is_file():
            copy = target / source.relative_to(stage)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, copy)
            files.append(copy)
    info = target / f"lgn-{version}.dist-info"
    info.mkdir()
    summary = "Identifies linear systems from trajectories: structure in, poles and physics out"
    texts = {
        "METADATA": f"Metadata-Version: 2.1\nName: lgn\nVersion: {version}\nSummary: {summary}\n"
        "Requires-Python: >=3.9\nRequires-Dist: numpy\n",
        "WHEEL": "Wheel-Version: 1.0\nGenerator: make python\nRoot-Is-Purelib: false\n",
        "INSTALLER": "make\n",
    }
    for name, text in texts.items():
        (info / name).write_text(text)
        files.append(info / name)
    record = info / "RECORD"
    lines = [record_line(target, file) for file in files] + [f"{record.relative_to(target).as_posix()},,"]
    record.write_text("\n".join(lines) + "\n")
    print(f"lgn {version} is in {target}, for {sys.executable}")
    if str(target) not in sys.path:
        print(f"That folder is not on Python's path yet; a new interpreter finds it, or set PYTHONPATH={target}")


if __name__ == "__main__":
    main()
