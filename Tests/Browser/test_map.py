"""The map: its basemap, markers and movement."""

import contextlib
import math
import sqlite3
import tempfile
import unittest
from pathlib import Path

from support import WALK, Browser, Faketrack, Stub, make_walk, picture, shared_browser
from test_screens import CONTRAST, CONTROLS

TILES = "tile.openstreetmap.org"
# A page whose map is shown at once.
CITY = "/cities/2852458"

# Imports a script of the map.
LOAD = r"""
const [base] = document.querySelector('link[rel=stylesheet]').href.match(/.*\/assets\/[^/]+\//);
const load = (name) => import(`${base}map/${name}`);
"""

# Adds a separate map to the page, which records its events; nothing lies on it.
FRESH = LOAD + """
return (async () => {
  const { MapView } = await load('map.mjs');
  const { placed } = await load('projection.mjs');
  const { Camera } = await load('camera.mjs');
  const { TrackLine } = await load('track-line.mjs');
  document.querySelector('.now').hidden = true;
  const old = document.querySelector('.map');
  const host = old.cloneNode(true);
  host.querySelector('.drawing')?.remove();
  old.replaceWith(host);
  window.map = new MapView(host);
  window.told = { line: [], over: [], chosen: [] };
  map.onLineHover = (meters) => told.line.push(meters);
  map.onPinHover = (number) => { told.over.push(number); map.selectPin(number); };
  map.onPinPress = (number) => { told.chosen.push(number); map.selectPin(number); };
  const track = await (await fetch('/tracks/1')).json();
  map.setTrack(track);
  window.line = new TrackLine(track);
  // A camera with the view of the map.
  Object.defineProperty(window, 'camera', { get() {
    const { clientWidth: width, clientHeight: height } = host;
    const [{ x, y: top }, { y: bottom }] = [0, 1].map((y) => map.pointOf({ x: 0.5, y }));
    const side = bottom - top;
    const camera = Object.assign(new Camera(), { width, height });
    camera.fit(line.box);
    return Object.assign(camera, {
      zoom: Math.log2(side / 256), x: 0.5 + (width / 2 - x) / side, y: (height / 2 - top) / side });
  } });
  window.pixelOf = (place) => Object.values(map.pointOf(place)).map(Math.round);
  window.pixelAt = (meters) => pixelOf(line.placeAt(meters));
  window.placed = placed;
  window.frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  window.color = (x, y) => [...host.querySelector('canvas').getContext('2d').getImageData(x, y, 1, 1).data]
    .slice(0, 3);
  window.token = (name) => {
    host.style.color = `var(--${name})`;
    return getComputedStyle(host).color.match(/[0-9]+/g).map(Number);
  };
})();
"""

# The texts on the fresh map, the pairs that overlap, and the distances on the track.
LABELS = """
return (async () => {
  const context = document.querySelector('.map canvas').getContext('2d');
  const drawn = [];
  context.fillText = (text, x, y) => {
    const size = context.measureText(text);
    drawn.push({ text, left: x - size.actualBoundingBoxLeft, right: x + size.actualBoundingBoxRight,
      top: y - size.actualBoundingBoxAscent, bottom: y + size.actualBoundingBoxDescent });
  };
  map.setPreview(0);
  await frame();
  const overlapping = drawn.flatMap((a, at) => drawn.slice(at + 1)
    .filter((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
    .map((b) => [a.text, b.text]));
  const isOnTrack = ({ left, right, top, bottom }) => {
    for (let x = left; x <= right; x++)
      for (let y = top; y <= bottom; y++) if (line.metersAt(x, y, camera, 1.5) !== null) return true;
    return false;
  };
  // The last one is the scale bar.
  const crossed = drawn.slice(0, -1).filter(({ text }) => / km$/.test(text)).filter(isOnTrack);
  return [drawn.slice(0, -1).map(({ text }) => text), overlapping, crossed.map(({ text }) => text)];
})();
"""

# The colors of a screenshot at some pixels of the canvas.
COLORS_OF = """
const [picture, points] = arguments;
return (async () => {
  const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes]));
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d', { willReadFrequently: true });
  context.drawImage(bitmap, 0, 0);
  const { left, top } = document.querySelector('.map canvas').getBoundingClientRect();
  return points.map(([x, y]) => [...context.getImageData(left + x, top + y, 1, 1).data].slice(0, 3));
})();
"""


