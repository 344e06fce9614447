import FaketrackFeatures
import FaketrackServer
import FaketrackSupport
import Foundation

extension Website {
  static let streamLimit = 64

  func events(_ request: WebRequest) -> WebResponse {
    guard tracking.store.observerCount < Self.streamLimit else {
      return .busy("Too many browsers are watching.")
    }
    let seen = request.headers["Last-Event-ID"] ?? request.item("after")
    let stream = TrackingEventStream(
      states: tracking.states(),
      messages: TrackingMessages(
        generation: generation, after: seen.flatMap { TrackingCursor($0) }, in: request.units))
    return WebResponse(.ok, headers: ["Content-Type": "text/event-stream"], body: .stream(stream))
  }
}

/// The body of `GET /tracking/events`: server-sent events, made as the browser reads them.
///
/// A slow browser gets fewer events, each about the newest state; the walk never waits for it.
///
/// Source: https://html.spec.whatwg.org/multipage/server-sent-events.html
struct TrackingEventStream: AsyncSequence {
  let states: AsyncStream<TrackingState>
  let messages: TrackingMessages
  var interval = Duration.milliseconds(100)

  func makeAsyncIterator() -> Iterator {
    Iterator(states: states.makeAsyncIterator(), messages: messages, interval: interval)
  }

  struct Iterator: AsyncIteratorProtocol {
    fileprivate var states: AsyncStream<TrackingState>.Iterator
    fileprivate var messages: TrackingMessages
    fileprivate let interval: Duration
    fileprivate var isFirst = true

    mutating func next() async throws -> [UInt8]? {
      if !isFirst, interval > .zero { try await Task.sleep(for: interval) }
      guard let state = await states.next(), !Task.isCancelled else { return nil }
      let greeting = isFirst ? "retry: 1000\n\n" : ""
      isFirst = false
      // A comment keeps the connection alive and detects a lost one.
      return Array((greeting + (messages.next(for: state) ?? ":\n\n")).utf8)
    }
  }
}

/// The position of a browser in the walks: the id of the events.
struct TrackingCursor: Hashable, Sendable, CustomStringConvertible {
  /// The walk, as ``TrackingUpdate/walk`` names it.
  var walk: String
  var photo: Int

  var description: String { "\(walk).\(photo)" }
}

extension TrackingCursor {
  /// Reads a ``description``; `nil` for any other text.
  init?(_ text: String) {
    let pieces = text.split(separator: ".", omittingEmptySubsequences: false)
    guard pieces.count == 2, let photo = Int(pieces[1]), photo >= 0 else { return nil }
    self.init(walk: String(pieces[0]), photo: photo)
  }
}

/// Makes the events that keep one browser up to date.
///
/// Each photo is sent once, as a card or, when there are too many, only as a pin. A browser that missed
/// more than the server remembers is reset to the current photos.
struct TrackingMessages: Sendable {
  private let generation: String
  private let units: Units
  private var cursor: TrackingCursor?
  private var last:
    (state: TrackingState, update: TrackingUpdate, parts: TrackingParts, walker: WalkerUpdate)?

  /// - Parameter generation: identifies the server.
  init(generation: String, after cursor: TrackingCursor?, in units: Units = .preferred) {
    self.generation = generation
    self.units = units
    self.cursor = cursor
  }

  /// The events for the changes since the last state; `nil` if there are none.
  mutating func next(for state: TrackingState) -> String? {
    guard state != last?.state else { return nil }
    let update = TrackingUpdate(state, generation: generation, in: units)
    let parts = TrackingParts(state, in: units)
    let walker = WalkerUpdate(state, in: units)
    let known = last
    last = (state, update, parts, walker)
    let seen = cursor?.walk == update.walk ? cursor?.photo : nil
    let new = seen.flatMap { state.photos.after($0) }
    cursor = TrackingCursor(walk: update.walk, photo: state.photos.count)
    var events = ""
    if new?.pins.isEmpty != true {
      events += event(
        new == nil ? "reset" : "photos",
        PhotoUpdate(new ?? state.photos, in: units, on: state.clocks))
    }
    if update != known?.update { events += event("state", update) }
    let changes = parts.markup.filter { known?.parts.markup[$0.key] != $0.value }
    if !changes.isEmpty { events += event("parts", changes) }
    if walker != known?.walker { events += event("walker", walker) }
    return events.isEmpty ? nil : events
  }

  private func event(_ name: String, _ value: some Encodable) -> String {
    guard let data = try? ScriptJSON.encode(value) else { return "" }
    let id = cursor.map { "id: \($0)\n" } ?? ""
    return "event: \(name)\n\(id)data: \(String(decoding: data, as: UTF8.self))\n\n"
  }
}

