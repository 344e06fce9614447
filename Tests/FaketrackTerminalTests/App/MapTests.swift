import Cities
import FaketrackFeatures
import GPX
import Geodesy
import Testing
import WorldCities

@testable import FaketrackTerminal

@Suite struct DotCanvasTests {
  private func text(_ columns: Int, _ rows: Int, _ draw: (inout DotCanvas) -> Void) -> String {
    let size = CellSize(columns: columns, rows: rows)
    var canvas = DotCanvas(size: size)
    draw(&canvas)
    var frame = Frame(size: size)
    canvas.draw(in: &frame, at: frame.area)
    return frame.text
  }

  @Test(arguments: [
    (0, 0, "⠁"), (0, 1, "⠂"), (0, 2, "⠄"), (0, 3, "⡀"), (1, 0, "⠈"), (1, 1, "⠐"), (1, 2, "⠠"),
    (1, 3, "⢀"),
  ])
  func eachDotHasItsPlace(x: Int, y: Int, character: String) {
    let drawn = text(1, 1) { $0.set(x, y, .plain) }
    #expect(drawn == character)
  }

  @Test func linesGoAsFarAsTheCanvas() {
    for (columns, start, end, expected) in [
      (4, (-1e9, 2.0), (1e9, 2.0), "⠤⠤⠤⠤"), (4, (0, 9), (8, 5), ""), (1, (0, 0), (0, 3), "⡇"),
      (1, (.nan, 0), (1, 1), ""),
    ] {
      let drawn = text(columns, 1) { canvas in
        canvas.line(
          from: .init(x: start.0, y: start.1), to: .init(x: end.0, y: end.1), .plain)
      }
      #expect(drawn == expected)
    }
  }

  @Test(arguments: [
    (MapGlyphs.blocks, "▀▄█▌"), (.ascii, "\"_#|"),
  ])
  func terminalsWithoutBrailleHaveOtherCharacters(glyphs: MapGlyphs, expected: String) {
    var canvas = DotCanvas(size: CellSize(columns: 4, rows: 1))
    for x in [0, 1] { canvas.set(x, 0, .plain) }
    for x in [2, 3] { canvas.set(x, 3, .plain) }
    for (x, y) in [(4, 0), (4, 3), (5, 0), (5, 3), (6, 1), (6, 2)] { canvas.set(x, y, .plain) }
    var frame = Frame(size: canvas.size, glyphs: glyphs)
    canvas.draw(in: &frame, at: frame.area)
    #expect(frame.text == expected)
  }

  @Test(
    arguments: [
      ([:], MapGlyphs.braille), (["LANG": "de_DE.UTF-8", "TERM": "xterm-256color"], .braille),
      (["LANG": "C"], .ascii), (["LC_ALL": "C", "LANG": "de_DE.UTF-8"], .ascii),
      (["LC_ALL": "", "LANG": "C.utf8"], .braille),
      (["LANG": "de_DE.UTF-8", "TERM": "linux"], .blocks),
      (["LANG": "de_DE.UTF-8", "TERM": "vt100"], .ascii), (["LANG": "C", "TERM": "linux"], .ascii),
    ] as [([String: String], MapGlyphs)])
  func theTerminalDecidesAboutTheCharacters(environment: [String: String], glyphs: MapGlyphs) {
    #expect(MapGlyphs(environment: environment) == glyphs)
  }

  @Test func everyCharacterHasOneInASCIIOfTheSameWidth() {
    for character in "…·×–—’‘“”─├┤▶★●◆◇•←↑→↓↖↗↘↙°ßéÅ東👍abc" as String {
      let text = character.inASCII
      #expect(text.utf8.count == character.columns && text.utf8.allSatisfy { $0 < 0x80 }, "\(text)")
    }
    #expect("é".first?.inASCII == "e" && "●".first?.inASCII == "@")
  }

  @Test func dotsOutsideAreLeftOut() {
    let drawn = text(1, 1) { canvas in
      for (x, y) in [(-1, 0), (0, -1), (2, 0), (0, 4)] { canvas.set(x, y, .plain) }
    }
    #expect(drawn == "")
  }
}

@Suite struct MapCameraTests {
  private let size = CellSize(columns: 60, rows: 20)

  private func point(_ latitude: Double, _ longitude: Double) -> WebMercator.Point {
    WebMercator.Point(Coordinate(validLatitude: latitude, longitude: longitude))
  }

  @Test(arguments: [(0.0, 0.0), (52.4, 13.06), (-33.9, 151.2), (85, -180), (-85, 179.9)])
  func placesComeBack(latitude: Double, longitude: Double) {
    let back = point(latitude, longitude).coordinate
    #expect(abs(back.latitude - latitude) < 1e-9 && abs(back.longitude - longitude) < 1e-9)
  }

