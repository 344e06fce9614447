import CPage
import FaketrackFeatures
import Geodesy

/// The coasts, lakes and borders of the world: closed lines that are accurate to a kilometer.
struct WorldOutlines: Sendable {
  private struct Ring {
    let points: [WebMercator.Point]
    let box: PlaneBox
  }

  /// The outlines of the page.
  private static let embedded = WorldOutlines(
    (0..<page_resource_count()).lazy.map(page_resource_at)
      .first { String(cString: $0.name) == "map/world.bin" }
      .map { UnsafeRawBufferPointer(start: $0.bytes, count: $0.count) }
      ?? .init(start: nil, count: 0))

  /// The sizes of a dot between which the outlines fade, as they have no more detail.
  private static let fading = 4e-6...1.5e-5

  private let rings: [Ring]

  /// Reads groups of rings: the number of rings, then each ring as the number of its points and the steps between
  /// them in hundredths of a degree. `outlines.mjs` reads the same for the page.
  private init(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes[...]
    func number() -> Int {
      var (value, shift) = (0, 0)
      while let byte = rest.popFirst() {
        value |= Int(byte & 0x7F) << shift
        if byte < 0x80 { break }
        shift += 7
      }
      return value
    }
    func step() -> Int {
      let value = number()
      return value % 2 == 0 ? value / 2 : -(value + 1) / 2
    }
    var rings: [Ring] = []
    while !rest.isEmpty {
      for _ in 0..<number() {
        var points: [WebMercator.Point] = []
        var (longitude, latitude) = (0, 0)
        for _ in 0..<number() {
          longitude += step()
          latitude += step()
          // Some lines go on beyond the date line.
          var point = WebMercator.Point(
            Coordinate(validLatitude: Double(latitude) / 100, longitude: 0))
          point.x = Double(longitude + 18_000) / 36_000
          points.append(point)
        }
        if let box = points.box { rings.append(Ring(points: points, box: box)) }
      }
    }
    self.rings = rings
  }

  /// Draws what a camera shows, faintly.
  static func draw(from camera: MapCamera, in canvas: inout DotCanvas) {
    guard camera.dotSize > fading.lowerBound else { return }
    let size = canvas.size
    let start = camera.point(at: .init(x: 0, y: 0), in: size)
    let end = camera.point(
      at: .init(x: Double(canvas.width), y: Double(canvas.height)), in: size)
    for ring in embedded.rings where ring.box.first.y <= end.y && ring.box.last.y >= start.y {
      // The world repeats itself.
      var turn = (start.x - ring.box.last.x).rounded(.up)
      while ring.box.first.x + turn <= end.x {
        draw(ring, turn: turn, from: camera, in: &canvas)
        turn += 1
      }
    }
    if camera.dotSize < fading.upperBound { canvas.thin() }
  }

  private static func draw(
    _ ring: Ring, turn: Double, from camera: MapCamera, in canvas: inout DotCanvas
  ) {
    var last: DotCanvas.Dot?
    var before = WebMercator.Point(x: -1, y: -1)
    for point in ring.points + ring.points.prefix(1) {
      // Lands end at the date line and the lower edge, where there is no coast.
      if point.x == before.x && [0, 1].contains(point.x) || min(point.y, before.y) > 0.999 {
        last = nil
      }
      before = point
      let dot = camera.dot(of: .init(x: point.x + turn, y: point.y), in: canvas.size)
      if let last {
        // Most points of a whole continent are in one dot with the point before.
        if abs(dot.x - last.x) < 0.5, abs(dot.y - last.y) < 0.5 { continue }
        canvas.line(from: last, to: dot, .faint)
      }
      last = dot
    }
  }
}