def contrast(one, other):
    """The contrast of two colors, as WCAG 2.2 defines it."""
    def luminance(color):
        parts = [value / 255 for value in color]
        parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return sum(part * weight for part, weight in zip(parts, (0.2126, 0.7152, 0.0722)))
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


class MapTestCase(unittest.TestCase):
    arguments = ()

    @classmethod
    def setUpClass(cls):
        cls.browser = shared_browser()
        cls.folder = tempfile.TemporaryDirectory()
        cls.walk = make_walk(Path(cls.folder.name) / "walk.gpx", 2)
        cls.page = cls.serve(cls.walk)

    @classmethod
    def serve(cls, walk):
        """A server whose walk has arrived and is looked back at, so that the stage shows the map."""
        page = Faketrack(walk, "--speed", "max", *cls.arguments)
        page.walk()
        page.post("/tracking/position", meters=1000)
        return page

    @classmethod
    def tearDownClass(cls):
        cls.page.end()
        cls.folder.cleanup()

    def setUp(self):
        self.browser.resize(1280, 800)
        self.browser.use_scheme("light")

    def open(self, page=None):
        self.browser.open((page or self.page).address + "/tracking")
        self.browser.wait_for("[data-view=map]")
        self.browser.wait(
            lambda: not self.browser.all(".drawing") and self.browser.all(".map canvas"), "the map")

    def open_fresh(self, page=None):
        self.open(page)
        self.browser.run(FRESH)

    def press(self, name):
        self.browser.one(f'[data-map="{name}"]').click()

    def color(self, x, y):
        return self.browser.run("return frame().then(() => color(...arguments))", x, y)

    def assert_color(self, x, y, token):
        expected = self.browser.run("return token(arguments[0])", token)
        seen = self.color(x, y)
        self.assertLess(max(abs(a - b) for a, b in zip(seen, expected)), 24, (token, seen, expected))

    def move(self, x, y):
        self.mouse("mouseMoved", x, y)

    def click(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, x, y, button="left", clickCount=1)

    def mouse(self, kind, x, y, **more):
        box = self.box()
        self.browser.driver.execute_cdp_cmd("Input.dispatchMouseEvent", {
            "type": kind, "x": box["left"] + x, "y": box["top"] + y, **more})

    def box(self):
        return self.browser.run("return document.querySelector('.map canvas').getBoundingClientRect().toJSON()")


class GroundTests(MapTestCase):
    def paint(self, places):
        """The names of the colors that the world has at places: `(latitude, longitude, zoom)`."""
        return self.browser.run(LOAD + """
            const [places] = arguments;
            return Promise.all(places.map(async ([latitude, longitude, zoom]) => {
              const { World } = await load('world.mjs');
              const { Camera } = await load('camera.mjs');
              const { worldX, worldY } = await load('projection.mjs');
              const size = { width: 200, height: 200 };
              const canvas = Object.assign(document.createElement('canvas'), size);
              const context = canvas.getContext('2d');
              const camera = Object.assign(new Camera(), size,
                { zoom, x: worldX(longitude), y: worldY(latitude) });
              const colors = { land: token('land'), water: token('water'), border: token('border') };
              let isLoaded = false;
              const world = new World(() => (isLoaded = true));
              // It loads what it draws for the first time.
              for (let frame = 0; frame < 40; frame += isLoaded) {
                context.clearRect(0, 0, size.width, size.height);
                world.draw(context, camera, colors, { hasBorders: true });
                await new Promise(requestAnimationFrame);
              }
              const seen = [...context.getImageData(100, 100, 1, 1).data];
              const isSeen = (name) => [...colors[name].match(/[0-9]+/g), 255].join() === seen.join();
              return Object.keys(colors).find(isSeen) ?? seen.join();
              function token(name) {
                canvas.style.color = `var(--${name})`;
                document.body.append(canvas);
                const { color } = getComputedStyle(canvas);
                canvas.remove();
                return color;
              }
            }));""", places)

    def test_seas_and_lakes_are_water_and_islands_in_lakes_are_land(self):
        self.open()
        places = [
            ("Lake Victoria", -1, 33, "water"), ("Lake Superior", 47.7, -87.5, "water"),
            ("Lake Baikal", 53.5, 108.3, "water"), ("the North Sea", 56, 3, "water"),
            ("Manitoulin Island", 45.75, -82.3, "land"), ("Potsdam", 52.4, 13.06, "land")]
        for scheme in ("light", "dark"):
            self.browser.use_scheme(scheme)
            for zoom in (5, 7.3):
                colors = self.paint([(latitude, longitude, zoom) for _, latitude, longitude, _ in places])
                for (name, *_, expected), color in zip(places, colors):
                    with self.subTest(scheme=scheme, place=name, zoom=zoom):
                        self.assertEqual(color, expected)


