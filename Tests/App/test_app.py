"""The app in a real terminal, controlled by keys."""

import itertools
import math
import os
import re
import signal
import socket
import struct
import tempfile
import time
import unittest
import urllib.parse
import zlib

from job import Job
from receiver import Receiver
from terminal import EXECUTABLE, TIMEOUT, WALK, Stub, Terminal

NOBODY = "http://127.0.0.1:9/"
# The nearest of 256 colors to the picture's color, as a background.
RED = "48;5;160"


def png(*color, side=64):
    """A picture in one color."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\0" + bytes(color) * side) * side
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)) + \
        chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


class CitiesTests(unittest.TestCase):
    """Search, open, star, and back to the same row, in a wide and in a narrow terminal."""

    def flow(self, columns, rows):
        with Terminal(columns, rows, {"FAKETRACK_WIKIPEDIA_URL": NOBODY}) as terminal:
            terminal.run("app", "--photos", "sample", "--at", "/cities")
            terminal.wait_for("234,908 cities")
            terminal.press("/")
            terminal.type("pots")
            terminal.wait_for("13 cities", "Potštejn")
            terminal.press("Enter", "Down", "Down")
            terminal.press("Enter")
            terminal.wait_for("Potštát, Olomoucký, CZ", "49.636")
            terminal.press("f")
            terminal.wait_for("Potštát, Olomoucký, CZ ★")
            terminal.press("Escape")
            terminal.wait_for("13 cities", without=["49.636"])
            # The selection is unchanged: Enter opens the same city.
            terminal.press("Enter")
            terminal.wait_for("Potštát, Olomoucký, CZ ★")
            terminal.press("Escape")
            terminal.wait_for("13 cities")
            terminal.press("Up", "f")
            terminal.wait_for("★")
            terminal.press("F")
            terminal.press("/", "C-u", "Enter")
            terminal.wait_for("2 favorites")
            terminal.press("q")
            terminal.wait_for("$", without=["Cities"])

    def test_wide(self):
        self.flow(120, 40)

    def test_narrow(self):
        self.flow(80, 24)

    def test_small(self):
        self.flow(40, 12)

    def test_list_and_map_change_places_where_there_is_room_for_one(self):
        with Terminal(80, 24) as terminal:
            terminal.run("app", "--at", "/cities?q=potsdam", "--photos", "none")
            terminal.wait_for("3 cities", "Brandenburg")
            terminal.press("Tab")
            terminal.wait_for("• Potsdam", "• Berlin", without=["Brandenburg, Germany"])
            terminal.press("Tab")
            terminal.wait_for("Brandenburg, Germany", without=["• Berlin"])

    def test_a_row_of_the_list_becomes_a_favorite(self):
        for keys, results in (["/", *"pots", "Enter"], "13 cities"), (["S"], "234,908 cities, by name"):
            with self.subTest(keys), Terminal(80, 24) as terminal:
                terminal.run("app", "--photos", "none")
                terminal.wait_for("0 cities")
                terminal.press("3", *keys)
                terminal.wait_for(results)
                terminal.press("f")
                terminal.wait_for("★")
                terminal.press("1")
                terminal.wait_for("Favorites  1 city")

    def test_an_ambiguous_article_and_a_dead_encyclopedia(self):
        answers = [(500, {})] * 4 + [(200, {
            "type": "disambiguation", "title": "Potsdam", "extract": "Potsdam may mean many things."})] * 20
        with Stub(lambda path: answers.pop(0)) as stub, \
                Terminal(120, 40, {"FAKETRACK_WIKIPEDIA_URL": stub.url}) as terminal:
            terminal.run("app", "--photos", "none", "--at", "/cities/2852458")
            terminal.wait_for("Wikipedia answered HTTP 500")
            terminal.press("r")
            terminal.wait_for("Wikipedia has no article")


class WalkTests(unittest.TestCase):
    def test_start_pause_speed_arrive(self):
        with Terminal() as terminal:
            terminal.run("app", WALK, "--photos", "sample")
            terminal.wait_for("Ready", "Sanssouci, Neuer Garten, Havel")
            terminal.press("s")
            terminal.wait_for("Walking", "Sample photo")
            terminal.press("Space")
            terminal.wait_for("Paused")
            terminal.press("Space")
            terminal.wait_for("Walking", without=["Paused"])
            terminal.press(">", ">")
            terminal.wait_for("×200")
            terminal.press(">", ">", ">", ">")
            terminal.wait_for("Arrived", "92 photos")
            terminal.press("Space", "]", "q")
            terminal.wait_for("$", "walked 9.4 km in ", ", 92 photos", without=["Arrived"])

    def test_a_jump_past_the_end_arrives(self):
        for start in (["s"], ["s", "Space"], []):
            with self.subTest(start), Terminal() as terminal:
                terminal.run("app", WALK, "--photos", "none", "--speed", "1")
                terminal.wait_for("Ready", "of 9.4 km")
                terminal.press(*start)
                if start:
                    terminal.wait_for("Paused" if start[1:] else "Walking")
                terminal.send(b"]" * 60)
                terminal.wait_for("Arrived", "9.4 km of 9.4 km")

    def test_suspended_the_walk_stands_still(self):
        with Terminal() as terminal:
            terminal.run("app", WALK, "--photos", "none", "--speed", "100")
            terminal.wait_for("Ready", "of 9.4 km")
            terminal.press("s")
            terminal.wait_for("Walking", "1 min elapsed")
            terminal.press("C-z")
            terminal.wait_for("Stopped", without=["Walking"])
            time.sleep(3)  # Five minutes of the walk.
            terminal.type("fg")
            terminal.press("Enter")
            terminal.wait_for("Walking", "min elapsed")
            elapsed = int(re.search(r"(\d+) min elapsed", terminal.screen).group(1))
            self.assertLess(elapsed, 5)

    def test_asking_denied_and_allowed(self):
        with Terminal() as terminal:
            terminal.run("app", WALK, "--photos", "sample", "--authorization", "not-determined")
            terminal.wait_for("Ready")
            terminal.press("s")
            terminal.wait_for("May faketrack use your location?")
            terminal.press("a")
            terminal.wait_for("Walking", "Sample photo", without=["May faketrack"])

    def test_asking_and_denied(self):
        with Terminal() as terminal:
            terminal.run("app", WALK, "--photos", "none", "--authorization", "not-determined")
            terminal.wait_for("Ready")
            terminal.press("s")
            terminal.wait_for("d don't allow")
            terminal.press("d")
            terminal.wait_for("Location permission denied", without=["d don't allow"])
            terminal.press("a")
            terminal.wait_for("Walking", without=["denied"])

    def test_keys_that_come_together_all_count(self):
        with Terminal() as terminal:
            terminal.run("app", WALK, "--photos", "none", "--speed", "1")
            terminal.wait_for("Ready", "of 9.4 km")
            terminal.send(b">>>")
            terminal.wait_for("×10")
            terminal.send(b"s")
            terminal.wait_for("Walking")
            terminal.send(b"]]]]]]]]]]")
            terminal.wait_for(" 1.9 km of")

    def test_a_track_with_impossible_elevations(self):
        with Terminal() as terminal:
            track = terminal.home / "abyss.gpx"
            track.write_text('<gpx version="1.1"><trk><trkseg><trkpt lat="52.4" lon="13.1"><ele>1e308</ele></trkpt>'
                             '<trkpt lat="52.5" lon="13.1"><ele>-1e308</ele></trkpt></trkseg></trk></gpx>')
            terminal.run("app", track, "--photos", "none")
            terminal.wait_for("Ready", "11.1 km")

    def test_a_pipe_is_no_track(self):
        with Terminal() as terminal:
            os.mkfifo(terminal.home / "pipe.gpx")
            terminal.run("app", "--photos", "none")
            terminal.wait_for("No track yet")
            terminal.press("n")
            terminal.type("~/pipe.gpx")
            terminal.press("Enter")
            terminal.wait_for("is a pipe")

    def test_many_tracks_and_the_one_that_was_opened(self):
        with Terminal(80, 24) as terminal:
            paths = [terminal.home / f"walk-{number:02}.gpx" for number in range(40)]
            for path in paths:
                path.write_text('<gpx version="1.1"><trk><trkseg><trkpt lat="1" lon="1"/><trkpt lat="1" lon="2"/>'
                                '</trkseg></trk></gpx>')
            terminal.run("app", *paths[:-1], "--photos", "none", "--at", "/")
            terminal.wait_for("walk-00.gpx")
            terminal.press("End")
            terminal.wait_for("walk-38.gpx")
            terminal.press("n")
            terminal.type("~/walk-39.gpx")
            terminal.wait_for("File: ~/walk-39.gpx")
            terminal.press("Enter")
            terminal.wait_for("walk-39.gpx  111", without=["File:"])
            terminal.press("Enter")
            terminal.wait_for("Ready", "walk-39.gpx")

    def test_a_file_is_opened_by_its_path(self):
        with Terminal() as terminal:
            (terminal.home / "walks").mkdir()
            (terminal.home / "walks" / "around the lake.gpx").write_bytes(WALK.read_bytes())
            (terminal.home / "walks" / "notes.txt").write_text("no track")
            terminal.run("app", "--photos", "none")
            terminal.wait_for("No track yet")
            terminal.press("n")
            terminal.type("~/wa")
            terminal.press("Tab", "Tab", "Enter")
            terminal.wait_for("Sanssouci, Neuer Garten, Havel", "9.4 km")
            terminal.press("n")
            terminal.type("~/nothing.gpx")
            terminal.press("Enter")
            terminal.wait_for("File: ~/nothing.gpx", "Sanssouci, Neuer Garten, Havel  9.4 km")


class FeedTests(unittest.TestCase):
    def test_a_walk_reaches_a_reader_until_it_pauses(self):
        with Terminal() as terminal:
            log = terminal.home / "notes"
            terminal.run("app", WALK, "--photos", "none", "--speed", "1", "--feed", "nmea:tcp:127.0.0.1:0", log=log)
            terminal.wait_for("Ready", "of 9.4 km")
            port = re.search(r"listening on \S+:(\d+)\n", log.read_text())[1]
            with socket.create_connection(("127.0.0.1", int(port)), TIMEOUT) as reader, \
                    reader.makefile() as lines:
                fields = (line.split(",") for line in lines if line.startswith("$GPRMC"))
                # In minutes of latitude and longitude.
                places = ((float(field[3]) % 100, float(field[5]) % 100) for field in fields if field[3])
                terminal.press("s")
                first = next(places)
                next(place for place in places if place != first)
                terminal.press("Space")
                terminal.wait_for("Paused")
                # So fast, a walk that goes on would be far away soon.
                terminal.press(*">>>>>>")
                terminal.wait_for("Paused", "×100")
                terminal.press("[")
                way = list(itertools.takewhile(lambda place: place != first, places))
                self.assertLess(max((math.dist(place, first) for place in way), default=0), 0.05)
                terminal.press("Space")
                next(place for place in places if place != first)
            terminal.press("q")
            terminal.wait_for("Targets take the walk")
            terminal.press("q")
            terminal.wait(lambda: "feed nmea:tcp" in log.read_text(), log.read_text)


class ReceiverTests(unittest.TestCase):
    def test_a_live_walk(self):
        receiver = Receiver()
        self.addCleanup(lambda: receiver.end())
        with Terminal() as terminal:
            terminal.run("app", receiver.address, "--photos", "sample")
            terminal.wait_for("Ready", receiver.address, without=["speed", "jump"])
            terminal.press("s")
            terminal.wait_for("Waiting", "live")
            receiver.wait_for_client()
            receiver.lose()
            terminal.wait_for("Waiting for the first fix")
            for meters in range(0, 310, 10):
                receiver.fix(meters)
            terminal.wait_for("Walking", "300 m so far", "4 photos", "5 min elapsed", without=["Waiting"])
            terminal.press("[", "]", ">", "Space")
            terminal.wait_for("Paused", "300 m so far")
            receiver.fix(400)
            terminal.press("Space")
            terminal.wait_for("Walking")
            receiver.fix(500)
            receiver.fix(540)
            terminal.wait_for("Walking", "340 m so far")
            receiver.end()
            terminal.wait_for("Signal lost", "gpsd cannot be reached")
            receiver = Receiver(receiver.port)
            receiver.fix(600)
            terminal.wait_for("Walking", "340 m so far", without=["gpsd cannot be reached"])
            terminal.press("x")
            terminal.wait_for("Stopped", "Space continue")
            terminal.press("1")
            terminal.wait_for("Live receiver · 340 m")
            terminal.press("q")
            terminal.wait_for("The recording is not saved: w saves it, q again ends it.")
            terminal.press("w")
            terminal.wait_for("Save as:")
            terminal.type("~/recording.gpx")
            terminal.press("Enter")
            terminal.wait_for("Saved 6 locations to ")
            terminal.press("q")
            terminal.wait_for("$", "walked 340 m", without=["Stopped"])

    def test_a_daemon_that_is_not_there(self):
        receiver = Receiver()
        receiver.end()
        with Terminal() as terminal:
            terminal.run("app", receiver.address, "--photos", "none")
            terminal.wait_for("Ready")
            terminal.press("s")
            terminal.wait_for("Failed", f"no gpsd at 127.0.0.1:{receiver.port}", "Start gpsd")
            receiver = Receiver(receiver.port)
            self.addCleanup(receiver.end)
            receiver.fix(0)
            terminal.press("r")
            terminal.wait_for("Walking", "0 m so far")


class PictureTests(unittest.TestCase):
    """Photos, drawn by chafa: in tmux as blocks of color."""

    def setUp(self):
        self.image = png(0xD0, 0x20, 0x20)
        self.asked = 0

        def answer(path):
            if path.startswith("/image/"):
                self.asked += 1
                return 200, self.image
            place = dict(urllib.parse.parse_qsl(path.split("?", 1)[1]))["ggscoord"].split("|")
            return 200, {"batchcomplete": True, "query": {"pages": [{
                "pageid": 7, "ns": 6, "title": "File:Gate.png",
                "coordinates": [{"lat": float(place[0]), "lon": float(place[1])}],
                "imageinfo": [{
                    "user": "u", "width": 640, "height": 480, "mime": "image/png",
                    "url": f"{self.stub.url}image/7", "thumburl": f"{self.stub.url}image/7",
                    "descriptionurl": f"{self.stub.url}wiki/7", "extmetadata": {}}]}]}}

        self.stub = self.enterContext(Stub(answer))

    def app(self, *arguments, columns=120):
        terminal = self.enterContext(Terminal(columns, 36, {"FAKETRACK_COMMONS_URL": self.stub.url}))
        terminal.run("app", WALK, "--photos", "commons", "--speed", "max", "--authorization", "authorized", *arguments)
        terminal.wait_for("of 9.4 km")
        terminal.press("s")
        terminal.wait_for("Arrived", "Gate")
        return terminal

    def has_picture(self, terminal):
        return RED in terminal.styled_screen

    def test_the_chosen_photo_is_drawn_beside_the_map_and_removed(self):
        terminal = self.app()
        terminal.wait(lambda: self.has_picture(terminal), lambda: terminal.styled_screen)
        terminal.press("?")
        terminal.wait_for("these keys")
        self.assertFalse(self.has_picture(terminal))
        terminal.press("Escape")
        terminal.wait(lambda: self.has_picture(terminal), lambda: terminal.styled_screen)
        terminal.resize(50, 24)
        terminal.wait(lambda: not self.has_picture(terminal), lambda: terminal.styled_screen)
        terminal.resize(80, 24)
        terminal.wait(lambda: self.has_picture(terminal), lambda: terminal.styled_screen)

    def test_terminals_with_graphics_get_them_and_lose_them_again(self):
        for kind, picture in ("xterm-kitty", b"\x1b_Ga=T"), ("foot", b"\x1bP0;1;0q"):
            with self.subTest(kind), tempfile.TemporaryDirectory() as home:
                environment = {
                    "PATH": os.environ["PATH"], "HOME": home, "FAKETRACK_HOME": home, "NO_PROXY": "*", "TERM": kind,
                    "LC_ALL": "C.UTF-8", "FAKETRACK_COMMONS_URL": self.stub.url}
                job = Job([EXECUTABLE.absolute(), "app", WALK, "--photos", "commons", "--speed", "max"], environment)
                self.addCleanup(job.close)
                self.assertTrue(job.wait_for(b"Ready"))
                job.press(b"s")
                self.assertTrue(job.wait_for(picture))
                before = len(job.output)
                job.press(b"5")
                self.assertTrue(job.wait_for(b"]2;faketrack: About"))
                # Text is drawn over a sixel; kitty is asked to remove a picture.
                self.assertEqual(kind == "xterm-kitty", b"\x1b_Ga=d\x1b\\" in job.output[before:])
                self.assertNotIn(picture, job.output[before:])
                job.press(b"q")
                self.assertRegex(job.event(), "^ended 0 restored$")

    def test_there_is_none_with_no_images(self):
        terminal = self.app("--no-images")
        # The first photo is in the place of the picture.
        self.assertIn("Gate", terminal.screen.splitlines()[5])
        terminal.press("q")
        terminal.wait_for("$", without=["Gate"])
        self.assertEqual(self.asked, 0)

    def test_a_photo_that_cannot_be_drawn_is_left_out(self):
        self.image = b"<html>not a picture</html>"
        terminal = self.app()
        terminal.wait(lambda: self.asked, lambda: terminal.screen)
        terminal.press("?")
        terminal.wait_for("these keys")


class ListsTests(unittest.TestCase):
    def test_retry_and_both_orders(self):
        feed = [{"id": number, "listId": 1, "name": f"Item {number}"} for number in (28, 276)]
        answers = [(500, {})] * 4
        with Stub(lambda path: answers.pop(0) if answers else (200, feed)) as stub, Terminal() as terminal:
            terminal.run("app", "--photos", "none", "--lists", stub.url, "--at", "/lists")
            terminal.wait_for("The lists cannot be loaded")
            terminal.press("r")
            screen = terminal.wait_for("Item 28", "Item 276")
            self.assertLess(screen.index("Item 276"), screen.index("Item 28\n"))
            terminal.press("S")
            terminal.wait_for("as text")
            screen = terminal.screen
            self.assertLess(screen.index("Item 28\n"), screen.index("Item 276"))


class CitizenTests(unittest.TestCase):
    """The app takes over the terminal, and restores it."""

    def test_alone_on_a_terminal_it_is_the_app(self):
        with Terminal(80, 24) as terminal:
            terminal.run()
            terminal.wait_for("1 Home", "Tracks")
            terminal.press("?")
            terminal.wait_for("Keys", "these keys")
            terminal.press("?", "5")
            terminal.wait_for("GeoNames")
            terminal.press("C-c")
            terminal.wait_for("$", without=["GeoNames"])

    def test_a_dumb_terminal_gets_the_home_text(self):
        with Terminal(80, 24) as terminal:
            terminal.type("TERM=dumb ")
            terminal.run()
            terminal.wait_for("Try next", without=["1 Home"])

    def test_suspended_and_back(self):
        with Terminal(80, 24) as terminal:
            terminal.run("app", "--photos", "none", "--at", "/cities?q=potsdam")
            terminal.wait_for("3 cities")
            terminal.press("C-z")
            terminal.wait_for("Stopped", without=["3 cities"])
            terminal.type("fg")
            terminal.press("Enter")
            terminal.wait_for("3 cities", "Brandenburg")

    def test_a_signal_and_a_crash_leave_the_terminal_as_it_was(self):
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGSEGV, signal.SIGILL):
            with self.subTest(number), Terminal(80, 24) as terminal:
                terminal.type("stty -a | md5sum; ")
                terminal.run("app", "--photos", "none")
                terminal.wait_for("No track yet")
                terminal.signal(number)
                terminal.wait_for("$", without=["No track yet"])
                terminal.type("stty -a | md5sum")
                terminal.press("Enter")
                mode = re.search(r"([0-9a-f]{32})  -", terminal.screen).group()
                terminal.wait_for(mode, count=2)

    def test_a_terminal_that_is_closed_ends_it(self):
        for track in ([], [WALK]):
            # Its exit closes the terminal and waits for the process in it.
            with self.subTest(track), Terminal(80, 24) as terminal:
                terminal.run("app", *track, "--photos", "none")
                terminal.wait_for("quit")

    def test_what_goes_to_stderr_is_shown_after_the_end(self):
        for end in (signal.SIGTRAP, signal.SIGTERM):
            with self.subTest(end), Terminal(80, 24) as terminal:
                terminal.run("app", "--photos", "none")
                terminal.wait_for("No track yet")
                terminal.write_error("Fatal error: out of cities\n" + "x" * 1_200 + "\nlast line\n")
                terminal.press("?")
                self.assertNotIn("out of cities", terminal.wait_for("Keys"))
                terminal.signal(end)
                terminal.wait_for("$", "out of cities", "last line", without=["No track yet"])

    def test_the_calls_are_told_after_the_end_and_to_a_file_at_once(self):
        with Stub(lambda path: (404, {})) as stub, \
                Terminal(80, 24, {"FAKETRACK_WIKIPEDIA_URL": stub.url}) as terminal:
            terminal.run("app", "--photos", "none", "--verbose", "--log", terminal.home / "log",
                         "--at", "/cities/2852458")
            self.assertNotIn("call:", terminal.wait_for("Wikipedia has no article"))
            self.assertIn('"level":"debug"', (terminal.home / "log").read_text())
            terminal.press("q")
            terminal.wait_for("$", "call: Wikipedia", without=["Wikipedia has no article"])

    def test_a_random_seed_is_said_before(self):
        with Terminal(80, 24) as terminal:
            terminal.run("app", "--photos", "none", "--seed", "random", "--utc")
            terminal.wait_for("No track yet")
            terminal.press("q")
            self.assertRegex(terminal.wait_for("$", "seed: ", without=["No track yet"]), r"(?m)^seed: \d+$")

    def test_the_exit_status_says_how_it_ended(self):
        with Terminal(80, 24) as terminal:
            for end, status in (("q", 0), ("C-c", 130)):
                terminal.run("app", "--photos", "none")
                terminal.wait_for("No track yet")
                terminal.press(end)
                terminal.wait_for("$", without=["No track yet"])
                terminal.type("echo status $?")
                terminal.press("Enter")
                terminal.wait_for(f"status {status}")
                terminal.type("clear")
                terminal.press("Enter")

    def test_wide_characters_keep_the_columns(self):
        with Terminal(80, 24) as terminal:
            names = ["東京の散歩", "שלום עולם", "walk 🚶 with 👩‍👩‍👧", "e\u0301te\u0301"]
            paths = [terminal.home / f"{name}.gpx" for name in names]
            for path, name in zip(paths, names):
                path.write_text(WALK.read_text().replace("Sanssouci, Neuer Garten, Havel", name))
            terminal.run("app", *paths, "--photos", "none", "--at", "/")
            # Each key redraws two rows only.
            before = terminal.wait_for("7,201 points", count=4)
            for key in ["Down"] * 3 + ["Up"] * 3 + ["?", "?"]:
                terminal.press(key)
            terminal.press("5")
            terminal.wait_for("GeoNames")
            terminal.press("Escape")
            self.assertEqual(before, terminal.wait_for("7,201 points", count=4))

    def test_without_color_nothing_is_colored(self):
        for environment, colors in (({"NO_COLOR": "1"}, False), ({}, True)):
            with self.subTest(environment), Terminal(80, 24, environment) as terminal:
                terminal.run("app", WALK, "--photos", "sample")
                terminal.press("s")
                terminal.wait_for("Walking", "Sample photo")
                styles = re.findall(r"\x1b\[([0-9;]*)m", terminal.styled_screen)
                codes = {code for style in styles for code in style.split(";")}
                self.assertEqual(colors, any(code[:1] == "3" and code != "39" for code in codes), codes)

    def test_a_click_opens_a_tab_and_a_row(self):
        with Terminal(80, 24) as terminal:
            terminal.run("app", "--photos", "none", "--at", "/cities?q=potsdam")
            screen = terminal.wait_for("3 cities", "Brandenburg, Germany", "New York, United States")
            row = next(n for n, line in enumerate(screen.split("\n")) if "New York" in line)
            terminal.click(4, row)
            terminal.click(4, row)
            terminal.wait_for("Potsdam, New York, US", "44.669")
            terminal.click(screen.split("\n")[0].index("5 About"), 0)
            terminal.wait_for("GeoNames")

    def test_what_is_said_is_on_the_screen(self):
        with Terminal(80, 24) as terminal:
            broken = terminal.home / "broken.gpx"
            broken.write_text('<gpx version="1.1"><trk><trkseg><trkpt lat="52.4" lon="13.1"/>'
                              '<trkpt lat="x" lon="13.1"/><trkpt lat="52.5" lon="13.1"/></trkseg></trk></gpx>')
            terminal.run("app", broken, "--photos", "none")
            terminal.wait_for("Ready")
            terminal.press("s")
            terminal.wait_for("track point skipped")

    def test_a_signal_in_the_middle_of_a_walk_leaves_the_terminal_as_it_was(self):
        for numbers in ([signal.SIGINT], [signal.SIGTERM], [signal.SIGHUP], [signal.SIGINT, signal.SIGTERM]):
            with self.subTest(numbers), Terminal() as terminal:
                terminal.type("stty -a | md5sum; ")
                terminal.record()
                terminal.run("app", WALK, "--photos", "sample", "--speed", "200")
                terminal.wait_for("Ready")
                terminal.press("s")
                terminal.wait_for("Walking", "Sample photo")
                terminal.signal(*numbers)
                terminal.wait_for("$", without=["Sample photo"])
                terminal.type("stty -a | md5sum")
                terminal.press("Enter")
                mode = re.search(r"([0-9a-f]{32})  -", terminal.screen).group()
                terminal.wait_for(mode, count=2)
                self.assertTrue(terminal.cursor_is_shown)
                after = terminal.recording.split(b"\x1b[?1049l", 1)[1]
                self.assertNotIn(b"\x1b[?2026h", after)

    def test_in_the_background_it_waits(self):
        with Terminal(80, 24) as terminal:
            terminal.run("app", WALK, "--photos", "sample", "--speed", "100")
            terminal.wait_for("Ready")
            terminal.press("s")
            terminal.wait_for("Walking")
            terminal.press("C-z")
            terminal.wait_for("Stopped", without=["Walking"])
            terminal.type("bg; echo quiet")
            terminal.press("Enter")
            terminal.wait_for("\nquiet")
            terminal.wait(lambda: terminal.is_stopped, lambda: "it runs in the background")
            self.assertNotIn("Walking", terminal.screen)
            terminal.type("fg")
            terminal.press("Enter")
            terminal.wait_for("Walking")
            terminal.press("Space")
            terminal.wait_for("Paused")

    def test_a_process_that_was_stopped_from_outside_draws_itself_anew(self):
        with Terminal(80, 24) as terminal:
            terminal.run("app", "--photos", "none", "--at", "/cities?q=potsdam")
            terminal.wait_for("3 cities")
            terminal.signal(signal.SIGSTOP)
            # The shell writes it where the cursor is, on two lines if need be.
            terminal.wait(lambda: "topped (signal)" in terminal.screen.replace("\n", ""), lambda: terminal.screen)
            terminal.type("fg")
            terminal.press("Enter")
            terminal.wait_for("3 cities", without=["topped"])
            terminal.press("1")
            terminal.wait_for("Status")

    def test_what_is_no_key_is_passed_over(self):
        with Terminal(80, 24) as terminal:
            terminal.run("app", "--photos", "none", "--at", "/cities?q=potsdam")
            terminal.wait_for("3 cities")
            # A click in the old form at column 81, and a paste without its end.
            terminal.send(b"\x1b[M q!")
            terminal.press("/")
            terminal.wait_for("Enter to the list")
            terminal.send(b"\x1b[200~q")
            terminal.wait_for("Search: potsdamq")
            terminal.press("Escape")
            terminal.wait_for("/ search")
            # A sequence without its end swallows keys that come at once.
            terminal.send(b"\x1b[12;34")

            def about():
                terminal.press("5")
                return "GeoNames" in terminal.screen
            terminal.wait(about, lambda: terminal.screen)

    def test_a_search_stays_while_one_looks_elsewhere(self):
        with Terminal(80, 24) as terminal:
            terminal.run("app", "--photos", "none")
            terminal.wait_for("No track yet")
            terminal.press("/")
            terminal.type("pots")
            terminal.wait_for("13 cities")
            terminal.press("Enter", "1")
            terminal.wait_for("No track yet")
            terminal.press("3")
            terminal.wait_for("Search: pots", "13 cities")

    def test_it_follows_the_size_of_the_terminal(self):
        with Terminal(120, 40) as terminal:
            terminal.run("app", "--photos", "none", "--at", "/cities?q=potsdam")
            terminal.wait_for("• Berlin", "Brandenburg, Germany")
            terminal.resize(80, 24)
            terminal.wait_for("Brandenburg, Germany", without=["• Berlin"])
            terminal.resize(20, 4)
            terminal.resize(40, 12)
            terminal.wait_for("Potsdam")


if __name__ == "__main__":
    unittest.main()