  @Test func showsAllOfALine() {
    let line = [point(52.3, 13.0), point(52.5, 13.4)]
    let camera = MapCamera(showing: line, in: size)
    for place in line {
      let dot = camera.dot(of: place, in: size)
      #expect((0..<120.0).contains(dot.x) && (0..<80.0).contains(dot.y))
    }
    let box = camera.box(in: size)
    #expect(box.minimumLatitude < 52.3 && box.maximumLatitude > 52.5)
    #expect(box.minimumLongitude < 13 && box.maximumLongitude > 13.4)
  }

  @Test func aLineAcrossTheDateLineStaysInOnePiece() {
    let coordinates = [179.9, -179.9, -179.8].map { Coordinate(validLatitude: 10, longitude: $0) }
    let line = [WebMercator.Point](line: coordinates)
    #expect(line[1].x - line[0].x < 0.001 && line[1].x > line[0].x)
    let camera = MapCamera(showing: line, in: size)
    #expect(camera.box(in: size).crossesDateLine)
    #expect(point(10, -179.9).nearest(to: camera.center).x > 1)
  }

  @Test func zoomingKeepsThePlaceUnderTheCursor() {
    var camera = MapCamera(
      around: Coordinate(validLatitude: 52, longitude: 13), radius: 5_000, in: size)
    let dot = DotCanvas.Dot(x: 20, y: 10)
    let before = camera.point(at: dot, in: size).coordinate
    camera.zoom(by: 4, at: dot, in: size)
    let after = camera.point(at: dot, in: size).coordinate
    #expect(abs(after.latitude - before.latitude) < 1e-9)
    #expect(abs(after.longitude - before.longitude) < 1e-9)
  }

  @Test func itGoesNoFurtherThanTheWorld() {
    var camera = MapCamera(showing: [], in: size)
    for _ in 0..<100 { camera.zoom(by: 0.5, at: .init(x: 0, y: 0), in: size) }
    for _ in 0..<100 { camera.move(columns: 1_000, rows: 1_000) }
    let box = camera.box(in: size)
    #expect(box.minimumLatitude >= -90 && box.maximumLatitude <= 90)
    #expect(box.minimumLongitude >= -180 && box.maximumLongitude <= 180)
  }
}

@Suite struct MapGroundTests {
  private let size = CellSize(columns: 40, rows: 12)

  private func outlines(_ camera: MapCamera) -> String {
    var ground = MapGround(of: .world, limit: 0)
    ground.look(from: camera, in: size)
    var frame = Frame(size: size)
    ground.outlines.draw(in: &frame, at: frame.area)
    return frame.text.filter { $0 != "\n" && $0 != " " }
  }

  private func camera(_ latitude: Double, _ longitude: Double, radius: Double) -> MapCamera {
    MapCamera(
      around: Coordinate(validLatitude: latitude, longitude: longitude), radius: radius, in: size)
  }

  @Test func coastsFadeWhereTheyHaveNoDetail() {
    let counts = [200_000.0, 10_000, 1_000].map { radius in
      outlines(camera(54.4, 13.4, radius: radius)).unicodeScalars
        .reduce(0) { $0 + ($1.value - 0x2800).nonzeroBitCount }
    }
    #expect(counts[0] > 100)
    #expect(counts[2] == 0)
    #expect(counts[1] < counts[0])
  }

  @Test func landsEndAtTheDateLineWithoutACoast() {
    // In the northeast of Siberia, and on the ice of Antarctica.
    for latitude in [67.5, -87] {
      #expect(outlines(camera(latitude, 180, radius: 30_000)).isEmpty)
    }
  }

  @Test func theWorldRepeatsItself() {
    for longitude in [-180.0, -179, 0, 179, 180] {
      #expect(outlines(camera(10, longitude, radius: 6_000_000)).count > 50)
    }
    var camera = MapCamera(showing: [], in: size)
    let before = outlines(camera)
    let width = Int((1 / camera.dotSize / 2).rounded())
    camera.move(columns: width * 5, rows: 0)
    #expect(abs(outlines(camera).count - before.count) < 20)
  }