class ZoomTests(MapTestCase):
    def test_the_place_at_a_pixel_stays_there_at_any_zoom_and_at_the_poles(self):
        self.open_fresh()
        wrong = self.browser.run("""
            const wrong = [];
            for (const y of [0, 0.02, 0.5, 0.98, 1]) {
              for (const zoom of [2.7, 4.37, 7.5, 17.9]) {
                for (const change of [0.013, 0.4, 1, -0.013, -0.4, -1]) {
                  for (const [px, py] of [[0, 0], [300, 10], [400, 300], [799, 599]]) {
                    const eye = new camera.constructor();
                    Object.assign(eye, { x: 0.4, y, zoom, width: 800, height: 600 });
                    const at = () => [eye.x + (px - 400) / eye.worldSize, eye.y + (py - 300) / eye.worldSize];
                    const before = at();
                    if (before[1] < 0 || before[1] > 1) continue;
                    eye.zoomBy(change, px, py);
                    const after = at();
                    const off = Math.hypot(after[0] - before[0], after[1] - before[1]) * eye.worldSize;
                    if (off > 0.01) wrong.push([y, zoom, change, px, py, off]);
                  }
                }
              }
            }
            return wrong;""")
        self.assertEqual(wrong, [])

    def test_a_drag_beyond_a_pole_stops_there_and_jumps_nowhere(self):
        self.open_fresh()
        places = self.browser.run("""
            const eye = new camera.constructor();
            Object.assign(eye, { y: -0.1, zoom: 3, width: 800, height: 600 });
            return [10, -10, -10000, 10000].map((dy) => { eye.panBy(0, dy); return eye.y; });""")
        self.assertEqual(places[0], -0.1)
        self.assertGreater(places[1], -0.1)
        self.assertEqual(places[2:], [1, 0])

    def test_the_world_is_no_smaller_than_the_view_and_the_track_stays_on_it(self):
        for width, height in ((1440, 900), (390, 844)):
            self.browser.resize(width, height)
            self.open_fresh()
            places = self.browser.run("""
                const eye = camera;
                for (let time = 0; time < 30; time++) eye.zoomBy(-1, eye.width, eye.height / 2);
                const isWhole = eye.worldSize >= Math.max(eye.width, eye.height) - 0.01;
                const middle = line.placeAt(1000).x;
                const offs = [];
                for (let time = 0; time < 40; time++) {
                  eye.panBy(170, 0);
                  offs.push(eye.lineX(middle) - eye.screenX(middle));
                }
                return [isWhole, Math.max(...offs.map(Math.abs))];""")
            with self.subTest(width=width):
                self.assertEqual(places[0], True)
                self.assertLess(places[1], 0.01)

    def wheel(self, x, y, **options):
        self.browser.run("""
            const [x, y, options] = arguments;
            const canvas = document.querySelector('.map canvas');
            const { left, top } = canvas.getBoundingClientRect();
            canvas.dispatchEvent(new WheelEvent('wheel',
              { clientX: left + x, clientY: top + y, cancelable: true, ...options }));
            return frame();""", x, y, options)

    def test_wheel_and_touchpad_zoom_at_the_pointer(self):
        for width, height in ((1440, 900), (390, 844)):
            with self.subTest(width=width):
                self.browser.resize(width, height)
                self.open_fresh()
                x, y = self.browser.run("return pixelAt(0)")
                self.assert_color(x, y, "card")
                self.wheel(x, y, deltaY=-120)
                self.assertEqual(self.browser.run("return pixelAt(0)"), [x, y], "it scrolls the page")
                self.assertEqual(self.browser.text("[data-hint]"), "Hold Ctrl to zoom with the wheel")
                self.browser.run("document.querySelector('.map canvas').focus()")
                for options in ({"deltaY": -120}, {"deltaY": -7, "ctrlKey": True}, {"deltaY": -3, "deltaMode": 1}):
                    self.wheel(x, y, **options)
                    self.assert_color(x, y, "card")
                    self.assert_color(x - 6, y, "track")