/// The state of the walk for the page, sent with the page and after every change.
struct TrackingUpdate: Encodable, Hashable, Sendable {
  /// Identifies the walk and the server.
  let walk: String
  /// The number of the newest command that this shows the effect of.
  let command: Int
  let track: Int?
  let phase: String
  /// The texts that change, by their `data-text` on the page.
  let texts: [String: String]
  /// The start and end of each walked part in meters, in one array; the last part ends at the walker.
  let legs: [Double]
  /// Changes as the track of a receiver grows, about every 10 m and at each gap; `nil` for a file.
  let growth: Int?
  let hasFiles: Bool
  /// Whether the position is before the end of a walk that has arrived.
  let looksBack: Bool
  /// The names of the available actions, the primary one first.
  let actions: [String]
  let playPause: String?
  let isSearching: Bool
  let speed: String

  private static let growthStep = 10.0

  /// The figures that do not change with each step.
  static let figures: Set<WalkFigure> = [.near, .photos, .highest, .lowest]

  init(_ state: TrackingState, generation: String, in units: Units = .preferred) {
    let walk = WalkPresentation(state, in: units)
    self.walk = "\(generation)-\(state.walk)"
    command = state.command
    track = state.track
    phase = walk.stage.rawValue
    texts = [
      "phase": walk.status, "start": walk.title(of: .start), "resume": walk.title(of: .resume),
      "withoutPhotos": walk.photosPlaceholder, "photoNews": Self.photoNews(state),
      "filesNote": state.filesNote ?? "",
    ].merging(WalkFigure.texts(of: Self.figures, state, in: units)) { $1 }
    let look = state.look.map { [$0.distance...$0.distance] } ?? []
    legs = (state.legs + look).flatMap {
      [$0.lowerBound.rounded(places: 1), $0.upperBound.rounded(places: 1)]
    }.dropLast()
    growth =
      state.isLive
      ? state.shape.map { shape in
        shape.points.count(where: \.isBreak) + Int(shape.length / Self.growthStep)
      } : nil
    hasFiles = !state.isUnderWay && state.history.count > 0
    looksBack = state.looksBack
    actions = walk.controls.map(\.kind.rawValue)
    playPause = walk.playPause?.kind.rawValue
    isSearching = walk.isSearching
    speed = state.speed.name
  }

  /// The number of photos for screen readers, in tens while a fast walk finds them.
  private static func photoNews(_ state: TrackingState) -> String {
    let isFast =
      state.phase == .running && !state.isLive && state.speed.multiple ?? .infinity > 10
    let count = isFast ? state.photos.count / 10 * 10 : state.photos.count
    return count == 0 ? "" : Quantity.count(count, "photo")
  }
}

/// The parts of the page that change with the walk; the page gets those that have changed.
struct TrackingParts: Sendable {
  let notice: HTML
  let arrival: HTML
  let splits: HTML

  init(_ state: TrackingState, in units: Units = .preferred) {
    notice = WalkCards.notice(WalkPresentation(state, in: units).notice)
    arrival = WalkCards.arrival(state, in: units)
    splits = WalkCards.splits(state, in: units)
  }

  /// The markup by the names of the parts.
  var markup: [String: HTML] { ["notice": notice, "arrival": arrival, "splits": splits] }
}

struct WalkerUpdate: Encodable, Hashable, Sendable {
  /// The texts that change as the walker moves, by their `data-text` on the page.
  let texts: [String: String]
  /// Latitude and longitude in degrees, once known.
  let position: [Double]?
  let course: Double?
  let meters: Double

  init(_ state: TrackingState, in units: Units = .preferred) {
    texts = WalkFigure.texts(
      of: Set(WalkFigure.allCases).subtracting(TrackingUpdate.figures), state, in: units)
    position = state.position.map {
      [$0.latitude.rounded(places: 6), $0.longitude.rounded(places: 6)]
    }
    course = state.course.map { $0.roundedCourse(places: 0) }
    meters = state.distance.rounded(places: 1)
  }
}

extension WalkFigure {
  /// The texts of figures by their `data-text` on the page, empty if unknown.
  fileprivate static func texts(
    of figures: Set<WalkFigure>, _ state: TrackingState, in units: Units
  ) -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: figures.map { ($0.rawValue, $0.text(state, in: units) ?? "") })
  }
}

struct PhotoUpdate: Encodable, Hashable, Sendable {
  struct Card: Encodable, Hashable, Sendable {
    let number: Int
    let html: String
  }

  /// The number, latitude, longitude and meters along the track of each pin, in one array.
  let pins: [Double]
  /// The address of the small image of each pin, or an empty text.
  let images: [String]
  let cards: [Card]

  init(_ photos: PhotoLog, in units: Units = .preferred, on clocks: Clocks = .local) {
    pins = photos.pins.flatMap { pin in
      [
        Double(pin.number), pin.coordinate.latitude.rounded(places: 6),
        pin.coordinate.longitude.rounded(places: 6), pin.distance.rounded(places: 1),
      ]
    }
    images = photos.pins.map { pin in
      PhotoThumbnail.address(of: pin.url, isOnCard: pin.number >= photos.cards.first?.number ?? 0)
    }
    cards = photos.cards.map {
      Card(number: $0.number, html: PhotoCard.html($0, in: units, on: clocks).markup)
    }
  }
}