  @Test func theMapOfACityMovesWhenTheChoiceLeavesItsMiddle() throws {
    let index = CityIndex.world
    var map = CityMap(of: index, radius: 100_000)
    let area = CellArea(size: size)
    let potsdam = try #require(index[id: 2_852_458])
    map.update(around: potsdam, in: area)
    let camera = map.drawing(around: potsdam, in: area).camera
    let cities = index.nearest(400, to: potsdam.coordinate).map(\.city)
    for city in cities {
      var map = map
      map.update(around: city, in: area)
      let drawing = map.drawing(around: city, in: area)
      let cell = try #require(drawing.cell(of: WebMercator.Point(city.coordinate), in: area))
      #expect((13...27).contains(cell.column) && (3...8).contains(cell.row))
    }
    let moved = cities.filter { city in
      var map = map
      map.update(around: city, in: area)
      return map.drawing(around: city, in: area).camera != camera
    }
    #expect(!moved.isEmpty && moved.count < cities.count)
  }
}

@Suite struct TracksMapTests {
  private let area = CellArea(column: 60, row: 2, size: CellSize(columns: 40, rows: 20))

  /// A track of some kilometers to the east.
  private func track(
    _ id: Int, from latitude: Double, _ longitude: Double, kilometers: Int = 1, isLive: Bool = false
  ) throws -> TrackCatalog.Entry {
    let points = (0...kilometers).map { longitude + 0.0147 * Double($0) }.map {
      "<trkpt lat=\"\(latitude)\" lon=\"\($0)\"/>"
    }
    let gpx = "<gpx><trk><name>Walk \(id)</name><trkseg>\(points.joined())</trkseg></trk></gpx>"
    let input = GPXInput.bytes(Array(gpx.utf8), name: "\(id).gpx")
    return TrackCatalog.Entry(
      id: id, name: "\(id).gpx", shape: .loaded(try TrackShape(reading: Track(input))),
      isLive: isLive)
  }

  private func frame(_ map: TracksMap) -> Frame {
    var frame = Frame(size: CellSize(columns: 100, rows: 24))
    map.draw(in: &frame, at: area)
    return frame
  }

  /// The cells with lines, by their color.
  private func lines(_ map: TracksMap) -> [CellStyle.Ink: [CellPosition]] {
    let frame = frame(map)
    let cells = (0..<24).flatMap { row in (0..<100).map { CellPosition(column: $0, row: row) } }
    return Dictionary(
      grouping: cells.filter { cell in
        guard let scalar = frame[cell.column, cell.row].text?.unicodeScalars.first else {
          return false
        }
        return (0x2801...0x28FF).contains(scalar.value)
      }
    ) { frame[$0.column, $0.row].style.ink }
  }

  @Test func allTracksAreOnTheMapAndTheWalkedAndTheChosenOneStandOut() throws {
    var map = TracksMap(of: .world)
    let tracks = try [52.40, 52.41, 52.42].enumerated().map { try track($0, from: $1, 13) }
    map.show(tracks, of: tracks, walked: 0, chosen: 1, in: area)
    let shown = lines(map)
    #expect(Set(shown.keys) == [.plain, .positive, .accent])
    // In the north the third one, in the south the first one.
    let rows = [CellStyle.Ink.plain, .accent, .positive].compactMap { shown[$0]?.first?.row }
    #expect(rows.count == 3 && rows == rows.sorted() && Set(rows).count == 3)
    #expect(shown.values.joined().allSatisfy { area.contains($0) })
    for (ink, id) in [(CellStyle.Ink.plain, 2), (.accent, 1), (.positive, 0)] {
      let cell = try #require(shown[ink]?.first)
      #expect(map.track(at: cell, in: area) == id)
    }
    #expect(map.track(at: CellPosition(column: area.column, row: area.row), in: area) == nil)
  }

  @Test func theMapFitsTracksThatAreAddedAndRemoved() throws {
    var map = TracksMap(of: .world)
    let near = try track(1, from: 52.4, 13)
    let far = try track(2, from: 48.1, 11.5)
    map.show([near], of: [near], walked: nil, chosen: nil, in: area)
    let wide = try #require(lines(map)[.plain]?.count)
    map.show([near, far], of: [near, far], walked: nil, chosen: nil, in: area)
    let both = try #require(lines(map)[.plain])
    #expect(both.count < wide / 2 && Set(both.map(\.row)).count >= 2)
    map.show([far], of: [far], walked: nil, chosen: nil, in: area)
    #expect(lines(map)[.plain]?.count == wide)
    // Another size needs another view.
    let narrow = area.inset(left: 20)
    map.show([far], of: [far], walked: nil, chosen: nil, in: narrow)
    #expect(lines(map)[.plain].map { (10...wide / 2 + 1).contains($0.count) } == true)
    map.show([], of: [], walked: nil, chosen: nil, in: narrow)
    #expect(lines(map).isEmpty)
  }