class OnTheMapTests(MapTestCase):
    def test_waypoints_have_marks_and_names(self):
        path = Path(self.folder.name) / "waypoints.gpx"
        text = self.walk.read_text()
        names = ('<wpt lat="52.402" lon="13.01"><name>An old mill</name></wpt>'
                 '<wpt lat="52.398" lon="13.02"/><trk>')
        path.write_text(text.replace("<trk>", names))
        page = self.serve(path)
        self.addCleanup(page.end)
        for scheme in ("light", "dark"):
            for width, height in ((1440, 900), (390, 844)):
                with self.subTest(scheme=scheme, width=width):
                    self.browser.use_scheme(scheme)
                    self.browser.resize(width, height)
                    self.open_fresh(page)
                    for place in ((52.402, 13.01), (52.398, 13.02)):
                        x, y = self.browser.run(
                            "return pixelOf(placed({ latitude: arguments[0], longitude: arguments[1] }))", *place)
                        self.assert_color(x, y, "card")
                        around = [self.color(x + dx, y + dy) for dx, dy in ((-5, 0), (5, 0), (0, -5), (0, 5))]
                        land = self.browser.run("return token('land')")
                        self.assertGreater(max(contrast(color, land) for color in around), 3)

    def test_labels_cover_neither_each_other_nor_the_track(self):
        page = self.serve(WALK)
        self.addCleanup(page.end)
        for width, height in ((1440, 900), (844, 390), (740, 360), (667, 375), (390, 844)):
            with self.subTest(width=width, height=height):
                self.browser.resize(width, height)
                self.open_fresh(page)
                self.browser.wait_until_idle()
                texts, overlapping, crossed = self.browser.run(LABELS)
                self.assertIn("Potsdam", texts)
                self.assertRegex(" ".join(texts), r"\d km")
                self.assertEqual((overlapping, crossed), ([], []))

    def test_the_planned_line_contrasts_with_land_and_water(self):
        for scheme in ("light", "dark"):
            with self.subTest(scheme=scheme):
                self.browser.use_scheme(scheme)
                self.open_fresh()
                color = self.color(*self.browser.run("return pixelAt(700)"))
                land, water = self.browser.run("return ['land', 'water'].map(token)")
                for other in (land, water):
                    self.assertGreaterEqual(contrast(color, other), 3)
                self.assertGreaterEqual(contrast(land, water), 1.5)

    def test_hovering_the_line_reports_meters(self):
        self.open_fresh()
        x, y = self.browser.run("return pixelAt(700)")
        self.move(x, y + 60)
        self.assertEqual(self.browser.run("return told.line"), [])
        self.move(x, y + 8)
        self.assertAlmostEqual(self.browser.run("return told.line.at(-1)"), 700, delta=5)
        self.move(x, y + 30)
        self.assertIsNone(self.browser.run("return told.line.at(-1)"))
        self.move(x, y)
        self.move(x, -20)
        self.assertIsNone(self.browser.run("return told.line.at(-1)"))

    def test_the_ghost_is_a_hollow_marker_on_the_line(self):
        for scheme in ("light", "dark"):
            with self.subTest(scheme=scheme):
                self.browser.use_scheme(scheme)
                self.open_fresh()
                x, y = self.browser.run("return pixelAt(700)")
                self.assert_color(x, y - 8, "land")
                self.browser.run("map.setPreview(700)")
                self.assert_color(x, y - 8, "track")
                self.assert_color(x, y - 4, "land")
                self.browser.run("map.setPreview(null)")
                self.assert_color(x, y - 8, "land")

    def pin(self, number, meters, dy=60):
        """A pin some pixels below the line, as the page gives it to the map."""
        return self.browser.run("""
            const [number, meters, dy] = arguments;
            const { x, y } = line.placeAt(meters);
            return { number, x, y: y + dy / camera.worldSize };""", number, meters, dy)

    def test_a_pin_that_was_clicked_stays_chosen_until_the_map_is(self):
        self.open_fresh()
        pins = [self.pin(1, 500), self.pin(2, 1000), self.pin(3, 1500)]
        self.browser.run("map.setPins(arguments[0])", pins)
        (x, y), (other, _) = [self.browser.run("return pixelOf(arguments[0])", pin) for pin in pins[:2]]
        self.assert_color(x, y, "accent")
        self.click(x, y)
        self.assertEqual(self.browser.run("return told.chosen"), [1])
        self.assert_color(x, y, "track")
        self.move(other, y)
        self.assertEqual(self.browser.run("return told.over.at(-1)"), 2)
        self.assert_color(other, y, "track")
        self.move(other, y + 60)
        self.assertEqual(self.browser.run("return told.over.at(-1)"), 1)
        self.assert_color(x, y, "track")
        self.click(other, y + 60)
        self.assertIsNone(self.browser.run("return told.over.at(-1)"))
        self.assert_color(x, y, "accent")

    def test_pins_are_thumbnails_and_clusters_have_a_count(self):
        self.open_fresh()
        pins = [{**self.pin(number, meters), "image": image} for number, meters, image in (
            (1, 500, "/photos/sample/s1x2.jpg"), (2, 510, ""), (3, 1500, ""))]
        self.browser.run("map.setPins(arguments[0])", pins)
        (x, y), (alone, _) = [self.browser.run("return pixelOf(arguments[0])", pin) for pin in pins[::2]]
        edge, land = self.browser.run("return ['mat', 'land'].map(token)")
        self.browser.wait(lambda: self.color(x, y - 65) == edge, "the edge of a thumbnail")
        self.assertNotIn(self.color(x, y - 44), (edge, land))
        # The stem, and beside it.
        self.assert_color(x, y - 16, "text")
        self.assert_color(x + 6, y - 16, "land")
        self.assert_color(x + 26, y - 61, "text")
        self.assert_color(alone, y - 16, "land")
        self.assert_color(alone, y - 65, "land")
        self.click(x, y - 50)
        self.assertEqual(self.browser.run("return told.chosen"), [1])

    def test_every_photo_is_drawn_or_counted_at_every_zoom(self):
        self.open_fresh()
        sums = self.browser.run(LOAD + """
            return (async () => {
              const { Pins } = await load('pins.mjs');
              const pins = new Pins();
              const seed = (number) => ((number * 7919) % 1000) / 1e7;
              pins.set(Array.from({ length: 2000 }, (_, number) =>
                ({ number, x: 0.5 + seed(number), y: 0.3 + seed(number * 31) })));
              return [1, 5.5, 12.25, 18].map((zoom) => {
                const side = 256 * 2 ** zoom;
                const clusters = pins.clusters({ zoom, x: 0.50005, y: 0.30005, half: { x: 1e-4, y: 1e-4 }, worldSize: side });
                const crowded = clusters.some(({ pin: a }, index) => clusters.slice(index + 1).some(
                  ({ pin: b }) => Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y)) * side < 47.99));
                return [clusters.reduce((sum, { count }) => sum + count, 0), crowded];
              });
            })();""")
        self.assertEqual(sums, [[2000, False]] * 4)


