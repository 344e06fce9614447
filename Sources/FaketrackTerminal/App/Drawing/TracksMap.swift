import Cities
import FaketrackFeatures

/// The map of the tracks of a list.
struct TracksMap: SideMap {
  /// The approximate number of points on the map, at most; many tracks have fewer points each.
  private static let pointLimit = 250_000

  var fillsScreen = false
  private var ground: MapGround
  private var tracks: [TrackCatalog.Entry] = []
  private var size = CellSize(columns: 0, rows: 0)
  /// The paths of tracks by their ids, which are kept for the next filter.
  private var paths: [Int: WalkPath] = [:]
  /// The tracks that stand out, the walked one and then the chosen one, whose ink is the accent.
  private var marked: [(track: TrackCatalog.Entry, path: WalkPath, ink: CellStyle.Ink)] = []

  /// The view of all tracks.
  private var overview: MapCamera?
  /// The steps of zoom, each of which halves the visible part.
  private var steps = 0
  private var camera: MapCamera?
  /// The tracks as the camera sees them, with their ids as ranks; receivers' tracks, which grow, are drawn later.
  private var canvas = DotCanvas(size: CellSize(columns: 0, rows: 0))
  private var drawn: Set<Int> = []

  init(of index: CityIndex) {
    ground = MapGround(of: index, limit: 120)
  }

  mutating func zoom(closer: Bool) {
    guard let camera, !closer || camera.closer(by: 2) != camera else { return }
    steps = max(0, steps + (closer ? 1 : -1))
  }

  /// Shows some of all tracks, if the map is visible; the walked and the chosen one stand out.
  mutating func show(
    _ tracks: [TrackCatalog.Entry], of all: [TrackCatalog.Entry], walked: Int?, chosen: Int?,
    in area: CellArea
  ) {
    guard area.rows > 0 else { return camera = nil }
    if tracks != self.tracks || area.size != size {
      if area.size != size || !drawn.isSubset(of: tracks.map(\.id)) { camera = nil }
      if area.size != size { overview = nil }
      (self.tracks, size) = (tracks, area.size)
      project(all)
      fit()
    }
    marked = [(walked, .positive), (chosen, .accent)].compactMap { id, ink in
      guard let track = tracks.first(where: { $0.id == id }), let shape = track.shape.value,
        !shape.points.isEmpty
      else { return nil }
      return (track, marked.first { $0.path.shape == shape }?.path ?? WalkPath(shape), ink)
    }
    look()
  }

  private mutating func project(_ all: [TrackCatalog.Entry]) {
    let known = paths
    paths = [:]
    for track in all {
      guard let shape = track.shape.value, !shape.points.isEmpty else { continue }
      var path = known[track.id] ?? WalkPath()
      path.project(shape, step: 1 + shape.points.count * all.count / Self.pointLimit)
      paths[track.id] = path
    }
  }

  /// Fits the view to the tracks, unless they are in it and take half of it: it is calm while tracks are being read.
  private mutating func fit() {
    let boxes = tracks.compactMap { paths[$0.id]?.box }
    guard let middle = overview?.center ?? boxes.first?.middle else { return overview = nil }
    let corners = boxes.map { $0.nearest(to: middle) }.flatMap { [$0.first, $0.last] }
    let fitting = MapCamera(showing: corners, in: size)
    if let overview, corners.allSatisfy({ overview.shows($0, in: size) }),
      fitting.dotSize > overview.dotSize / 2
    {
      return
    }
    overview = boxes.isEmpty ? nil : fitting
  }

  /// Looks at all tracks, or closer at the chosen one.
  private mutating func look() {
    var camera = overview
    if steps > 0, let overview {
      let factor = Double(sign: .plus, exponent: steps, significand: 1)
      let closer = overview.closer(by: factor, at: marked.last?.path.box?.middle)
      // The track of a receiver grows: its middle moves.
      let stays = self.camera.map {
        $0.dotSize == closer.dotSize && $0.shows(closer.center, in: size, part: 1 / 3)
      }
      camera = stays == true ? self.camera : closer
    }
    if camera != self.camera { (canvas, drawn) = (DotCanvas(size: size), []) }
    self.camera = camera
    guard let camera else { return }
    for track in tracks where !track.isLive && !drawn.contains(track.id) {
      guard let box = paths[track.id]?.box else { continue }
      drawn.insert(track.id)
      canvas.draw(line(of: track), from: camera, rank: track.id)
      if box.last.x - box.first.x < 2 * camera.dotSize,
        box.last.y - box.first.y < 4 * camera.dotSize
      {
        let middle = camera.dot(of: box.middle.nearest(to: camera.center), in: size)
        canvas.fillCell(with: middle, .plain, rank: track.id)
      }
    }
    ground.look(from: camera, in: size)
  }

  private func line(of track: TrackCatalog.Entry) -> MapDrawing.Line {
    .init(points: paths[track.id]?.points ?? [], ink: .plain)
  }

  /// The lines above the canvas, with their tracks: receivers' tracks, then the tracks that stand out.
  private var lines: [(track: Int, line: MapDrawing.Line)] {
    tracks.filter(\.isLive).map { ($0.id, line(of: $0)) }
      + marked.map { ($0.track.id, .init(points: $0.path.points, ink: $0.ink)) }
  }

  /// The track at a cell, or else beside it.
  func track(at place: CellPosition, in area: CellArea) -> Int? {
    guard let camera else { return nil }
    var canvas = canvas
    let lines = lines
    let firstLine = Int.max - lines.count
    for (number, line) in lines.enumerated() {
      canvas.draw(line.line, from: camera, rank: firstLine + number)
    }
    let (column, row) = (place.column - area.column, place.row - area.row)
    let near = (row - 1...row + 1).lazy.flatMap { row in
      (column - 1...column + 1).lazy.compactMap { canvas.rank(column: $0, row: row) }
    }
    let rank = canvas.rank(column: column, row: row) ?? near.first
    return rank.map { $0 < firstLine ? $0 : lines[$0 - firstLine].track }
  }

  func draw(in frame: inout Frame, at area: CellArea) {
    guard let camera, area.rows > 0 else { return }
    var drawing = MapDrawing(camera: camera, ground: ground, canvas: canvas, cities: ground.cities)
    drawing.lines = lines.map(\.line)
    if let last = marked.last, last.ink == .accent, let start = last.path.points.first {
      drawing.marks = [
        .init(
          point: start.point, character: "●", style: CellStyle(ink: last.ink, isBold: true),
          name: last.track.title.safeForTerminal)
      ]
    }
    drawing.draw(in: &frame, at: area)
  }
}
