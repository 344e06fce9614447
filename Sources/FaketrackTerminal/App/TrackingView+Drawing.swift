import Cities
import FaketrackFeatures
import FaketrackSupport
import Geodesy

/// The drawing of the walk.
extension TrackingView {
  struct Layout {
    var figures: CellArea
    var map: CellArea
    var profile: CellArea
    /// The elevations beside the profile.
    var scale: CellArea
    var photos: CellArea
  }

  /// The map and the photos: side by side if there is room, otherwise one above the other.
  func layout(in area: CellArea) -> Layout {
    let (figures, rest) = area.split(afterRows: area.rows < 30 ? 2 : 3)
    let profileRows = rest.rows >= 14 ? 4 : rest.rows >= 8 ? 2 : 0
    let (walk, photos) =
      area.isWide
      ? rest.split(afterColumns: rest.columns * 3 / 5) : rest.split(afterRows: rest.rows * 3 / 5)
    let (map, bottom) = walk.split(afterRows: walk.rows - profileRows)
    let (profile, scale) = bottom.split(afterColumns: bottom.columns - Self.scaleColumns)
    return Layout(
      figures: figures, map: map, profile: profile, scale: scale.inset(left: 1),
      photos: area.isWide ? photos.inset(left: 2) : photos)
  }

  private static let scaleColumns = 7

  package func draw(_ state: State, in frame: inout Frame, at area: CellArea) {
    var block = TextBlock(columns: area.columns)
    if state.entry == nil {
      block.add("There is no track to walk yet.", .heading)
      block.add("Press 1 to open one.", .muted)
    } else if let failure = state.entry?.shape.failure {
      block.add(failure)
    }
    if !block.lines.isEmpty { return block.draw(in: &frame, at: area) }
    let areas = layout(in: area)
    drawFigures(state, in: &frame, at: areas.figures)
    map(state, in: areas.map).draw(in: &frame, at: areas.map)
    drawProfile(state, in: &frame, at: areas.profile, scale: areas.scale)
    drawPhotos(state, in: &frame, at: areas.photos)
  }

  // MARK: Figures

  private func drawFigures(_ state: State, in frame: inout Frame, at area: CellArea) {
    let walk = WalkPresentation(state)
    let figures = WalkFigures(state)
    let speed = state.speed == .max ? "full speed" : "×\(state.speed.name)"
    var facts: [(text: String, style: CellStyle)] = [
      (walk.status, CellStyle(state.isUnderWay ? .positive : .plain, isBold: true)),
      (speed, .muted), (figures.position + (figures.length.map { " of \($0)" } ?? ""), .plain),
      (Quantity.count(state.photos.count, "photo"), .plain),
    ]
    if let city = figures.nearestCity { facts.append((city.safeForTerminal, .plain)) }
    if let time = figures.time { facts.append((time, .plain)) }
    if let elevation = figures.elevation { facts.append(("elevation \(elevation)", .muted)) }
    var column = area.column
    for fact in facts {
      column = frame.put(fact.text, fact.style, column: column, in: area) + 2
    }
    guard let notice = walk.notice else { return }
    let style = CellStyle(notice.isQuestion ? .highlight : .failure)
    frame.put(notice.title.safeForTerminal, style, row: area.row + 1, in: area)
    let message = [notice.message, notice.hint].compactMap(\.self).joined(separator: ". ")
    frame.put(
      message.safeForTerminal, .muted, column: area.column + notice.title.columns + 2,
      row: area.row + 1, in: area)
  }

  // MARK: Map

  func map(_ state: State, in area: CellArea) -> MapDrawing {
    let shape = state.shape
    let points = [MapCamera.PlanePoint](line: shape?.points.map(\.coordinate) ?? [])
    let position = position(state)
    var drawing = MapDrawing(camera: camera(state, in: area))
    if let shape {
      let breaks = Set(shape.points.indices.filter { shape.points[$0].isBreak })
      drawing.lines = [.init(points: points, breaks: breaks, ink: .muted)]
      for (number, leg) in state.legs.enumerated() {
        let walked = shape.points.indices.filter { leg.contains(shape.points[$0].distance) }
        // The walker is on the leg that began last.
        let end = number == state.legs.count - 1 ? [position].compactMap(\.self) : []
        drawing.lines.append(
          .init(
            points: walked.map { points[$0] } + end,
            breaks: Set(walked.indices.filter { breaks.contains(walked[$0]) }), ink: .positive))
      }
    }
    drawing.cities = mapCities
    drawing.chosenCity = state.city?.city.id
    let chosen = card(row: selection.row, state)?.number
    drawing.marks = (shape?.waypoints ?? []).map { waypoint in
      .init(
        point: .init(waypoint.coordinate), character: "◇", style: .plain,
        name: waypoint.name?.safeForTerminal)
    }
    drawing.marks += pins(state, on: drawing, in: area).reversed().map { pin in
      let isChosen = pin.number == chosen && selection.row > 0
      return .init(
        point: pin.point, character: "◆",
        style: CellStyle(.highlight, isBold: isChosen, isInverse: isChosen))
    }
    if let position {
      drawing.marks.append(
        .init(
          point: position, character: Self.arrow(state.course),
          style: CellStyle(.accent, isBold: true)))
    }
    return drawing
  }