class TouchTests(MapTestCase):
    def setUp(self):
        super().setUp()
        self.browser.resize(390, 844)
        self.browser.driver.execute_cdp_cmd(
            "Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 2})
        self.addCleanup(
            self.browser.driver.execute_cdp_cmd, "Emulation.setTouchEmulationEnabled", {"enabled": False})

    def touch(self, kind, *points):
        box = self.box()
        self.browser.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {
            "type": kind,
            "touchPoints": [{"x": box["left"] + x, "y": box["top"] + y, "id": number}
                            for number, (x, y) in enumerate(points)]})

    def test_one_finger_scrolls_the_page_and_shows_a_hint(self):
        self.open_fresh()
        hint = self.browser.one("[data-hint]")
        self.assertFalse(hint.is_displayed())
        self.touch("touchStart", (200, 200))
        for step in range(1, 12):
            self.touch("touchMove", (200, 200 - 12 * step))
        self.browser.wait(hint.is_displayed, "the hint")
        self.touch("touchEnd")
        self.browser.wait(lambda: self.browser.run("return scrollY") > 0, "the page to scroll")
        self.assertFalse(self.browser.one('[data-map="fit"]').is_displayed())
        self.browser.wait(lambda: not hint.is_displayed(), "the hint to go")

    def test_two_fingers_move_and_zoom_the_map_and_the_page_stays(self):
        self.open_fresh()
        x, y = self.browser.run("return pixelAt(0)")
        self.touch("touchStart", (x - 20, y), (x + 60, y))
        for step in range(1, 11):
            self.touch("touchMove", (x - 20, y + 4 * step), (x + 60 + 8 * step, y + 4 * step))
        self.touch("touchEnd")
        self.assertTrue(self.browser.one('[data-map="fit"]').is_displayed())
        self.assertEqual(self.browser.run("return scrollY"), 0)
        self.assertFalse(self.browser.one("[data-hint]").is_displayed())
        # Twice as far apart: what was a quarter of the way from finger to finger is so still.
        self.assert_color(x + 20, y + 40, "card")

    def test_a_tap_chooses(self):
        self.open_fresh()
        self.browser.run("""
            const { x, y } = line.placeAt(1000);
            window.pin = { number: 7, x, y: y + 60 / camera.worldSize };
            map.setPins([pin]);""")
        x, y = self.browser.run("return pixelOf(pin)")
        self.touch("touchStart", (x + 12, y + 12))
        self.touch("touchEnd")
        self.browser.wait(lambda: self.browser.run("return told.chosen") == [7], "the choice")
        self.assert_color(x, y, "track")


