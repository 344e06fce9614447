#!/usr/bin/env python3
"""Records the app in a terminal while keys are typed.

    film.py <faketrack> <folder>

Writes app.cast, a recording in the format of asciinema (version 2), and app.svg, the same as a picture that moves.
"""

import codecs
import fcntl
import html
import itertools
import json
import os
import pty
import re
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unicodedata
from pathlib import Path

COLUMNS, ROWS = 110, 32
WALK = Path(__file__).resolve().parents[2] / "faketrack.gpx"
DOWN, RIGHT, ESCAPE = "\x1b[B", "\x1b[C", "\x1b"

# The question to a terminal for its status.
QUESTION = "\x1b[5n"
# The seconds before each key, the key, and a text that is on the screen before. A text of several letters is typed
# letter by letter.
KEYS = [
    (1.6, DOWN), (0.8, DOWN), (1.2, "k"), (0.4, "k"),
    (1.0, "s"), (1.6, ">"), (0.7, ">"), (2.4, RIGHT), (0.4, RIGHT),
    (1.2, "m"), (1.0, "+"), (0.6, "c"), (2.5, "0"), (0.8, "m"),
    (0.8, "i"), (2.2, "i"), (0.8, "y"),
    (1.6, "/"), (0.3, "münst"), (1.0, "\r", "Münster"), (0.8, DOWN), (0.6, "\r"), (2.2, "2", "Population"),
    (1.0, ":"), (0.3, "teleport 9km"), (0.5, "\r"), (5.0, "q", "has arrived"),
]


def typed():
    """The seconds before each character or sequence, its text, and the text before it."""
    for seconds, key, *before in KEYS:
        letters = [key] if key.startswith(ESCAPE) else key
        for number, letter in enumerate(letters):
            yield (seconds if number == 0 else 0.09), letter, "".join(before)


def record(faketrack, folder):
    """The output of the app while the keys are typed, each with its time in seconds."""
    with open(folder / "to-berlin.gpx", "wb") as file:
        subprocess.run([faketrack, "make", "Potsdam", "Berlin", "--by", "bike"], check=True, stdout=file, stderr=subprocess.DEVNULL)
    with open(folder / "loop.gpx", "wb") as file:
        subprocess.run([faketrack, "make", "Werder", "--distance", "30km"], check=True, stdout=file, stderr=subprocess.DEVNULL)
    (folder / WALK.name).write_bytes(WALK.read_bytes())
    environment = {
        "PATH": os.environ["PATH"], "HOME": str(folder), "FAKETRACK_HOME": str(folder / "store"), "NO_PROXY": "*",
        # No encyclopedia answers, so that the film needs no network.
        "FAKETRACK_WIKIPEDIA_URL": "http://127.0.0.1:9/",
        "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "TZ": "UTC"}
    arguments = ["app", WALK.name, "to-berlin.gpx", "loop.gpx", "--photos", "sample", "--seed", "1", "--at", "/"]
    process, terminal = pty.fork()
    if process == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        os.chdir(folder)
        os.execve(faketrack, [faketrack, *arguments], environment)
    decoder, screen = codecs.getincrementaldecoder("utf-8")(), Screen()
    start, events, rest_of_text = time.monotonic(), [], ""

    def read(seconds):
        """Reads output for a time; returns whether the app still runs."""
        nonlocal rest_of_text
        end = time.monotonic() + seconds
        while (rest := end - time.monotonic()) > 0:
            if select.select([terminal], [], [], rest)[0]:
                try:
                    output = os.read(terminal, 1 << 16)
                except OSError:
                    return False
                # The question is for the terminal in which the app runs.
                text = (rest_of_text + decoder.decode(output)).replace(QUESTION, "")
                rest_of_text = next((QUESTION[:count] for count in (3, 2, 1) if text.endswith(QUESTION[:count])), "")
                text = text.removesuffix(rest_of_text)
                events.append((round(time.monotonic() - start, 3), text))
                screen.show(text)
        return True

    for seconds, text, before in typed():
        read(seconds)
        while before not in screen.text and read(0.05):
            if time.monotonic() - start > 120:
                raise SystemExit(f"The screen does not show {before}.")
        os.write(terminal, text.encode())
    while read(1):
        if time.monotonic() - start > 120:
            raise SystemExit("The app does not end.")
    os.close(terminal)
    os.waitpid(process, 0)
    return events


def write_cast(events, path):
    header = {"version": 2, "width": COLUMNS, "height": ROWS, "title": "faketrack app", "env": {"TERM": "xterm-256color"}}
    lines = [header, *([seconds, "o", text] for seconds, text in events)]
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))


