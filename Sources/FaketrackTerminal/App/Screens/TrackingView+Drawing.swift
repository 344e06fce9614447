import Cities
import FaketrackFeatures
import FaketrackSupport
import Foundation
import Geodesy

/// The drawing of the walk.
extension TrackingView {
  /// The areas of the parts; the elevations of the scale are beside the profile.
  typealias Layout = (
    figures: CellArea, notice: CellArea, map: CellArea, profile: CellArea, scale: CellArea,
    photos: CellArea,
    picture: CellArea
  )

  /// The map beside the photos if there is room, otherwise above them and the profile. A notice has rows
  /// above them.
  func layout(_ state: State, in area: CellArea) -> Layout {
    let (figures, below) = area.split(afterRows: area.rows < 30 ? 2 : 3)
    let (notice, rest) = below.split(
      afterRows: notice(state, columns: area.columns).map { $0.lines.count + 1 } ?? 0)
    let none = rest.inset(top: rest.rows)
    if fillsScreen { return (figures, notice, rest, none, none, none, none) }
    var (map, bottom, photos, picture) = (rest, none, none, none)
    if area.isWide {
      (map, photos) = rest.split(afterColumns: rest.columns * 3 / 5)
      if hasPictures, !showsFigures {
        // A picture of 4:3, as a cell is about twice as high as it is wide.
        let rows = min(photos.rows * 2 / 3, photos.columns * 3 / 8)
        (picture, photos) = photos.split(afterRows: rows)
      }
      (map, bottom) = map.split(afterRows: map.rows - (map.rows >= 14 ? 4 : map.rows >= 8 ? 2 : 0))
    } else {
      let showsPicture = hasPictures && !showsFigures && rest.rows >= 16 && rest.columns >= 60
      (map, photos) = rest.split(
        afterRows: rest.rows - (showsPicture ? rest.rows / 2 : max(2, rest.rows / 4)))
      if showsPicture {
        (photos, picture) = photos.split(afterColumns: photos.columns / 2)
      } else if photos.columns >= 60 {
        (bottom, photos) = photos.split(afterColumns: photos.columns / 2)
      } else if photos.rows >= 6 {
        (bottom, photos) = photos.split(afterRows: 2)
      }
    }
    let (profile, scale) = bottom.split(afterColumns: bottom.columns - 7)
    let margin = photos.column > area.column ? 2 : 0
    return (
      figures, notice, map, profile, scale.inset(left: 1), photos.inset(left: margin),
      picture.inset(left: 2, bottom: 1)
    )
  }

  package func picture(_ state: State, in area: CellArea) -> (url: URL, area: CellArea)? {
    let area = layout(state, in: area).picture
    guard area.rows >= 4, state.entry?.shape.failure == nil,
      let photo = chosenCard(state)?.visit.photo,
      photo.imageURL.isWebAddress || photo.imageURL.isFileURL
    else { return nil }
    return (photo.imageURL, area)
  }

  package func draw(_ state: State, in frame: inout Frame, at area: CellArea) {
    var block = TextBlock(columns: area.columns)
    if state.entry == nil {
      block.add("There is no track to walk yet.", .heading)
      block.add("Press 1 to open one.", .muted)
    } else if let failure = state.entry?.shape.failure {
      block.add(failure)
    }
    if !block.lines.isEmpty { return block.draw(in: &frame, at: area) }
    let areas = layout(state, in: area)
    let walk = WalkPresentation(state)
    drawFigures(state, walk, in: &frame, at: areas.figures)
    map(state, in: areas.map).draw(in: &frame, at: areas.map)
    if movesMap, !fillsScreen {
      let label = " Map "
      let corner = areas.map.inset(left: areas.map.columns - label.columns)
      frame.put(label, CellStyle(isBold: true, isInverse: true), in: corner)
    }
    drawProfile(state, in: &frame, at: areas.profile, scale: areas.scale)
    if showsFigures {
      figures.draw(in: &frame, at: areas.photos)
    } else if state.photos.cards.isEmpty {
      frame.put(walk.photosPlaceholder, .muted, in: areas.photos)
    } else {
      drawPhotos(state, in: &frame, at: areas.photos)
    }
    notice(state, columns: area.columns)?.draw(in: &frame, at: areas.notice)
  }