  @Test func zoomingShowsTheChosenTrack() throws {
    var map = TracksMap(of: .world)
    let tracks = [try track(1, from: 52.4, 13), try track(2, from: 48.1, 11.5)]
    map.show(tracks, of: tracks, walked: nil, chosen: 2, in: area)
    let small = lines(map)[.accent]?.count ?? 0
    for _ in 0..<12 { map.zoom(closer: true) }
    map.show(tracks, of: tracks, walked: nil, chosen: 2, in: area)
    #expect(lines(map)[.accent].map { $0.count > small + 10 } == true)
    #expect(lines(map)[.plain] == nil)
    for _ in 0..<99 { map.zoom(closer: false) }
    map.show(tracks, of: tracks, walked: nil, chosen: 2, in: area)
    #expect(lines(map)[.accent]?.count ?? 0 == small)
  }

  @Test func whatIsZoomedInIsZoomedOutByAsManyKeys() throws {
    var map = TracksMap(of: .world)
    let tracks = [try track(1, from: 52.4, 13)]
    func press(_ count: Int, closer: Bool) {
      for _ in 0..<count {
        map.zoom(closer: closer)
        map.show(tracks, of: tracks, walked: nil, chosen: nil, in: area)
      }
    }
    map.show(tracks, of: tracks, walked: nil, chosen: nil, in: area)
    let all = frame(map)
    press(99, closer: true)
    let closest = frame(map)
    press(1, closer: false)
    #expect(frame(map) != closest)
    press(20, closer: false)
    #expect(frame(map) == all)
  }

  @Test func theTrackOfAReceiverGrowsAndGoes() throws {
    var map = TracksMap(of: .world)
    let fixed = try track(1, from: 52.4, 13, kilometers: 10)
    func show(_ tracks: [TrackCatalog.Entry]) -> Int? {
      map.show(tracks, of: tracks, walked: nil, chosen: nil, in: area)
      return lines(map)[.plain]?.count
    }
    let alone = try #require(show([fixed]))
    var counts = [alone]
    for kilometers in [2, 5, 8] {
      let live = try track(2, from: 52.42, 13, kilometers: kilometers, isLive: true)
      counts.append(try #require(show([fixed, live])))
    }
    #expect(counts == counts.sorted() && Set(counts).count == 4)
    let cell = try #require(lines(map)[.plain]?.min { $0.row < $1.row })
    #expect(map.track(at: cell, in: area) == 2)
    // Another recording begins.
    let empty = TrackCatalog.Entry(id: 2, name: "", shape: .loaded(TrackShape()), isLive: true)
    for tracks in [[fixed, empty], [fixed]] {
      #expect(show(tracks) == alone)
      #expect(map.track(at: cell, in: area) != 2)
    }
  }

  @Test func tracksOnBothSidesOfTheDateLineAreNeighbors() throws {
    var map = TracksMap(of: .world)
    let tracks = [try track(1, from: -17, 179.95), try track(2, from: -17, -179.95)]
    map.show(tracks, of: tracks, walked: nil, chosen: nil, in: area)
    let shown = try #require(lines(map)[.plain])
    #expect(shown.count > 4)
    #expect(Set(shown.compactMap { map.track(at: $0, in: area) }) == [1, 2])
  }

  @Test func aTrackThatIsADotFillsACell() throws {
    var map = TracksMap(of: .world)
    let tracks = [try track(1, from: 52.4, 13), try track(2, from: 35, 139)]
    map.show(tracks, of: tracks, walked: nil, chosen: nil, in: area)
    let cells = try #require(lines(map)[.plain])
    #expect(Set(cells.compactMap { map.track(at: $0, in: area) }) == [1, 2])
    let full = cells.filter { frame(map)[$0.column, $0.row].text == "⣿" }
    #expect(Set(full.compactMap { map.track(at: $0, in: area) }) == [1, 2])
  }

  @Test func manyTracksHaveTheirEndsAndGaps() throws {
    let segments = [13.0, 15].map { start in
      let points = (0...100).map { "<trkpt lat=\"52.4\" lon=\"\(start + 0.015 * Double($0))\"/>" }
      return "<trkseg>\(points.joined())</trkseg>"
    }
    let gpx = "<gpx><trk>\(segments.joined())</trk></gpx>"
    let shape = try TrackShape(reading: Track(.bytes(Array(gpx.utf8), name: "a.gpx")))
    let (all, some) = (WalkPath(shape).points, WalkPath(shape, step: 30).points)
    #expect(all.count == 202 && some.count == 10)
    let breaks = [all, some].map { points in points.indices.filter { points[$0].isBreak } }
    let (before, after) = (try #require(breaks[0].last), try #require(breaks[1].last))
    #expect(breaks.map(\.count) == [2, 2])
    for number in [-1, 0] {
      #expect(all[before + number].point == some[after + number].point)
    }
    #expect(all.last?.point == some.last?.point)
  }
}