class Screen:
    """The cells of a terminal that shows the output of the app."""

    SEQUENCE = re.compile(r"\x1b\[([?0-9;]*)([A-Za-z])|\x1b\][^\x1b]*\x1b\\|\x1b[^\[\]]")

    def __init__(self):
        self.clear()
        self.column = self.row = 0
        self.style = ""
        self.rest = ""

    @property
    def text(self):
        return "\n".join("".join(cell[0] for cell in row) for row in self.cells)

    def clear(self):
        self.cells = [[(" ", "")] * COLUMNS for _ in range(ROWS)]

    def show(self, text):
        text, start = self.rest + text, 0
        self.rest = ""
        while start < len(text):
            if sequence := self.SEQUENCE.match(text, start):
                self.control(sequence[1] or "", sequence[2])
                start = sequence.end()
                continue
            if text[start] == ESCAPE:
                # The end of the sequence comes later.
                self.rest = text[start:]
                return
            self.put(text[start])
            start += 1

    def control(self, parameters, final):
        numbers = [int(number or 0) for number in parameters.lstrip("?").split(";")]
        if final == "H":
            self.row, self.column = max(1, numbers[0]) - 1, max(1, (numbers + [1])[1]) - 1
        elif final == "C":
            self.column += max(1, numbers[0])
        elif final == "K":
            self.cells[self.row][self.column:] = [(" ", "")] * (COLUMNS - self.column)
        elif final == "J":
            self.clear()
        elif final == "m":
            self.style = self.attributes(numbers)

    @staticmethod
    def attributes(numbers):
        """The classes of the sequence, which always begins with a reset."""
        if 38 in numbers:
            place = numbers.index(38)
            numbers = [*numbers[:place], 1_000 + numbers[place + 2], *numbers[place + 3:]]
        names = {1: "b", 7: "i", 31: "r", 32: "g", 33: "y", 36: "c", 1_245: "m", 1_239: "f"}
        return " ".join(names[number] for number in numbers if number in names)

    def put(self, character):
        if character < " " or self.row >= ROWS or self.column >= COLUMNS:
            return
        if unicodedata.combining(character):
            return
        wide = unicodedata.east_asian_width(character) in "WF"
        self.cells[self.row][self.column] = (character, self.style)
        if wide and self.column + 1 < COLUMNS:
            self.cells[self.row][self.column + 1] = ("", self.style)
        self.column += 2 if wide else 1


WIDTH, HEIGHT, FONT = 8.4, 18, 14
# The seconds between two frames of the picture.
STEP = 0.2


def row_svg(cells):
    """The runs of a row with one style, each at its place."""
    runs, column = [], 0
    for style, group in itertools.groupby(cells, key=lambda cell: cell[1]):
        count = len(list(group))
        if "i" in style.split():
            runs.append(f'<rect class="{style}" x="{column * WIDTH:g}" width="{count * WIDTH:g}" height="{HEIGHT}"/>')
        column += count
    column = 0
    while column < COLUMNS:
        end, style = column, cells[column][1]
        is_ascii = cells[column][0].isascii()
        while end < COLUMNS and cells[end][1] == style and cells[end][0].isascii() == is_ascii:
            end += 1
        text = "".join(cell[0] for cell in cells[column:end])
        if text.strip():
            lead = len(text) - len(text.lstrip()) if is_ascii else 0
            length = (len(text.rstrip()) - lead if is_ascii else end - column) * WIDTH
            runs.append(
                f'<text{f" class={chr(34)}{style}{chr(34)}" if style else ""} x="{(column + lead) * WIDTH:g}" y="13" '
                f'textLength="{length:g}" lengthAdjust="spacingAndGlyphs">{html.escape(text.strip() if is_ascii else text)}</text>')
        column = end
    return "".join(runs)


def write_svg(events, path):
    """Writes frames that follow each other, made of rows that are there once."""
    screen, rows, frames, last = Screen(), {}, [], 0
    # The last frame is the one before the app leaves the screen.
    shown = [event for event in events if "\x1b[?1049l" not in event[1]]
    for number, (seconds, text) in enumerate(shown):
        screen.show(text)
        following = shown[number + 1][0] if number + 1 < len(shown) else seconds + 3
        if following - seconds < (0.04 if seconds - last > STEP else STEP):
            continue
        last = seconds
        uses = []
        for row, cells in enumerate(screen.cells):
            if content := row_svg(cells):
                name = rows.setdefault(content, f"r{len(rows)}")
                uses.append(f'<use href="#{name}" y="{row * HEIGHT}"/>')
        frames.append((seconds, "".join(uses)))
    start, end = frames[0][0], frames[-1][0] + 3
    width, height = COLUMNS * WIDTH + 16, ROWS * HEIGHT + 16
    steps = "".join(
        f"{100 * (seconds - start) / (end - start):.2f}%{{transform:translateX({-number * width:g}px)}}"
        for number, (seconds, _) in enumerate(frames))
    path.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height}" width="{width:g}" height="{height}">\n'
        "<title>The app of faketrack in a terminal: tracks on a map, a walk with photos, cities</title>\n"
        f"<style>text{{font:{FONT}px ui-monospace,'DejaVu Sans Mono',Menlo,monospace;fill:#d6d9dd;white-space:pre}}"
        "text.m{fill:#8b9198}text.f{fill:#4d545c}text.c{fill:#56c2d6}text.g{fill:#7fc36f}text.y{fill:#e3b341}"
        "text.r{fill:#f47067}text.b{font-weight:bold}text.i{fill:#15191e}rect{fill:#d6d9dd}rect.c{fill:#56c2d6}"
        f"#film{{animation:film {end - start:.1f}s step-end infinite}}@keyframes film{{{steps}}}"
        # Without motion, the walk is shown.
        "@media (prefers-reduced-motion:reduce){#film{animation:none;transform:translateX("
        f"{-len(frames) // 3 * width:g}px)}}}}</style>\n<defs>\n"
        + "".join(f'<g id="{name}">{content}</g>\n' for content, name in rows.items())
        + f'</defs>\n<rect width="100%" height="100%" rx="8" style="fill:#15191e"/>\n<g id="film">\n'
        + "".join(
            f'<g transform="translate({number * width + 8:g} 8)">{uses}</g>\n' for number, (_, uses) in enumerate(frames))
        + "</g>\n</svg>\n")


def main():
    faketrack, folder = os.path.abspath(sys.argv[1]), Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as home:
        events = record(faketrack, Path(home))
    write_cast(events, folder / "app.cast")
    write_svg(events, folder / "app.svg")


main()
