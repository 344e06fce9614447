import FaketrackFeatures
import Geodesy
import Testing

@testable import FaketrackTerminal

@Suite struct BrailleCanvasTests {
  private func text(_ columns: Int, _ rows: Int, _ draw: (inout BrailleCanvas) -> Void) -> String {
    let size = CellSize(columns: columns, rows: rows)
    var canvas = BrailleCanvas(size: size)
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
    let dot = BrailleCanvas.Dot(x: 20, y: 10)
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