  /// The notice of the walk, on as many lines as it needs.
  private func notice(_ state: State, columns: Int) -> TextBlock? {
    guard let notice = WalkNotice(state) else { return nil }
    let title = notice.title.safeForTerminal
    let message = [notice.message, notice.hint].compactMap(\.self).joined(separator: ". ")
      .safeForTerminal
    let style = CellStyle(ink: notice.isQuestion ? .highlight : .failure)
    var block = TextBlock(columns: columns)
    if title.columns + 2 + message.columns <= columns {
      block.add([(title, style), ("  ", .plain), (message, .muted)])
    } else {
      block.add(title, style)
      block.add(message, .muted)
    }
    return block
  }

  private func drawFigures(
    _ state: State, _ walk: WalkPresentation, in frame: inout Frame, at area: CellArea
  ) {
    let facts: [(text: String?, style: CellStyle)] = [
      (walk.status, CellStyle(ink: state.isUnderWay ? .positive : .plain, isBold: true)),
      (walk.speed, .muted),
      (WalkFigure.position.text(state), .plain),
      (Quantity.count(state.photos.count, "photo"), .plain),
      (WalkFigure.near.text(state)?.safeForTerminal, .plain),
      (WalkFigure.time.text(state), .plain),
      (WalkFigure.elevation.text(state).map { "elevation \($0)" }, .muted),
    ]
    var column = area.column
    for case (let text?, let style) in facts
    where column + text.columns <= area.column + area.columns {
      column = frame.put(text, style, column: column, in: area) + 2
    }
    // Without room for all, the last ones are omitted.
    var progress = state.progress()
    while progress.joined(separator: " · ").columns > area.columns { progress.removeLast() }
    frame.put(progress.joined(separator: " · "), .muted, in: area.line(1))
  }

  func map(_ state: State, in area: CellArea) -> MapDrawing {
    var drawing = MapDrawing(
      camera: camera(state, in: area), ground: ground, cities: ground.cities,
      chosenCity: state.city?.city.id)
    let walker = path.walker(state)
    if let shape = path.shape {
      let points = path.points
      drawing.lines = [.init(points: points, ink: .muted)]
      for (number, leg) in state.legs.enumerated() {
        let walked = points.indices.filter { leg.contains(shape.points[$0].distance) }
        drawing.lines.append(.init(points: walked.map { points[$0] }, ink: .positive))
        // The walker is on the leg that began last.
        guard let walker, number == state.legs.count - 1 else { continue }
        let isBeforeGap = walked.last.map {
          points[$0].isBreak && shape.points[$0].distance >= state.distance
        }
        drawing.lines[number + 1].points.append((walker, isBreak: isBeforeGap ?? false))
      }
      drawing.marks = shape.waypoints.map { waypoint in
        .init(
          point: .init(waypoint.coordinate), character: "◇", style: .plain,
          name: waypoint.name?.safeForTerminal)
      }
    }
    let chosen = (pane.chosen ?? 0) > 0 ? chosenCard(state)?.number : nil
    drawing.marks += pins(state, on: drawing, in: area).reversed().map { pin in
      let isChosen = pin.number == chosen
      return .init(
        point: pin.point, character: "◆",
        style: CellStyle(ink: .highlight, isBold: isChosen, isInverse: isChosen))
    }
    if let walker {
      drawing.marks.append(
        .init(
          point: walker, character: Self.arrow(state.course),
          style: CellStyle(ink: .accent, isBold: true)))
    }
    return drawing
  }

  func camera(_ state: State, in area: CellArea) -> MapCamera {
    guard let camera = chosenCamera else {
      return MapCamera(showing: path.box, in: area.size)
    }
    let walker = followsWalker ? path.walker(state) : nil
    return walker.map { camera.following($0, in: area.size) } ?? camera
  }