  /// The position of the walker, on the same side of the date line as the track.
  private func position(_ state: State) -> MapCamera.PlanePoint? {
    guard let position = state.position.map(MapCamera.PlanePoint.init) else { return nil }
    guard let shape = state.shape else { return position }
    let walked = [MapCamera.PlanePoint](line: shape.points.map(\.coordinate))
    let last = shape.points.lastIndex { $0.distance <= state.distance } ?? 0
    return walked.indices.contains(last) ? position.nearest(to: walked[last]) : position
  }

  /// The camera of the map.
  func camera(_ state: State, in area: CellArea) -> MapCamera {
    switch framing {
    case .place(let camera): return camera
    case .walker(let camera):
      return position(state).map { camera.following($0, in: area.size) } ?? camera
    case .wholeWalk:
      let points = state.shape?.points.map(\.coordinate) ?? []
      return MapCamera(showing: [MapCamera.PlanePoint](line: points), in: area.size)
    }
  }

  package func mapBox(_ state: State, in area: CellArea) -> BoundingBox? {
    let map = layout(in: area).map
    return camera(state, in: map).box(in: map.size)
  }

  /// A photo on the map.
  struct Pin {
    var number: Int
    var point: MapCamera.PlanePoint
    var cell: CellPosition

    func isNear(_ place: CellPosition) -> Bool {
      place.row == cell.row && abs(place.column - cell.column) <= 1
    }
  }

  /// The visible photos on a map, the most important first. No two are adjacent, to keep the track
  /// visible between them.
  func pins(_ state: State, on map: MapDrawing, in area: CellArea) -> [Pin] {
    let chosen = card(row: selection.row, state)?.number
    let pins = state.photos.pins
    var taken: Set<CellPosition> = []
    return (pins.filter { $0.number == chosen } + pins.reversed()).compactMap { pin in
      let point = MapCamera.PlanePoint(pin.coordinate)
      guard let cell = map.cell(of: point, in: area) else { return nil }
      let around = (-1...1).map { CellPosition(column: cell.column + $0, row: cell.row) }
      guard taken.isDisjoint(with: around) else { return nil }
      taken.insert(cell)
      return Pin(number: pin.number, point: point, cell: cell)
    }
  }

  /// The walker, as an arrow where the course is known.
  private static func arrow(_ course: Double?) -> Character {
    guard let course else { return "●" }
    let arrows: [Character] = ["↑", "↗", "→", "↘", "↓", "↙", "←", "↖"]
    return arrows[Int((course / 45).rounded()) % 8]
  }

  // MARK: Profile

  private func drawProfile(
    _ state: State, in frame: inout Frame, at area: CellArea, scale: CellArea
  ) {
    guard area.rows > 0, let shape = state.shape, let elevations = shape.elevations else { return }
    var canvas = BrailleCanvas(size: area.size)
    // At least 30 m, to keep a plain from looking like the Alps.
    let span = max(elevations.upperBound - elevations.lowerBound, 30)
    guard span.isFinite else { return }
    let length = max(shape.length, 1)
    var last = elevations.lowerBound
    var points = shape.points[...]
    for x in 0..<canvas.width {
      let distance = (Double(x) + 0.5) / Double(canvas.width) * length
      while let point = points.first, point.distance <= distance {
        last = point.elevation ?? last
        points = points.dropFirst()
      }
      let height = (last - elevations.lowerBound) / span * Double(canvas.height - 1)
      let isWalked = state.legs.contains { $0.contains(distance) }
      for y in 0...Int(min(max(0, height), Double(canvas.height - 1))) {
        canvas.set(
          x, canvas.height - 1 - y, isWalked ? .positive : .muted, rank: isWalked ? 1 : 0)
      }
    }
    canvas.draw(in: &frame, at: area)
    for (row, meters) in [
      (0, elevations.lowerBound + span), (area.rows - 1, elevations.lowerBound),
    ] {
      let text = Quantity.height(meters)
      frame.put(text, .muted, row: scale.row + row, in: scale)
    }
  }

  // MARK: Photos

  private func drawPhotos(_ state: State, in frame: inout Frame, at area: CellArea) {
    let cards = state.photos.cards
    if cards.isEmpty {
      frame.put(WalkPresentation(state).photosPlaceholder, .muted, in: area)
      return
    }
    for line in 0..<max(1, area.rows / 2) {
      guard let visit = card(row: selection.first + line, state)?.visit, let photo = visit.photo
      else { continue }
      let place = area.inset(top: 2 * line).split(afterRows: 2).top
      let (head, foot) = place.split(afterRows: 1)
      let page = photo.page ?? photo.url
      let distance = Quantity.distance(visit.fix.distance ?? 0)
      let start = frame.put(
        distance.padded(toColumns: 7, onLeft: true) + "  ", .muted, in: head)
      let room = head.column + head.columns - start
      let title = photo.shownTitle.safeForTerminal.truncated(toColumns: room)
      frame.put(
        title, CellStyle(link: page.isWebAddress ? page.absoluteString : nil), column: start,
        in: head)
      let license = photo.license.map { ", \($0.name)" } ?? ""
      let near = visit.city.map { " · \($0.city.name)" } ?? ""
      let credit = "© \(photo.owner)\(license)\(near)".safeForTerminal
      frame.put(credit.truncated(toColumns: room), .muted, column: start, in: foot)
      if selection.first + line == selection.row, !movesMap {
        frame.markChosen(head)
      }
    }
  }
}
