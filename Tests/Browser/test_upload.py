"""Files that are dropped or chosen: a track is added from any page, and problems are reported."""

import gzip
import tempfile
import unittest
from pathlib import Path

from support import WALK, BrowserTestCase, Faketrack, make_walk

# The name of the sample walk.
SAMPLE = "Sanssouci, Neuer Garten, Havel"
SCREENS = ["/", "/tracking", "/cities?q=pots", "/cities/2852458", "/lists", "/about",
           "/draw"]


class UploadTests(BrowserTestCase):
    def setUp(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        self.folder = Path(folder)
        self.page = Faketrack(WALK, photos="none")
        self.addCleanup(self.page.end)

    def open(self, path):
        self.browser.open(self.page.address + path)
        self.browser.wait_for(".upload")

    def file(self, name, content):
        path = self.folder / name
        path.write_bytes(content)
        return path

    def track(self, name="two.gpx"):
        return make_walk(self.folder / name, 2)

    def drag(self, kind, *paths):
        """Does what the system does with files that are dragged over the window."""
        self.browser.driver.execute_cdp_cmd("Input.dispatchDragEvent", {
            "type": kind, "x": 200, "y": 300,
            "data": {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}})

    def drop(self, *paths):
        for kind in ("dragEnter", "dragOver", "drop"):
            self.drag(kind, *paths)

    def path(self):
        return self.browser.run("return location.pathname + location.search")

    def names(self):
        return [heading.text for heading in self.browser.all(".track h2")]

    def wait_for_tracks(self, *names):
        self.browser.wait(lambda: self.names() == [*names], f"{names} on Home")
        self.assertEqual(self.path(), "/")

    def told(self):
        self.browser.wait_for(".upload .error")
        return self.browser.text(".upload .error")

    def test_a_track_is_taken_on_every_screen(self):
        for number, screen in enumerate(SCREENS[:4]):
            with self.subTest(screen):
                self.open(screen)
                self.drop(self.track(f"{number}.gpx"))
                self.browser.wait(lambda: f"{number}.gpx" in self.names(), "the track on Home")
                self.assertEqual(self.path(), "/")

    def test_a_cover_explains_the_drop(self):
        for screen in SCREENS:
            with self.subTest(screen):
                self.open(screen)
                cover = self.browser.one(".drop-cover")
                self.assertFalse(cover.is_displayed())
                self.drag("dragEnter", WALK)
                self.drag("dragOver", WALK)
                self.browser.wait(cover.is_displayed, "the cover")
                self.assertEqual(cover.text, "Drop to add the tracks")
                # Headless, the browser does not tell that the files have left the window.
                self.browser.run("arguments[0].dispatchEvent(new DragEvent('dragleave'))", cover)
                self.assertFalse(cover.is_displayed())

    def test_a_bad_file_leaves_every_screen_where_it_is(self):
        bad = self.file("bad.gpx", b"<html><body>Log in</body></html>")
        for screen in SCREENS:
            with self.subTest(screen):
                self.open(screen)
                self.drop(bad)
                self.assertIn("bad.gpx: this is a web page", self.told())
                self.assertEqual(self.path(), screen)
                self.assertEqual(len(self.browser.all(".upload .primary")), 1)
                self.browser.one(".upload button").click()
                self.assertEqual(self.browser.all(".upload .notice"), [])

    def test_failures_are_distinguished(self):
        self.open("/")
        for content, words in [
            (b"", "an empty file"), (b"\x89PNG\r\n\x1a\n", "a PNG image"),
            (b"\x01\x02\x03\xfe", "binary data"), (b"<gpx></gpx>", "nothing to walk"),
            (b'<gpx version="1.1"><trk><trkseg>', "ends in the middle"),
            (gzip.compress(b" " * (257 << 20), 1), "unpacks to more than 256 MB"),
            (b" " * (33 << 20), "more than 32 MB"),
        ]:
            with self.subTest(words):
                self.drop(self.file("bad.gpx", content))
                self.browser.wait(lambda: words in self.told(), words)
        self.assertEqual(self.names(), [SAMPLE])

    def test_many_files_are_added_the_newest_first(self):
        self.open("/about")
        self.drop(*[self.track(f"{name}.gpx") for name in "abc"])
        self.wait_for_tracks("c.gpx", "b.gpx", "a.gpx", SAMPLE)

    def test_many_files_can_be_chosen(self):
        self.open("/")
        paths = [self.track("a.gpx"), self.track("b.gpx")]
        self.browser.one("#file").send_keys("\n".join(map(str, paths)))
        self.wait_for_tracks("b.gpx", "a.gpx", SAMPLE)

    def test_a_bad_file_does_not_stop_the_others(self):
        bad = self.file("bad.gpx", b"{}")
        self.open("/")
        self.drop(self.track("a.gpx"), bad, self.track("b.gpx"))
        self.assertIn("2 tracks were added", self.told())
        items = self.browser.all(".upload li")
        self.assertEqual(len(items), 1)
        self.assertIn("bad.gpx: this is JSON", items[0].text)
        self.wait_for_tracks("b.gpx", "a.gpx", SAMPLE)
        self.browser.one(".upload button").click()
        self.assertEqual(self.browser.all(".upload .notice"), [])
        self.open("/about")
        self.drop(bad, self.track("c.gpx"))
        self.assertIn("1 track was added", self.told())
        self.assertEqual(self.path(), "/about")
        self.browser.one(".upload a.primary").click()
        self.browser.wait(lambda: self.names()[:1] == ["c.gpx"], "the track on Home")

    def test_the_tracks_of_a_folder_are_added(self):
        walks = self.folder / "walks" / "2026"
        walks.mkdir(parents=True)
        make_walk(walks / "a.gpx", 2)
        (walks / "notes.txt").write_text("no track")
        (self.folder / "empty").mkdir()
        self.open("/about")
        self.drop(self.folder / "walks")
        self.wait_for_tracks("a.gpx", SAMPLE)
        self.open("/about")
        self.drop(self.folder / "empty")
        self.assertIn("The folder has no GPX files.", self.told())

    def test_photos_are_refused_with_the_way_to_walk_with_them(self):
        photo = self.file("photo.jpg", b"\xff\xd8\xff")
        self.open("/")
        self.drop(photo)
        self.assertIn("photo.jpg was not sent", self.told())
        self.assertIn("--photos FOLDER", self.told())
        self.browser.one(".upload button").click()
        self.drop(self.track("a.gpx"), photo)
        self.browser.wait(lambda: "1 track was added" in self.told(), "the reason")
        self.wait_for_tracks("a.gpx", SAMPLE)

    def test_a_file_can_be_chosen_again_once_it_is_mended(self):
        self.open("/")
        path = self.file("walk.gpx", b"{}")
        self.browser.one("#file").send_keys(str(path))
        self.assertIn("JSON", self.told())
        self.track("walk.gpx")
        self.browser.one("#file").send_keys(str(path))
        self.wait_for_tracks("walk.gpx", SAMPLE)

    def test_a_compressed_track_is_taken(self):
        self.open("/tracking")
        self.drop(self.file("two.gpx.gz", gzip.compress(self.track().read_bytes())))
        self.wait_for_tracks("two.gpx.gz", SAMPLE)

    def test_a_track_that_breaks_off_is_walked_as_far_as_it_goes(self):
        text = self.track().read_bytes()
        self.open("/")
        self.drop(self.file("half.gpx", text[:len(text) // 2]))
        self.wait_for_tracks("half.gpx", SAMPLE)
        self.assertIn("It can be walked as far as it goes.", self.browser.text(".track .wrong"))
        self.page.post("/tracking/speed", speed="max")
        self.browser.one('[aria-label="Start half.gpx"]').click()
        self.browser.wait_for("[data-notice] .error")
        self.assertIn("ends in the middle", self.browser.text("[data-notice]"))
        self.assertRegex(self.browser.figure("distance"), r"^(9\d\d m|1\.0 km)$")

    def test_an_upload_shows_progress_and_can_be_canceled(self):
        self.open("/lists")
        self.browser.driver.execute_cdp_cmd("Network.enable", {})
        self.slow_down(100_000)
        self.addCleanup(self.slow_down, -1)
        self.drop(self.file("long.gpx", b" " * (8 << 20)))
        self.browser.wait_for(".upload progress")
        self.assertEqual(self.browser.text(".upload h2"), "Sending long.gpx …")
        self.browser.one(".upload button").click()
        self.browser.wait(lambda: not self.browser.all(".upload .notice"), "the end")
        self.assertEqual(self.path(), "/lists")

    def slow_down(self, bytes_a_second):
        self.browser.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {
            "offline": False, "latency": 0, "downloadThroughput": -1,
            "uploadThroughput": bytes_a_second})

    def test_a_photo_that_is_dragged_is_no_file(self):
        self.open("/")
        self.browser.run("""
            const transfer = new DataTransfer();
            transfer.items.add(new File(["x"], "photo.jpg"));
            const event = (name) => new DragEvent(name, { dataTransfer: transfer, bubbles: true });
            for (const name of ["dragstart", "dragenter", "dragover"]) {
              document.body.dispatchEvent(event(name));
            }""")
        self.assertFalse(self.browser.one(".drop-cover").is_displayed())

    def test_without_scripts_home_shows_the_failure(self):
        self.browser.block_scripts(True)
        self.addCleanup(self.browser.block_scripts, False)
        self.browser.open(self.page.address + "/")
        self.browser.one("#file").send_keys(str(self.file("bad.gpx", b"plain text")))
        self.browser.one("[data-drop] button").click()
        self.browser.wait_for(".notice.error")
        self.assertEqual(self.browser.driver.current_url, self.page.address + "/")
        self.assertIn("bad.gpx: this is plain text", self.browser.text(".notice.error"))
        self.browser.driver.refresh()
        self.assertEqual(self.browser.all(".notice.error"), [])
        self.browser.one("#file").send_keys(str(self.track()))
        self.browser.one("[data-drop] button").click()
        self.wait_for_tracks("two.gpx", SAMPLE)
        paths = [self.track("three.gpx"), self.track("four.gpx")]
        self.browser.one("#file").send_keys("\n".join(map(str, paths)))
        self.browser.one("[data-drop] button").click()
        self.wait_for_tracks("four.gpx", "three.gpx", "two.gpx", SAMPLE)
