"""Renders a terminal screen as an HTML page, for a screenshot."""

import html
import re

# The text, the background, the muted color 245, and the colors 1 to 7.
COLORS = {
    "light": ("#1b211c", "#fbfbfa", "#808080",
              ("#b3261e", "#0f6b2c", "#9a6200", "#1d4fa3", "#8a2f8a", "#1a7a8a", "#1b211c")),
    "dark": ("#d8dade", "#16171c", "#8a8a8a",
             ("#ff8a80", "#7ee787", "#f2c14e", "#82aaff", "#d7a6ff", "#6ee7ee", "#d8dade")),
}
PAGE = """<!DOCTYPE html><meta charset="utf-8"><style>
body {{ margin: 0; background: {ground}; }}
i {{ display: inline-block; width: 1ch; height: 21px; font-style: normal; vertical-align: top; }}
svg {{ width: 100%; height: 100%; }}
pre {{ margin: 0; padding: 16px; width: max-content; color: {text}; font: 17px/21px "DejaVu Sans Mono"; }}
</style><pre>{screen}</pre>"""


def screen_page(screen, scheme):
    """The page for the output of `tmux capture-pane -e`, in light or dark."""
    text, ground, muted, colors = COLORS[scheme]
    style, spans = {}, []
    for number, piece in enumerate(re.split(r"\x1b\[([\d;]*)m", screen.rstrip("\n"))):
        if number % 2 == 1:
            style = changed(style, [int(code or 0) for code in piece.split(";")], muted, colors)
        elif piece:
            front, back = style.get("color", text), ground
            if style.get("inverse"):
                front, back = back, front
            spans.append(
                f'<span style="color:{front};background:{back};'
                f'font-weight:{"bold" if style.get("bold") else "normal"};'
                f'text-decoration:{"underline" if style.get("underline") else "none"}">'
                f"{''.join(map(cell, piece))}</span>")
    return PAGE.format(text=text, ground=ground, screen="".join(spans))


def cell(character):
    """A character of text, or one of those that fonts draw in other widths, in the width of a column."""
    code = ord(character) - 0x2800
    if 0 <= code < 256:
        # The dots count down the left column, then the right one, except the lowest two.
        dots = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3)]
        squares = "".join(
            f"M{column * 5 + 1} {row * 5 + 1}h3v3h-3z"
            for number, (column, row) in enumerate(dots) if code >> number & 1)
        return (f'<i><svg viewBox="0 0 10 20" preserveAspectRatio="none">'
                f'<path fill="currentColor" d="{squares}"/></svg></i>')
    return html.escape(character) if character.isascii() else f"<i>{character}</i>"


def changed(style, codes, muted, colors):
    """The style after applying the codes of a sequence."""
    style = dict(style)
    while codes:
        code = codes.pop(0)
        if code == 0:
            style = {}
        elif code in (1, 4, 7):
            style[{1: "bold", 4: "underline", 7: "inverse"}[code]] = True
        elif code == 39:
            style.pop("color", None)
        elif 31 <= code <= 37:
            style["color"] = colors[code - 31]
        elif code == 38 and codes == [5, 245]:
            style["color"] = muted
            codes = []
    return style
