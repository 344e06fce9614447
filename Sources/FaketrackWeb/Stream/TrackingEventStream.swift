import FaketrackFeatures

/// The body of `GET /tracking/events`: server-sent events, made when the browser has room for them.
///
/// A slow browser gets fewer messages, always about the newest state; the walk never waits for it.
///
/// Source: https://html.spec.whatwg.org/multipage/server-sent-events.html
struct TrackingEventStream: AsyncSequence {
  let states: AsyncStream<TrackingState>
  let messages: TrackingMessages
  /// The pause after each message: a screen needs no more than ten a second.
  var pause = Duration.milliseconds(100)

  func makeAsyncIterator() -> Iterator {
    Iterator(states: states.makeAsyncIterator(), messages: messages, pause: pause)
  }

  struct Iterator: AsyncIteratorProtocol {
    private var states: AsyncStream<TrackingState>.Iterator
    private var messages: TrackingMessages
    private let pause: Duration
    private var isFirst = true

    fileprivate init(
      states: AsyncStream<TrackingState>.Iterator, messages: TrackingMessages, pause: Duration
    ) {
      self.states = states
      self.messages = messages
      self.pause = pause
    }

    mutating func next() async throws -> [UInt8]? {
      if !isFirst, pause > .zero { try await Task.sleep(for: pause) }
      guard let state = await states.next(), !Task.isCancelled else { return nil }
      let greeting = isFirst ? "retry: 1000\n\n" : ""
      isFirst = false
      // A comment keeps the connection alive, and finds out whether there still is one.
      return Array((greeting + (messages.next(for: state) ?? ":\n\n")).utf8)
    }
  }
}

/// What a browser has seen of the walks: the id of the events.
struct TrackingCursor: Hashable, Sendable, CustomStringConvertible {
  /// The walk, as ``TrackingUpdate/walk`` names it.
  var walk: String
  /// The number of the newest photo that it has.
  var photo: Int

  init(walk: String, photo: Int) {
    self.walk = walk
    self.photo = photo
  }

  /// Reads what ``description`` writes; `nil` for any other text.
  init?(_ text: String) {
    let pieces = text.split(separator: ".", omittingEmptySubsequences: false)
    guard pieces.count == 2, let photo = Int(pieces[1]), photo >= 0 else { return nil }
    self.init(walk: String(pieces[0]), photo: photo)
  }

  var description: String { "\(walk).\(photo)" }
}

/// The events that keep one browser up to date.
///
/// Each photo comes once: as a card, or as a pin alone when there were too many at once. A browser that
/// missed more than is remembered starts over with all that there is.
struct TrackingMessages: Sendable {
  private let era: String
  private let units: Units
  private let shape: @Sendable (Int?) -> TrackShape?
  private var cursor: TrackingCursor?
  private var last: (state: TrackingState, update: TrackingUpdate, walker: WalkerUpdate)?

  /// - Parameters:
  ///   - era: distinguishes the walks of this server from those of earlier ones.
  ///   - cursor: what the browser has already, if it says so.
  ///   - shape: finds the shape of a track, once it is known.
  init(
    era: String, after cursor: TrackingCursor?, in units: Units = .metric,
    shape: @escaping @Sendable (Int?) -> TrackShape? = { _ in nil }
  ) {
    self.era = era
    self.shape = shape
    self.units = units
    self.cursor = cursor
  }

  /// The events for what has changed since the last state; `nil` if nothing has.
  mutating func next(for state: TrackingState) -> String? {
    guard state != last?.state else { return nil }
    let shape = shape(state.track)
    let (update, walker) = (
      TrackingUpdate(state, on: shape, era: era, in: units),
      WalkerUpdate(state, on: shape, in: units)
    )
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
