"""A brand on the report: what is refused, what is shown, and that the report stays sound."""

from __future__ import annotations

import base64
import hashlib
import io
import re
import runpy
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from rageval.config.contrast import DARK, LIGHT, NEEDED, contrast, readable, worst
from rageval.config.loading import check_config, load_config
from rageval.config.logo import MAX_BYTES, logo_problem, media_type
from rageval.data import Brand, EvaluationResult
from rageval.errors import ConfigError, RenderError
from rageval.evaluation.pipeline import evaluate
from rageval.evaluation.plan import vocabulary
from rageval.report.assets import templates_folder
from rageval.report.branding import branding
from rageval.report.html import render_document, render_html
from rageval.report.pdf import html_to_pdf, render_pdf
from rageval.report.results_json import from_json, to_json
from tests.report import synthetic

CHECKS = runpy.run_path(str(Path(__file__).with_name("pdf_checks.py")))
COLOUR = st.integers(0, 0xFFFFFF).map(lambda n: f"#{n:06x}")

SVG = b"""<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
 xmlns:i="http://www.inkscape.org/namespaces/inkscape" i:path="C:\\logo.svg" viewBox="0 0 120 40">
<defs><linearGradient id="g" gradientUnits="userSpaceOnUse" x1="0" x2="40" y1="0" y2="0">
<stop offset="0" stop-color="#a00"/><stop offset="1" stop-color="#00a"/></linearGradient></defs>
<style>.w { fill: url( #g ) }</style><rect id="r" class="w" width="40" height="40" rx="8"/>
<use xlink:href="#r" x="60"/></svg>"""


def picture(form: str = "PNG", mode: str = "RGBA", size: tuple[int, int] = (60, 20)) -> bytes:
    file = io.BytesIO()
    Image.new(mode, size).save(file, form)
    return file.getvalue()


def inside(body: str, attributes: str = "") -> bytes:
    return f'<svg xmlns="http://www.w3.org/2000/svg" {attributes}>{body}</svg>'.encode()


def address(data: bytes) -> str:
    return f"data:{media_type(data)};base64,{base64.b64encode(data).decode()}"


def branded(brand: Brand) -> EvaluationResult:
    return replace(synthetic.case("small"), brand=brand)


ACME = Brand("Acme & Söhne <b>", address(SVG), "#8a1538", "#f0a0b0")


# --- colours


@pytest.mark.parametrize(
    ("one", "other", "ratio"),
    [
        ("#ffffff", "#000000", 21.0),
        ("#ffffff", "#ffffff", 1.0),
        ("#777777", "#ffffff", 4.478),  # WCAG's own example of what just fails
        ("#767676", "#ffffff", 4.542),
        ("#ff0000", "#ffffff", 3.998),
    ],
)
def test_known_contrasts(one, other, ratio):
    assert contrast(one, other) == pytest.approx(ratio, abs=5e-4)
    assert contrast(one, other) == contrast(other, one)


@given(COLOUR, st.sampled_from([LIGHT, DARK]))
def test_the_near_colour_can_be_read(colour, papers):
    found = readable(colour, papers)
    assert worst(found, papers)[0] >= NEEDED
    if worst(colour, papers)[0] >= NEEDED:
        assert found == colour
    assert readable(found, papers) == found


def test_the_papers_are_those_of_the_style():
    base, screen = (
        (templates_folder() / "static" / f"{name}.css").read_text() for name in ("base", "screen")
    )
    for name, light, dark in zip(("paper", "warnbg"), LIGHT, DARK, strict=True):
        assert f"--{name}:{light}" in base
        assert f"--{name}:light-dark({light},{dark})" in screen


# --- logos


