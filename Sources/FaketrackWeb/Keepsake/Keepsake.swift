import Cities
import FaketrackFeatures
import FaketrackSupport
import Foundation
import Geodesy
import Locations

/// A walk as a page that needs no server and no network: the Tracking screen of a walk that has
/// arrived, which plays again.
///
/// The scripts of the page are inside too; ``keepsake.mjs`` takes the place of those that ask the
/// server.
package struct Keepsake: Sendable {
  private let state: TrackingState
  private let shape: TrackShape
  private let cards: [PhotoLog.Card]
  private let index: CityIndex?
  private let units: Units

  /// Makes the page of a walk; `nil` without locations or a track.
  ///
  /// - Parameter index: the cities of the map; `nil` for a map without cities.
  package init?(_ state: TrackingState, _ index: CityIndex?, in units: Units = .preferred) {
    guard let shape = state.shape, state.history.count > 0 else { return nil }
    var state = state
    state.phase = .finished
    // Notices are for walks under way.
    (state.track, state.authorization, state.failingSince) = (state.entry?.id, nil, nil)
    let seconds = shape.totals(of: [0...shape.length]).elapsed
    let minute = ReplaySpeed.lengths(of: seconds).dropFirst().first
    state.speed = minute?.speed ?? .realTime
    self.state = state
    self.shape = shape
    self.index = index
    self.units = units
    cards = state.photos.count == 0 ? [] : (1...state.photos.count).compactMap(state.card)
  }

  /// The page in one file.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of bytes.
  ///   - note: receives notes for the user.
  /// - Throws: ``Failure`` if the photos don't fit.
  package func page(limit: Int, note: (String) -> Void = { _ in }) throws(Failure) -> String {
    let pictures = KeepsakePictures(shownCards)
    let data = json(data)
    let (addresses, pixels) = try pictures.embedded(
      limit: limit, page: markup([:], data).utf8.count)
    if pixels < 1_600 {
      let size = KeepsakePictures.megabytes(limit)
      note("photos: about \(pixels) pixels on the longer side, to fit \(size)")
    }
    report(pictures, note)
    return markup(addresses, data)
  }

  private static let (file, pictureFolder) = ("index.html", "photos")

  /// Checks, before a walk, that its page can be written to a folder.
  ///
  /// - Parameter inputs: the files and folders that the walk reads or writes.
  /// - Throws: `FileError` or ``Failure``.
  package static func check(_ path: String, inputs: [String]) throws {
    let pictures = OutputFolder(path, subfolder: pictureFolder, isExclusive: true)
    if let input = inputs.first(where: pictures.contains) {
      throw Failure(
        message: "-o writes to \(pictures.path), where \(input) is",
        hint: "Name another folder with -o.", kind: .wrongUsage)
    }
    try OutputFolder(path).check([file])
    try pictures.check()
  }

  /// Writes the page with its pictures beside it, and returns the path of the page. Pictures of an earlier
  /// page are deleted unless they were changed.
  ///
  /// - Throws: `FileError` or ``Failure``.
  package func write(to path: String, note: (String) -> Void = { _ in }) throws -> String {
    let pictures = KeepsakePictures(shownCards)
    let folder = OutputFolder(path)
    let pictureFolder = OutputFolder(path, subfolder: Self.pictureFolder, isExclusive: true)
    try folder.open()
    let names = try pictures.write(to: pictureFolder)
    let page = markup(names.mapValues { "\(Self.pictureFolder)/\($0)" }, json(data))
    guard try folder.write(Self.file, with: Array(page.utf8)) else {
      throw folder.foreign(Self.file)
    }
    let written = Set(names.values)
    let kept = try pictureFolder.remove {
      KeepsakePictures.isName($0) && !written.contains($0)
    }
    if !kept.isEmpty {
      let names = kept.prefix(3).joined(separator: ", ") + (kept.count > 3 ? ", …" : "")
      let count = Quantity.count(kept.count, "file")
      note(
        "note: kept \(count) in \(pictureFolder.path), changed since faketrack wrote them: \(names)"
      )
    }
    report(pictures, note)
    return folder.path(of: Self.file)
  }

  /// The cards on the page, with that of the photo at the position.
  private var shownCards: [PhotoLog.Card] { cards + [state.currentCard].compactMap(\.self) }

  private func report(_ pictures: KeepsakePictures, _ note: (String) -> Void) {
    if pictures.linked > 0 {
      let count = Quantity.count(pictures.linked, "photo")
      note("photos: \(count) linked, shown only with a network; --download puts them inside")
    }
    if pictures.unshown > 0 {
      let count = Quantity.count(pictures.unshown, "file")
      note("photos: a placeholder for \(count) that browsers don't show (HEIC, video)")
    }
  }

  // MARK: Markup

  private func markup(_ addresses: [URL: String], _ data: String) -> String {
    let links = PageLinks(
      hasServer: false,
      image: { photo in addresses[photo.url].map(Attribute.embedded) ?? .src(photo.url) },
      page: { $0.page.flatMap { SamplePhotos.path(of: $0) == nil ? $0 : nil } })
    let name = state.entry?.title ?? "Walk"
    let update = TrackingUpdate(state, generation: "", in: units)
    let page = TrackingPage(units: units, links: links)
    return HTML.document(
      tag("html", .attribute("lang", "en")) {
        head(title: name)
        tag("body", .class("tracking keepsake")) {
          tag("header", .class("top")) { tag("h1", text: name) }
          tag("main", .id("content")) {
            page.content(state, update, shape, name: name) {
              PhotoCard.grid(cards, isNewest: true, state.clocks, in: units, links)
            }
          }
          HTML.raw(
            "script", .attribute("type", "application/json"), .id("walk-data"), text: data)
          HTML.raw(
            "script", .attribute("type", "text/plain"), .id("world"),
            text: Self.base64(PageResources.shared.bytes(of: "map/world.bin")))
          HTML.raw("script", .attribute("type", "module"), text: Self.start)
        }
      }
    ).markup
  }

  private static let start = """
    import { start } from "walk/tracking.mjs";
    document.documentElement.classList.add("js");
    start();
    """

  private func head(title: String) -> HTML {
    let resources = PageResources.shared
    return tag("head") {
      emptyTag("meta", .attribute("charset", "utf-8"))
      emptyTag(
        "meta", .attribute("http-equiv", "Content-Security-Policy"),
        .attribute("content", Self.policy))
      emptyTag(
        "meta", .attribute("name", "viewport"),
        .attribute("content", "width=device-width, initial-scale=1"))
      emptyTag("meta", .attribute("name", "color-scheme"), .attribute("content", "light dark"))
      emptyTag("meta", .attribute("name", "generator"), .attribute("content", "faketrack"))
      tag("title", text: title)
      emptyTag(
        "link", .attribute("rel", "icon"),
        .attribute(
          "href", "data:image/svg+xml;base64," + Self.base64(resources.bytes(of: "shared/icon.svg"))
        ))
      for name in ["shared/page.css", "map/map.css", "walk/walk.css"] {
        HTML.raw("style", text: resources.text(of: name))
      }
      HTML.raw(
        "script", .attribute("type", "importmap"), text: json(["imports": Self.modules]))
    }
  }

  /// Allows only linked photos, and the scripts and pictures of the page.
  private static let policy = [
    "default-src 'none'", "script-src 'unsafe-inline' data:", "style-src 'unsafe-inline'",
    "img-src data: file: http: https:", "form-action 'none'", "base-uri 'none'",
  ].joined(separator: "; ")

  /// The scripts by the names that they import each other by.
  private static let modules: [String: String] = {
    let resources = PageResources.shared
    var sources: [String: String] = [:]
    for name in ["walk/tracking.mjs", "walk/keepsake.mjs"].flatMap(resources.modules) {
      let text = resources.scriptWithNamedImports(name)
      sources[name] = "data:text/javascript;base64," + base64(Array(text.utf8))
    }
    for name in ["shared/server.mjs", "walk/tracking-events.mjs"] {
      sources[name] = sources["walk/keepsake.mjs"]
    }
    return sources
  }()

  private static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

  // MARK: Data

  private struct WalkData: Encodable {
    let track: MapTrack
    /// As in ``PhotoUpdate/pins``.
    let pins: [Double]
    /// Seconds from the start at each point of the track.
    let elapsed: [Double]
    let states: [String: TrackingUpdate]
    let parts: [String: [String: HTML]]
    let walker: WalkerUpdate
    let cities: [MapCity]
    let speed: String
  }

  private var data: WalkData {
    let phases: [String: TrackingState.Phase] = [
      "arrived": .finished, "running": .running, "paused": .paused,
    ]
    let states = phases.mapValues { phase in
      var state = state
      state.phase = phase
      return state
    }
    return WalkData(
      track: index.map {
        MapTrack(shape, $0, state.clocks, minPopulation: state.minPopulation)
      } ?? MapTrack(shape, zone: nil),
      pins: PhotoUpdate(state.photos, in: units, on: state.clocks).pins,
      elapsed: shape.points.map { $0.elapsed.rounded(places: 1) },
      states: states.mapValues { TrackingUpdate($0, generation: "", in: units) },
      parts: states.mapValues { TrackingParts($0, in: units).markup },
      walker: WalkerUpdate(state, in: units), cities: cities, speed: state.speed.name)
  }

  /// The most populous cities of the world, of the region, and around the track.
  private var cities: [MapCity] {
    guard let index, let box = BoundingBox(shape.points.map(\.coordinate)) else { return [] }
    let world = BoundingBox(
      minLatitude: -90, minLongitude: -180, maxLatitude: 90, maxLongitude: 180)
    var ids: Set<Int> = []
    return [world, box.widened(by: 5), box.widened(by: 0.3)].flatMap {
      index.mostPopulous(Self.cityLimit, in: $0)
    }
    .filter { ids.insert($0.id).inserted }
    .sorted { ($0.population ?? 0, $1.id) > ($1.population ?? 0, $0.id) }
    .map(MapCity.init)
  }

  private static let cityLimit = 250

  /// JSON that may be in markup.
  private func json(_ value: some Encodable) -> String {
    // Texts and finite numbers can always be encoded.
    let data = (try? ScriptJSON.encode(value)) ?? Data()
    // In other places than texts, JSON has no such sign.
    let escape = Array("\\u003c".utf8)
    let bytes = data.flatMap { $0 == UInt8(ascii: "<") ? escape : [$0] }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension BoundingBox {
  /// The box with a margin in degrees, across the date line if needed.
  fileprivate func widened(by degrees: Double) -> BoundingBox {
    let width = maxLongitude - minLongitude + (crossesDateLine ? 360 : 0)
    let isAround = width + 2 * degrees >= 360
    return BoundingBox(
      minLatitude: minLatitude - degrees,
      minLongitude: isAround ? -180 : (minLongitude - degrees).remainder(dividingBy: 360),
      maxLatitude: maxLatitude + degrees,
      maxLongitude: isAround ? 180 : (maxLongitude + degrees).remainder(dividingBy: 360))
  }
}
