import Cities
import FaketrackFeatures

/// The map of the tracks of a list.
struct TracksMap: SideMap {
  var fillsScreen = false
  private var ground: MapGround
  private var tracks: [TrackCatalog.Entry] = []
  private var size = CellSize(columns: 0, rows: 0)
  /// The steps of zoom, each of which halves the visible part.
  private var steps = 0
  /// The tracks that stand out, the last one on top.
  private var marked: [(id: Int, path: WalkPath, ink: CellStyle.Ink)] = []

  /// The smallest rectangle with all tracks, and the view of it.
  private var overview: (box: PlaneBox, camera: MapCamera)?
  private var camera: MapCamera?
  /// The lines of ``drawn`` as the camera sees them: there may be very many tracks.
  private var canvas = DotCanvas(size: CellSize(columns: 0, rows: 0))
  private var drawn: Set<Int> = []

  init(of index: CityIndex) {
    ground = MapGround(of: index, limit: 120)
  }

  mutating func zoom(closer: Bool) { steps = max(0, steps + (closer ? 1 : -1)) }

  /// Shows tracks, if the map is visible; the walked and the chosen one stand out.
  mutating func show(
    _ tracks: [TrackCatalog.Entry], walked: Int?, chosen: Int?, in area: CellArea
  ) {
    guard area.rows > 0 else { return }
    if tracks != self.tracks || area.size != size {
      let isLess = !drawn.isSubset(of: tracks.map(\.id))
      if isLess || area.size != size { (overview, camera, drawn) = (nil, nil, []) }
      (self.tracks, size) = (tracks, area.size)
      addToOverview()
    }
    marked = [(walked, .positive), (chosen, .accent)].compactMap { id, ink in
      guard let shape = tracks.first(where: { $0.id == id })?.shape.value else { return nil }
      let known = marked.first { $0.path.shape == shape }?.path
      return id.map { ($0, known ?? WalkPath(shape), ink) }
    }
    guard var camera = overview?.camera else { return }
    if steps > 0, let box = marked.last?.path.box {
      let middle = camera.dot(of: box.middle, in: size)
      for _ in 0..<steps { camera.zoom(by: 2, at: middle, in: size) }
    }
    if camera != self.camera {
      self.camera = camera
      (canvas, drawn) = (DotCanvas(size: size), [])
    }
    for track in tracks where !drawn.contains(track.id) {
      guard let path = Self.path(of: track) else { continue }
      canvas.draw(.init(path, ink: .muted), from: camera, rank: -1)
      // The track of a receiver grows.
      if !track.isLive { drawn.insert(track.id) }
    }
    ground.look(from: camera, in: size)
  }

  private static func path(of track: TrackCatalog.Entry) -> WalkPath? {
    track.shape.value.flatMap { $0.points.isEmpty ? nil : WalkPath($0) }
  }

  /// Fits the view where a new track exceeds it.
  private mutating func addToOverview() {
    let boxes = tracks.lazy.filter { [drawn] in !drawn.contains($0.id) }
      .compactMap { Self.path(of: $0)?.box }
    let corners = ([overview?.box].compactMap(\.self) + boxes).flatMap { [$0.first, $0.last] }
    guard let box = corners.box else { return overview = nil }
    let fits =
      overview.map { overview in
        [box.first, box.last].allSatisfy { overview.camera.shows($0, in: size) }
      } ?? false
    overview = (
      box, overview.flatMap { fits ? $0.camera : nil } ?? MapCamera(showing: box, in: size)
    )
  }

  /// The track at a cell, or else beside it.
  func track(at place: CellPosition, in area: CellArea) -> Int? {
    guard let camera else { return nil }
    for radius in 0...1 {
      let side = CellSize(columns: 2 * radius + 1, rows: 2 * radius + 1)
      let corner = DotCanvas.Dot(
        x: Double(2 * (place.column - area.column - radius)),
        y: Double(4 * (place.row - area.row - radius)))
      let track = tracks.last { track in
        guard let path = Self.path(of: track) else { return false }
        var canvas = DotCanvas(size: side)
        canvas.draw(
          .init(path, ink: .plain), from: camera.cropped(to: side, at: corner, in: size), rank: 0)
        return !canvas.isEmpty
      }
      if let track { return track.id }
    }
    return nil
  }

  func draw(in frame: inout Frame, at area: CellArea) {
    guard let camera, area.rows > 0 else { return }
    var drawing = MapDrawing(camera: camera, ground: ground, canvas: canvas, cities: ground.cities)
    drawing.lines = marked.map { .init($0.path, ink: $0.ink) }
    if let chosen = marked.last, let start = chosen.path.points.first,
      let track = tracks.first(where: { $0.id == chosen.id })
    {
      drawing.marks = [
        .init(
          point: start, character: "●", style: CellStyle(ink: chosen.ink, isBold: true),
          name: track.title.safeForTerminal)
      ]
    }
    drawing.draw(in: &frame, at: area)
  }
}