@pytest.mark.parametrize(
    "data",
    [
        SVG,
        SVG.replace(b"\n", b"\r\n"),
        inside('<image href="data:image/png;base64,AA=="/>'),
        picture(),
        picture("PNG", "P"),
        picture("PNG", "L"),
        picture("PNG", "1"),
        picture("JPEG", "RGB"),
        picture("JPEG", "L"),
    ],
)
def test_what_can_be_a_logo(data):
    assert logo_problem(data) == ""


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "neither PNG nor JPEG nor well-formed SVG"),
        (b"GIF89a", "neither PNG nor JPEG nor well-formed SVG"),
        (picture("WEBP"), "neither PNG nor JPEG nor well-formed SVG"),
        (picture()[:-20], "damaged"),
        (picture("JPEG", "RGB")[:-200], "damaged"),
        (picture().replace(b"IDAT", b"IDOT"), "damaged"),
        (picture("JPEG", "CMYK"), "CMYK; save it as RGB"),
        (picture(size=(5000, 2), mode="L"), "5,000 pixels"),
        (SVG + b" " * MAX_BYTES, "more than 100,000 bytes"),
        (b"<html/>", "not an svg"),
        (b"<svg/>", "not an svg"),
        (SVG.decode().encode("utf-16"), "neither PNG nor JPEG"),
        (b'<?xml version="1.0" encoding="utf-7"?>' + inside(""), "not UTF-8"),
        (b'<!DOCTYPE svg [<!ENTITY a "b">]>' + inside(""), "entities"),
        (b'<?xml-stylesheet href="http://e.x/a.css"?>' + inside(""), "style sheets of its own"),
        (inside("<script>alert(1)</script>"), "<script>"),
        (inside("<foreignObject/>"), "<foreignObject>"),
        (inside('<b xmlns="http://www.w3.org/1999/xhtml"/>'), "<b>"),
        (inside("", 'onload="alert(1)"'), "script in onload"),
        (inside('<a href="javascript:alert(1)"/>'), "outside itself: 'javascript:alert(1)'"),
        (inside('<image href="http://e.x/a.png"/>'), "outside itself: 'http://e.x/a.png'"),
        (inside('<image href="file:///etc/passwd"/>'), "outside itself"),
        (inside('<image href="data:image/svg+xml;base64,AA=="/>'), "outside itself"),
        (inside('<use href="other.svg#a"/>'), "outside itself"),
        (inside("", 'xml:base="http://e.x/"'), "outside itself"),
        (inside("<style>@import 'a.css';</style>"), "outside itself"),
        (inside("<style>a{fill:url( 'http://e.x/')}</style>"), "outside itself"),
        (inside('<g style="fill:URL(http://e.x/)"/>'), "outside itself"),
        (inside(r'<g fill="\75rl(http://e.x/)"/>'), "outside itself"),
    ],
)
def test_what_cannot(data, problem):
    assert problem in logo_problem(data)


@given(st.binary(max_size=60))
def test_any_bytes_get_an_answer(data):
    for start in (b"", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"<svg", picture()[:40]):
        assert logo_problem(start + data) != "" or data == b""


# --- configurations


def problems(folder: Path, brand: str) -> str:
    text = (folder / "small.yaml").read_text() + f"report:\n  brand:\n{brand}"
    (folder / "small.yaml").write_text(text)
    with pytest.raises(ConfigError) as caught:
        load_config(folder / "small.yaml", vocabulary())
    return str(caught.value)


@pytest.mark.parametrize(
    ("brand", "message"),
    [
        ("    logo: a.svg\n", "small.yaml:10: 'name' is missing"),
        ("    name: A\n    logo: a.svg\n", "small.yaml:12: no such file: a.svg"),
        ("    name: A\n    logo: small.yaml\n", "small.yaml:12: neither PNG nor JPEG nor"),
        ("    name: A\n    accent: #12436d\n", "small.yaml:12: accent has no value (write"),
        ("    name: A\n    accent: blue\n", "should be a colour such as \"#12436d\", got 'blue'"),
        (
            '    name: A\n    accent: "#86BDF0"\n',
            "small.yaml:12: accent #86bdf0 has a contrast of 1.82:1 against the report's #fdf4e3 "
            "(text needs 4.5:1, which #",
        ),
        ('    name: A\n    accent_dark: "#12436d"\n', "accent_dark #12436d has a contrast of 1."),
        ("    name: A\n    color: red\n", "unknown key 'color'"),
    ],
)
def test_a_bad_brand_is_refused_with_its_line(small_evaluation, brand, message):
    assert message in problems(small_evaluation.parent, brand)


def test_every_problem_is_told_at_once(small_evaluation):
    told = problems(small_evaluation.parent, "    logo: x.svg\n    accent: '#ffffff'\n")
    assert "'name' is missing" in told
    assert "no such file: x.svg" in told
    assert "contrast of 1." in told


def test_the_hint_is_a_colour_that_passes(small_evaluation):
    told = problems(small_evaluation.parent, "    name: A\n    accent: 'F46A25'\n")
    near = re.search(r"which (#[0-9a-f]{6}) has", told)
    assert near is not None
    assert worst(near[1], LIGHT)[0] >= NEEDED