  /// The visible photos, the most important first, with gaps that keep the track visible.
  func pins(
    _ state: State, on map: MapDrawing, in area: CellArea
  ) -> [(number: Int, point: WebMercator.Point, cell: CellPosition)] {
    let chosen = chosenCard(state)?.number
    let pins = state.photos.pins
    var taken: Set<CellPosition> = []
    return (pins.filter { $0.number == chosen } + pins.reversed()).compactMap { pin in
      let point = WebMercator.Point(pin.coordinate)
      guard let cell = map.cell(of: point, in: area) else { return nil }
      let around = (-1...1).map { CellPosition(column: cell.column + $0, row: cell.row) }
      guard taken.isDisjoint(with: around) else { return nil }
      taken.insert(cell)
      return (pin.number, point, cell)
    }
  }

  /// The walker, as an arrow where the course is known.
  private static func arrow(_ course: Double?) -> Character {
    guard let course else { return "●" }
    let arrows: [Character] = ["↑", "↗", "→", "↘", "↓", "↙", "←", "↖"]
    return arrows[Int((course / 45).rounded()) % 8]
  }

  private func drawProfile(
    _ state: State, in frame: inout Frame, at area: CellArea, scale: CellArea
  ) {
    guard area.rows > 0, let shape = state.shape, let elevations = shape.elevations else { return }
    let low = elevations.lowerBound
    // At least 30 m, to keep a plain from looking like the Alps.
    let span = max(elevations.upperBound - low, 30)
    guard span.isFinite else { return }
    var canvas = DotCanvas(size: area.size)
    let length = max(shape.length, 1)
    let top = Double(canvas.height - 1)
    var last = low
    var points = shape.points[...]
    for x in 0..<canvas.width {
      let distance = (Double(x) + 0.5) / Double(canvas.width) * length
      while let point = points.first, point.distance <= distance {
        last = point.elevation ?? last
        points = points.dropFirst()
      }
      let isWalked = state.legs.contains { $0.contains(distance) }
      for y in 0...Int(min(max(0, (last - low) / span * top), top)) {
        canvas.set(
          x, canvas.height - 1 - y, isWalked ? .positive : .muted, rank: isWalked ? 1 : 0)
      }
    }
    canvas.draw(in: &frame, at: area)
    let bottom = area.rows - 1
    let highest = Int((Double(bottom) * (1 - (elevations.upperBound - low) / span)).rounded())
    frame.put(Quantity.height(elevations.upperBound), .muted, in: scale.line(highest))
    frame.put(Quantity.height(low), .muted, in: scale.line(bottom))
  }

  /// The splits that were walked, and the cities passed.
  static func figures(_ state: State, cities: [String], columns: Int) -> TextBlock {
    var block = TextBlock(columns: columns)
    let splits = WalkSplit.all(state)
    for split in splits {
      let texts = [split.title, split.time, split.pace].map {
        $0.padded(toColumns: 10, onLeft: true)
      }
      block.add([
        (texts.joined(), .plain), (split.ascent.map { "  \($0) up" } ?? "", .muted),
      ])
    }
    if splits.isEmpty { block.add("No kilometer or mile has been walked yet.", .muted) }
    if !cities.isEmpty {
      block.addSpace()
      block.add("Cities passed", .heading)
      for city in cities { block.add([(city.safeForTerminal, .plain)]) }
    }
    return block
  }

  private func drawPhotos(_ state: State, in frame: inout Frame, at area: CellArea) {
    for line in 0..<max(1, area.rows / 2) {
      guard let visit = card(row: pane.first + line, state)?.visit, let photo = visit.photo
      else { continue }
      let (head, foot) = (area.line(2 * line), area.line(2 * line + 1))
      let distance = Quantity.distance(visit.fix.distance ?? 0).padded(toColumns: 7, onLeft: true)
      let start = frame.put(distance + "  ", .muted, in: head)
      let room = head.column + head.columns - start
      let page = photo.pageURL ?? photo.imageURL
      frame.put(
        photo.shownTitle.safeForTerminal.truncated(toColumns: room),
        CellStyle(link: page.isWebAddress ? page.absoluteString : nil), column: start, in: head)
      let near = visit.shownCity.map { " · \($0.city.name.safeForTerminal)" } ?? ""
      frame.put((photo.credit + near).truncated(toColumns: room), .muted, column: start, in: foot)
      if pane.first + line == pane.chosen, !movesMap { frame.markChosen(head) }
    }
  }
}
