import FaketrackFeatures

/// The body of `GET /tracking/events`: server-sent events, made as the browser reads them.
///
/// A slow browser gets fewer events, each about the newest state; the walk never waits for it.
///
/// Source: https://html.spec.whatwg.org/multipage/server-sent-events.html
struct TrackingEventStream: AsyncSequence {
  let states: AsyncStream<TrackingState>
  let messages: TrackingMessages
  /// The minimum time between two messages.
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
  /// The number of the newest photo in the browser.
  var photo: Int

  init(walk: String, photo: Int) {
    self.walk = walk
    self.photo = photo
  }

  /// Reads a ``description``; `nil` for any other text.
  init?(_ text: String) {
    let pieces = text.split(separator: ".", omittingEmptySubsequences: false)
    guard pieces.count == 2, let photo = Int(pieces[1]), photo >= 0 else { return nil }
    self.init(walk: String(pieces[0]), photo: photo)
  }

  var description: String { "\(walk).\(photo)" }
}

/// Makes the events that keep one browser up to date.
///
/// Each photo is sent once, as a card or, when there are too many, only as a pin. A browser that missed
/// more than the server remembers is reset to the current photos.
struct TrackingMessages: Sendable {
  private let generation: String
  private let units: Units
  private var cursor: TrackingCursor?
  private var last: (state: TrackingState, update: TrackingUpdate, walker: WalkerUpdate)?

  /// - Parameters:
  ///   - generation: identifies the server.
  ///   - cursor: the position of the browser, if it sends one.
  init(generation: String, after cursor: TrackingCursor?, in units: Units = .metric) {
    self.generation = generation
    self.units = units
    self.cursor = cursor
  }

  /// The events for the changes since the last state; `nil` if there are none.
  mutating func next(for state: TrackingState) -> String? {
    guard state != last?.state else { return nil }
    let update = TrackingUpdate(state, generation: generation, in: units)
    let walker = WalkerUpdate(state, in: units)
    let known = last
    last = (state, update, walker)
    let photos = state.photos
    let seen = cursor?.walk == update.walk ? cursor?.photo : nil
    let additions = seen.flatMap { photos.additions(after: $0) }
    cursor = TrackingCursor(walk: update.walk, photo: photos.count)
    var events = ""
    if let additions {
      if !additions.pins.isEmpty {
        events += event("photos", PhotoUpdate(additions, in: units, on: state.clocks))
      }
    } else {
      let all = PhotoLog.Additions(pins: photos.pins, cards: photos.cards)
      events += event("reset", PhotoUpdate(all, in: units, on: state.clocks))
    }
    if update != known?.update { events += event("state", update) }
    if walker != known?.walker { events += event("walker", walker) }
    return events.isEmpty ? nil : events
  }

  private func event(_ name: String, _ value: some Encodable) -> String {
    guard let data = try? ScriptJSON.encode(value) else { return "" }
    let id = cursor.map { "id: \($0)\n" } ?? ""
    return "event: \(name)\n\(id)data: \(String(decoding: data, as: UTF8.self))\n\n"
  }
}