class StreetMapTests(MapTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.end()
        super().tearDownClass()

    def setUp(self):
        super().setUp()
        self.open()
        self.browser.run("localStorage.clear()")
        self.open()
        self.browser.flush()

    def open(self):
        self.browser.open(self.page.address + CITY)
        self.browser.wait_for(".map canvas:not([hidden])")

    @property
    def switch(self):
        return self.browser.one('[data-map="street"]')

    def is_on(self):
        return self.switch.get_attribute("aria-pressed") == "true"

    @property
    def offer(self):
        return self.browser.one("[data-tiles-offer]")

    def answer(self, value):
        self.offer.find_element("css selector", f'[value="{value}"]').click()
        self.assertFalse(self.offer.is_displayed())

    def credit(self):
        return self.browser.one("[data-tiles-credit]")

    def test_nothing_is_asked_for_before_consent(self):
        own = self.page.address.removeprefix("http://")
        for width, height in ((1440, 900), (390, 844)):
            self.browser.resize(width, height)
            self.browser.run("localStorage.clear()")
            self.open()
            self.assertTrue(self.offer.is_displayed())
            self.assertFalse(self.is_on())
            self.press("street")
            self.assertFalse(self.is_on())
            self.answer("off")
            self.assertFalse(self.is_on())
            self.assertFalse(self.credit().is_displayed())
            self.press("in")
            # After the map is drawn, a request up to which the log is complete.
            self.browser.run("""
                return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
                  .then(() => fetch("/about")).then((response) => response.text());""")
            self.assertEqual(self.browser.hosts(), {own})
        self.assertEqual(self.browser.console(), [])

    def test_consent_is_asked_for_once_and_the_switch_is_remembered(self):
        self.answer("on")
        self.assertTrue(self.is_on())
        self.browser.wait(lambda: TILES in self.browser.hosts(), "the tiles to be asked for")
        link = self.credit().find_element("css selector", "a")
        self.assertEqual(link.text, "© OpenStreetMap contributors")
        self.assertEqual(link.get_attribute("href"), "https://www.openstreetmap.org/copyright")
        self.open()
        self.assertTrue(self.is_on())
        self.assertFalse(self.offer.is_displayed())
        self.press("street")
        self.assertFalse(self.is_on())
        self.assertFalse(self.credit().is_displayed())
        self.open()
        self.assertFalse(self.is_on())
        self.assertFalse(self.offer.is_displayed())
        self.browser.flush()
        self.press("in")
        self.assertNotIn(TILES, self.browser.hosts())
        self.press("street")
        self.assertTrue(self.is_on())

    def test_staying_offline_is_remembered_and_can_be_changed(self):
        self.answer("off")
        self.assertEqual(self.browser.run("return document.activeElement.dataset.map"), "street")
        self.open()
        self.assertFalse(self.offer.is_displayed())
        self.assertFalse(self.is_on())
        self.press("street")
        self.assertTrue(self.is_on())

    def test_the_switch_leads_to_the_question(self):
        self.press("street")
        self.assertEqual(self.browser.run("return document.activeElement.value"), "on")

    def test_without_scripts_nothing_is_offered(self):
        self.browser.block_scripts(True)
        self.addCleanup(self.browser.block_scripts, False)
        self.browser.open(self.page.address + CITY)
        self.assertFalse(self.offer.is_displayed())

    def test_tiles_are_asked_for_with_the_origin_of_the_page_and_no_more(self):
        self.answer("on")
        self.browser.run("""
            window.images = [];
            const Old = Image;
            window.Image = class extends Old { constructor() { super(); images.push(this); } };""")
        self.press("in")
        referers = self.browser.wait(
            lambda: self.browser.run("return images.map((image) => image.referrerPolicy)"), "the tiles")
        self.assertEqual(set(referers), {"origin"})

    def test_switch_and_question_are_readable(self):
        for scheme in ("light", "dark"):
            with self.subTest(scheme=scheme):
                self.browser.use_scheme(scheme)
                self.browser.run("localStorage.clear()")
                self.open()
                self.assertIn("openstreetmap.org", self.offer.text)
                self.assertEqual(self.switch.accessible_name, "Street map")
                self.assertEqual(self.browser.run(CONTROLS) + self.browser.run(CONTRAST), [])
                self.answer("on")
                self.assertEqual(self.browser.run(CONTRAST), [])


class TileTests(MapTestCase):
    @classmethod
    def setUpClass(cls):
        cls.tile = (242, 239, 233)
        cls.server = Stub(lambda path: (200, picture(cls.tile)))
        cls.arguments = ("--tiles", cls.server.address + "/{z}/{x}/{y}.png",
                         "--tiles-attribution", "© The Mapmakers")
        super().setUpClass()

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        cls.server.end()

    def colors(self, *points):
        return self.browser.run(COLORS_OF, self.browser.driver.get_screenshot_as_base64(), points)

    def wait_for_tile(self):
        box = self.box()
        corner = (box["width"] * 0.5, box["height"] * 0.2)
        self.browser.wait(lambda: self.colors(corner)[0] == list(self.tile), "the tiles")

    def test_tiles_of_the_command_line_are_shown_and_can_be_switched_off(self):
        for scheme in ("light", "dark"):
            for width, height in ((1440, 900), (390, 844)):
                with self.subTest(scheme=scheme, width=width):
                    self.browser.use_scheme(scheme)
                    self.browser.resize(width, height)
                    self.open()
                    self.wait_for_tile()
                    self.assertEqual(self.browser.text("[data-tiles-credit]"), "© The Mapmakers")
                    self.press("street")
                    corner = (self.box()["width"] * 0.5, self.box()["height"] * 0.2)
                    self.browser.wait(lambda: self.colors(corner)[0] != list(self.tile), "the ground")
                    self.assertFalse(self.browser.one("[data-tiles-credit]").is_displayed())
                    self.press("street")
        self.assertEqual(self.server.referers, {self.page.address + "/"})
        self.assertEqual(self.browser.console(), [])

    def test_tiles_that_cannot_be_loaded_are_told_and_the_ground_stays(self):
        answer = self.server.answer
        self.addCleanup(setattr, self.server, "answer", answer)
        self.addCleanup(self.browser.driver.execute_cdp_cmd, "Network.clearBrowserCache", {})
        self.browser.driver.execute_cdp_cmd("Network.clearBrowserCache", {})
        self.server.answer = lambda path: (503, "")
        self.open_fresh()
        lost = self.browser.one(".lost")
        self.browser.wait(lost.is_displayed, "the failure")
        # A strip without the track.
        strip = "return [...new Set(Array.from({ length: 400 }, (_, x) => color(x, 12).join()))]"
        self.browser.run("return frame()")
        self.assertEqual(self.browser.run(strip), [",".join(map(str, self.browser.run("return token('land')")))])
        self.server.answer = answer
        # They are tried again when the view moves, a second later at the earliest.
        self.browser.wait(lambda: self.press("in") or not lost.is_displayed(), "the tiles")

    def test_the_planned_line_contrasts_with_any_tile(self):
        tile = self.tile
        self.addCleanup(setattr, type(self), "tile", tile)
        for scheme in ("light", "dark"):
            for color in ((255, 255, 255), (0, 0, 0), (181, 57, 10), (255, 154, 92), (128, 128, 128)):
                with self.subTest(scheme=scheme, tile=color):
                    type(self).tile = color
                    self.browser.use_scheme(scheme)
                    self.browser.driver.execute_cdp_cmd("Network.clearBrowserCache", {})
                    self.open_fresh()
                    self.wait_for_tile()
                    x, y = self.browser.run("return pixelAt(700)")
                    line, *edges = self.colors((x, y), *((x, y + dy) for dy in (-4, -3, -2, 2, 3, 4)))
                    for side in (edges[:3], edges[3:]):
                        self.assertGreaterEqual(max(contrast(line, color) for color in side), 3)


class TileFileTests(MapTestCase):
    """A file with tiles up to zoom 11, all of one color."""

    COLOR = (208, 224, 196)

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        file = Path(folder.name) / "region.mbtiles"
        with contextlib.closing(sqlite3.connect(file)) as database, database:
            database.execute("CREATE TABLE metadata (name TEXT, value TEXT)")
            database.execute("""CREATE TABLE tiles (
                zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB)""")
            database.executemany("INSERT INTO metadata VALUES (?, ?)", [
                ("format", "png"), ("bounds", "12,52,14,53"),
                ("attribution", '© <a href="https://maps.example/">Makers</a>')])
            for zoom in range(8, 12):
                columns, rows = ([tile(zoom, place)[axis] for place in ((53, 12), (52, 14))] for axis in (0, 1))
                database.executemany("INSERT INTO tiles VALUES (?, ?, ?, ?)", [
                    (zoom, column, 2**zoom - 1 - row, picture(cls.COLOR))
                    for column in range(columns[0], columns[1] + 1) for row in range(rows[0], rows[1] + 1)])
        cls.arguments = ("--tiles", str(file))
        super().setUpClass()

    def open(self):
        self.browser.open(self.page.address + CITY)

    def has_tiles(self):
        box = self.box()
        corner = (box["width"] * 0.3, box["height"] * 0.2)
        shot = self.browser.driver.get_screenshot_as_base64()
        return self.browser.run(COLORS_OF, shot, [corner])[0] == list(self.COLOR)

    def test_the_deepest_tiles_are_enlarged_and_nothing_is_asked(self):
        self.open()
        self.browser.flush()
        self.browser.wait(self.has_tiles, "the tiles")
        self.assertEqual(self.browser.all("[data-tiles-offer]"), [])
        self.assertEqual(self.browser.text("[data-tiles-credit]"), "© Makers")
        for _ in range(4):
            self.press("in")
        self.browser.wait_until_idle()
        self.assertTrue(self.has_tiles())
        self.assertEqual(self.browser.console(), [])

    def test_without_a_tile_the_ground_stays(self):
        self.open()
        self.browser.wait(self.has_tiles, "the tiles")
        for _ in range(8):
            self.press("out")
        self.browser.wait(lambda: not self.has_tiles(), "the ground")
        self.assertFalse(self.browser.one(".lost").is_displayed())
        self.assertEqual(self.browser.console(), [])


def tile(zoom, place):
    """The column and the row, counted from the northwest, of the tile at a latitude and longitude."""
    latitude, longitude = place
    y = 0.5 - math.asinh(math.tan(math.radians(latitude))) / math.tau
    return int((longitude / 360 + 0.5) * 2**zoom), int(y * 2**zoom)
