"""The report as one HTML file: for a browser, or for the PDF's renderer."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rageval.data import EvaluationResult
from rageval.errors import RenderError
from rageval.report.assets import font_faces, templates_folder
from rageval.report.document import Document, build_document
from rageval.report.model import Target
from rageval.report.text import ISOLATE, RELEASE, direction, plain, visible

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

_LONG_NAME = re.compile(r"\w{16,}")
ROOT_TEMPLATE = "report.html.j2"
TEXTS = (".j2", ".css", ".js")
WHOLE = 5
"""Rows of a table up to which it is not broken over pages: longer ones leave holes."""
LONGEST_LABEL = 20


def render_html(result: EvaluationResult, *, templates: Path | None = None) -> str:
    """Render the report as one self-contained HTML page.

    `templates` is a folder whose templates take the place of those of the same name. Raises
    `RenderError` where one of them is broken, with its file and line.
    """
    return render_document(result, target="html", templates=templates)


def render_document(
    result: EvaluationResult, *, target: Target, templates: Path | None = None
) -> str:
    """Render the document for a browser (`html`) or for the PDF's renderer (`pdf`)."""
    return render(build_document(result, target), target, templates)


def render(document: Document, target: Target, templates: Path | None = None) -> str:
    """Fill the templates with a document; the same document gives the same text."""
    if templates is not None and not templates.is_dir():
        raise RenderError("the template folder does not exist", where=str(templates))
    environment = _environment(templates)
    with _BlameTemplate(*_folders(templates)):
        styles = _styles(environment, document, target)
        script = _source(environment, "static/report.js") if target == "html" else ""
        return environment.get_template(ROOT_TEMPLATE).render(
            doc=document, target=target, styles=styles, script=script, csp=_csp(styles, script)
        )


def _folders(templates: Path | None) -> list[Path]:
    return [folder for folder in (templates, templates_folder()) if folder is not None]


def _environment(templates: Path | None) -> Environment:
    from jinja2 import ChoiceLoader, Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=ChoiceLoader([FileSystemLoader(folder) for folder in _folders(templates)]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.filters.update(
        prose=prose, name=name, plain=plain, dir=_dir, visible=visible, keep=keep,
        label=label, words=words, item=item,
    )  # fmt: skip
    return environment


def prose(sentence: str) -> Markup:
    """Escape a sentence and isolate the names in it."""
    from markupsafe import Markup, escape

    text = _breakable(str(escape(sentence)))
    return Markup(text.replace(ISOLATE, "<bdi>").replace(RELEASE, "</bdi>"))


def name(text: str) -> Markup:
    """Escape a name or id, make what is invisible in it visible, and isolate it."""
    from markupsafe import Markup, escape

    side = Markup(' dir="rtl"') if direction(text) == "rtl" else ""
    return Markup("<bdi{}>{}</bdi>").format(side, Markup(_breakable(str(escape(visible(text))))))


def _breakable(text: str) -> str:
    """Let a line end after the underscores of long names."""
    return _LONG_NAME.sub(lambda found: found[0].replace("_", "_<wbr>"), text)


def item(text: str) -> str | Markup:
    """Write an id that stands alone: as a name, but ASCII needs no isolation in its own item."""
    return visible(text) if text.isascii() else name(text)


def keep(rows: Sequence[object]) -> str:
    """Return the class that holds a table together on paper; empty for one that may break."""
    return " keep" if len(rows) <= WHOLE else ""


def label(measure: str) -> Markup:
    """Escape a measure's label; a line may end before its parameters and its cutoff."""
    from markupsafe import Markup, escape

    text = str(escape(measure))
    return Markup(text.replace("@", "<wbr>@").replace("(", "<wbr>("))


def words(measure: str) -> str:
    """Return the class of a label whose words fit a column, so that none is broken."""
    return " words" if len(measure) <= LONGEST_LABEL else ""


def _dir(side: str) -> Markup:
    from markupsafe import Markup

    return Markup(' dir="rtl"' if side == "rtl" else "")


def _styles(environment: Environment, document: Document, target: Target) -> dict[str, str]:
    read = partial(_source, environment)
    brand = document.brand
    styles = {
        "base": font_faces() + read("static/base.css") + document.scale_css + brand.base_css,
        "print": read("static/print.css") + brand.print_css,
    }
    if target == "html":
        styles["screen"] = read("static/screen.css") + brand.screen_css
    return styles


def _source(environment: Environment, file: str) -> str:
    assert environment.loader is not None
    text = environment.loader.get_source(environment, file)[0]
    return text.replace("\r\n", "\n")


def _csp(styles: dict[str, str], script: str) -> str:
    style = " ".join(f"'sha256-{_digest(text)}'" for text in styles.values())
    return (
        f"default-src 'none'; script-src 'sha256-{_digest(script)}'; style-src {style}; "
        "img-src data:; font-src data:; base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")


class _BlameTemplate:
    """Turn a failure inside a template into an error that names its file and line."""

    def __init__(self, *folders: Path) -> None:
        self.folders = folders

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: BaseException | None, traceback: Any) -> None:
        if not isinstance(error, Exception):
            return
        wrong = _undecodable(error, self.folders)
        if wrong is not None:
            raise RenderError("the template is not UTF-8", where=str(wrong)) from error
        place = _syntax_place(error) or _last_place(traceback, self.folders)
        if place and _inside(place[0], self.folders):
            what = f"the template cannot be used: {error}"
            raise RenderError(what, where=f"{place[0]}:{place[1]}") from error


def _inside(file: str, folders: Sequence[Path]) -> bool:
    return any(Path(file).is_relative_to(folder) for folder in folders)


def _syntax_place(error: Exception) -> tuple[str, int] | None:
    from jinja2 import TemplateSyntaxError

    if isinstance(error, TemplateSyntaxError) and error.filename:
        return error.filename, error.lineno
    return None


def _undecodable(error: Exception, folders: Sequence[Path]) -> Path | None:
    """Return the file that is not UTF-8; the decoder does not say which one it was reading."""
    if not isinstance(error, UnicodeDecodeError):
        return None
    files = (file for folder in folders for file in sorted(folder.rglob("*")))
    texts = (file for file in files if file.suffix in TEXTS)
    return next((file for file in texts if not _is_utf8(file)), None)


def _is_utf8(file: Path) -> bool:
    try:
        file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _last_place(traceback: Any, folders: Sequence[Path]) -> tuple[str, int] | None:
    found = None
    while traceback is not None:
        file = traceback.tb_frame.f_code.co_filename
        if _inside(file, folders):
            found = (file, traceback.tb_lineno)
        traceback = traceback.tb_next
    return found