def test_one_colour_gives_the_other(small_evaluation):
    def brand(**given: str) -> Brand:
        data = {"name": "n", "dataset": "questions.json", "report": {"brand": {"name": "A"}}}
        data["strategies"] = [{"name": "bm25", "run": "bm25.run"}]
        data["report"]["brand"] |= given  # type: ignore[index,operator]
        loaded = check_config(data, small_evaluation.parent, vocabulary())
        assert loaded.brand is not None
        return loaded.brand

    assert brand() == Brand("A")
    assert brand(accent="12436D").accent == "#12436d"
    assert worst(brand(accent="#12436d").accent_dark, DARK)[0] >= NEEDED
    assert worst(brand(accent_dark="#86bdf0").accent, LIGHT)[0] >= NEEDED


def test_from_the_configuration_to_results_json_and_back(small_evaluation):
    folder = small_evaluation.parent
    (folder / "logo.png").write_bytes(picture())
    with small_evaluation.open("a") as file:
        file.write("report: {brand: {name: Acme, logo: logo.png, accent: '#8a1538'}}\n")
    result = evaluate(small_evaluation, created="2026-11-30T06:00:00Z")
    (folder / "logo.png").unlink()
    again = from_json(to_json(result))
    assert again.brand == result.brand
    assert again.brand is not None
    assert again.brand.logo == address(picture())
    assert render_html(again) == render_html(result)
    assert result.config["report"]["brand"]["logo"] == "logo.png"


# --- pages


@pytest.mark.parametrize("target", ["html", "pdf"])
def test_the_logo_stands_over_the_title_with_its_name(target):
    page = render_document(branded(ACME), target=target)
    images = re.findall(r"<img [^>]*>", page)
    expected = f'<img class="logo" src="{ACME.logo}" alt="Acme &amp; Söhne &lt;b&gt;">'
    assert images == [expected.replace("+", "&#43;")] or images == [expected]
    assert page.index("<img ") < page.index("<h1 ")
    assert ":root{--accent:#8a1538}" in page
    assert ("light-dark(#8a1538,#f0a0b0)" in page) == (target == "html")


def test_without_a_logo_the_name_stands_there():
    page = render_html(branded(Brand("Acme <b>\u202e")))
    assert "<img" not in page
    assert '<p class="brand"><bdi>Acme &lt;b&gt;\\u202e</bdi></p>' in page
    assert ".mast{border-color" not in page


def test_without_a_brand_nothing_is_added():
    page = render_html(synthetic.case("small"))
    assert ".logo" not in page
    assert 'class="brand"' not in page


def test_the_policy_allows_the_brand_s_style():
    page = render_html(branded(ACME))
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page)
    assert policy is not None
    assert "img-src data:" in policy[1]
    for style in re.findall(r"<style[^>]*>(.*?)</style>", page, re.DOTALL):
        digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
        assert f"sha256-{digest}" in policy[1]


@pytest.mark.parametrize(
    ("brand", "message"),
    [
        (Brand("A", accent="red}</style><script>", accent_dark="#ffffff"), "not two of the form"),
        (Brand("A", accent="#12436d"), "not two of the form"),
        (Brand("A", "http://e.x/a.png"), "not a data: address"),
        (Brand("A", "data:text/html;base64,AAAA"), "not a data: address"),
        (Brand("A", 'data:image/png;base64,AA"onload="x'), "not a data: address"),
        (Brand("A", "data:image/png;base64,AAA"), "not base64"),
        (Brand("A", address(SVG).replace("svg+xml", "png")), "not image/png"),
        (Brand("A", address(inside("<script/>"))), "<script>"),
    ],
)
def test_a_results_json_from_anywhere_is_checked_again(brand, message):
    with pytest.raises(RenderError, match=re.escape(message)):
        branding(brand)


@pytest.mark.soak
def test_the_pdf_stays_valid(tmp_path: Path, need: Callable[[str], None]) -> None:
    kinds = (picture(), picture("PNG", "P"), picture("PNG", "1"), picture("JPEG", "RGB"))
    images = "".join(f'<p><img src="{address(kind)}" alt="Acme"></p>' for kind in kinds)
    others = f'<html lang="en"><title>Logos</title><body><h1>Logos</h1>{images}</body></html>'
    created = datetime(2026, 11, 30, 6, tzinfo=UTC)
    pdfs = [
        render_pdf(branded(ACME)),
        html_to_pdf(others, {"results.json": b"{}"}, created=created),
    ]
    done = CHECKS["validate"](pdfs, tmp_path, need)
    verdicts = [line for line in done.stdout.splitlines() if not line.startswith(" ")]
    assert len(verdicts) == 4
    assert all(line.startswith("PASS") for line in verdicts), done.stdout + done.stderr
