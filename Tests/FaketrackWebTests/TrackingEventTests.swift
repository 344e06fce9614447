import Foundation
import Geodesy
import Locations
import Testing

@testable import FaketrackFeatures
@testable import FaketrackWeb

/// The state of a browser after a stream of events.
private struct Listener {
  var pins: [Int] = []
  var cards: [Int] = []
  var names: [String] = []
  var lastID: String?
  var state: [String: Any] = [:]
  var walker: [String: Any] = [:]
  var parts: [Set<String>] = []

  init() {}

  init(_ text: String?) throws {
    try receive(text)
  }

  mutating func receive(_ text: String?) throws {
    let text = try #require(text)
    for event in text.components(separatedBy: "\n\n") where event.contains("event: ") {
      var fields: [String: String] = [:]
      for line in event.split(separator: "\n") {
        let sides = line.split(separator: ":", maxSplits: 1)
        fields[String(sides[0])] = sides[1].trimmingCharacters(in: .whitespaces)
      }
      lastID = fields["id"]
      let object = try JSONSerialization.jsonObject(with: Data((fields["data"] ?? "").utf8))
      let data = try #require(object as? [String: Any])
      names.append(fields["event"] ?? "")
      switch fields["event"] {
      case "reset":
        (pins, cards) = ([], [])
        try add(data)
      case "photos": try add(data)
      case "state": state = data
      case "walker": walker = data
      case "parts": parts.append(Set(data.keys))
      default: Issue.record("unknown event \(fields)")
      }
    }
  }

  private mutating func add(_ data: [String: Any]) throws {
    #expect(Set(data.keys) == ["pins", "images", "cards"])
    let numbers = try #require(data["pins"] as? [Double])
    pins += stride(from: 0, to: numbers.count, by: 4).map { Int(numbers[$0]) }
    let items = try #require(data["cards"] as? [[String: Any]])
    for item in items {
      let number = try #require(item["number"] as? Int)
      let html = try #require(item["html"] as? String)
      #expect(html.contains("id=\"photo-\(number)\""))
      cards.append(number)
    }
  }
}

@Suite struct TrackingCursorTests {
  @Test(arguments: [("a1-3", 0), ("era-1", 12), ("", 5), ("x", Int.max)])
  func readsWhatItWrites(_ walk: String, photo: Int) {
    let cursor = TrackingCursor(walk: walk, photo: photo)
    #expect(TrackingCursor(cursor.description) == cursor)
  }

  @Test(arguments: [
    "", "nonsense", "era-1", "era-1.", "era-1.x", "era-1.-1", "era-1.3.4",
    "era-1.99999999999999999999", ".", "..",
  ])
  func readsNothingElse(_ text: String) {
    #expect(TrackingCursor(text) == nil)
  }
}

@Suite struct TrackingMessagesTests {
  /// A walk with two photos on a track that has been read.
  private func walk(kilometers: Double) throws -> TrackingState {
    var state = try Walks.state(photos: 2)
    state.entry = TrackCatalog.Entry(
      id: 1, name: "walk.gpx",
      shape: .loaded(try Walks.shape(Walks.gpx(kilometers: kilometers))))
    return state
  }

  @Test func aNewBrowserGetsAllThatThereIs() throws {
    var messages = TrackingMessages(generation: "e", after: nil)
    let listener = try Listener(messages.next(for: Walks.state(photos: 40)))
    #expect(listener.names == ["reset", "state", "parts", "walker"])
    #expect(listener.pins == Array(1...40))
    #expect(listener.cards == Array(11...40))
    #expect(listener.lastID == "e-1.40")
  }

  @Test(arguments: [1, 2, 7, 30, 45, 200])
  func everyPhotoComesOnceHoweverSeldomOneLooks(step: Int) throws {
    var state = try Walks.state()
    var messages = TrackingMessages(generation: "e", after: nil)
    var listener = try Listener(messages.next(for: state))
    for first in stride(from: 1, through: 400, by: step) {
      try Walks.add(first...first + step - 1, to: &state)
      try listener.receive(messages.next(for: state))
    }
    #expect(listener.pins == Array(1...listener.pins.count))
    #expect(listener.pins.count >= 400)
    #expect(Set(listener.cards).count == listener.cards.count)
    #expect(listener.names.filter { $0 == "reset" }.count == 1)
    if step <= PhotoLog.cardLimit { #expect(listener.cards == listener.pins) }
  }

  @Test(arguments: 0...21)
  func aReturningBrowserGetsMissedPhotosOnce(seen: Int) throws {
    var messages = TrackingMessages(
      generation: "e", after: TrackingCursor(walk: "e-1", photo: seen))
    let listener = try Listener(messages.next(for: Walks.state(photos: 21)))
    #expect(listener.names == (seen == 21 ? [] : ["photos"]) + ["state", "parts", "walker"])
    #expect(listener.pins == Array(seen..<21).map { $0 + 1 })
    #expect(listener.cards == listener.pins)
    #expect(listener.lastID == "e-1.21")
  }

  @Test(arguments: ["other-1.3", "e-2.3", "e.3", "nonsense", "e-1.999", "e-1.22"])
  func aBrowserFromAnotherWalkIsReset(_ id: String) throws {
    var messages = TrackingMessages(generation: "e", after: TrackingCursor(id))
    let listener = try Listener(messages.next(for: Walks.state(photos: 21)))
    #expect(listener.names == ["reset", "state", "parts", "walker"])
    #expect(listener.pins == Array(1...21))
  }

  @Test func aBrowserThatMissedTooManyPhotosIsReset() throws {
    let state = try Walks.state(photos: PhotoLog.pinLimit * 2)
    var messages = TrackingMessages(generation: "e", after: TrackingCursor(walk: "e-1", photo: 1))
    let listener = try Listener(messages.next(for: state))
    #expect(listener.names == ["reset", "state", "parts", "walker"])
    #expect(listener.pins.last == PhotoLog.pinLimit * 2)
    #expect(listener.cards.count == PhotoLog.cardLimit)
  }

  @Test func aNewWalkStartsOver() throws {
    var state = try Walks.state(photos: 5)
    var messages = TrackingMessages(generation: "e", after: nil)
    var listener = try Listener(messages.next(for: state))
    state.apply(.reset(track: 2))
    state.apply(.started(at: 0))
    try listener.receive(messages.next(for: state))
    #expect(listener.names == ["reset", "state", "parts", "walker", "reset", "state", "walker"])
    #expect(listener.pins.isEmpty && listener.lastID == "e-2.0")
    #expect(listener.state["track"] as? Int == 2)
    #expect(listener.state["walk"] as? String == "e-2")
  }

  @Test func movingToAnotherPlaceKeepsThePhotos() throws {
    var state = try Walks.state(photos: 5)
    var messages = TrackingMessages(generation: "e", after: nil)
    var listener = try Listener(messages.next(for: state))
    state.apply(.started(at: 100))
    try listener.receive(messages.next(for: state))
    #expect(listener.names == ["reset", "state", "parts", "walker", "state", "walker"])
    #expect(listener.pins == Array(1...5))
    #expect(listener.state["legs"] as? [Double] == [0, 500, 100])
  }

  @Test func movementSendsOnlyTheWalker() throws {
    var state = try walk(kilometers: 1)
    var messages = TrackingMessages(generation: "e", after: nil)
    var listener = try Listener(messages.next(for: state))
    state.apply(
      .moved(
        to: TrackShape.Place(
          coordinate: try Coordinate(latitude: 52, longitude: 13.004), distance: 256.04,
          course: 89.6, speed: 1.25, elevation: 34.6)))
    try listener.receive(messages.next(for: state))
    #expect(listener.names == ["reset", "state", "parts", "walker", "walker"])
    #expect(listener.lastID == "e-1.2")
    #expect(listener.walker["meters"] as? Double == 256)
    #expect(listener.walker["course"] as? Double == 90)
    #expect(listener.walker["position"] as? [Double] == [52, 13.004])
    #expect(
      listener.walker["texts"] as? [String: String] == [
        "position": "256 m of 1.0 km", "distance": "256 m", "time": "", "elapsed": "3 min",
        "moving": "3 min", "pace": "13:20 /km", "average": "12:49 /km", "elevation": "35 m",
        "ascent": "5 m",
      ])
  }

  @Test func onlyThePartsThatHaveChangedAreSent() throws {
    var state = try walk(kilometers: 3)
    var messages = TrackingMessages(generation: "e", after: nil)
    var listener = try Listener(messages.next(for: state))
    for meters in [990.0, 1_010, 1_020] {
      state.apply(.updated([.location(Fix(try #require(state.fix).coordinate, distance: meters))]))
      try listener.receive(messages.next(for: state))
    }
    #expect(listener.parts == [["notice", "arrival", "splits"], ["splits"]])
  }

  @Test func withoutNewsThereIsNothingToSay() throws {
    var state = try Walks.state(photos: 3)
    var messages = TrackingMessages(generation: "e", after: nil)
    let (first, second) = (messages.next(for: state), messages.next(for: state))
    #expect(first != nil && second == nil)
    state.apply(.speedChanged(try #require(ReplaySpeed(multiple: 10))))
    let (third, fourth) = (messages.next(for: state), messages.next(for: state))
    let change = try #require(third)
    #expect(change.contains("\"speed\":\"10\"") && !change.contains("event: photos"))
    #expect(fourth == nil)
  }

  @Test func eachEventIsOneLineOfData() throws {
    var state = try Walks.state(photos: 2)
    var visit = try Walks.visit(3)
    visit.photo?.title = "two\nlines\r\ndata: forged\n\nevent: reset"
    state.apply(.visited([visit]))
    var messages = TrackingMessages(generation: "e", after: nil)
    let message = messages.next(for: state)
    let text = try #require(message)
    #expect(text.components(separatedBy: "\n\n").count == 5)
    #expect(text.components(separatedBy: "\nevent: ").count == 4)
    #expect(try Listener(text).names == ["reset", "state", "parts", "walker"])
  }
}

@Suite struct TrackingEventStreamTests {
  private func stream(
    _ store: StateStore<TrackingState>, after id: String? = nil
  ) -> TrackingEventStream {
    TrackingEventStream(
      states: store.states(),
      messages: TrackingMessages(generation: "e", after: id.flatMap { TrackingCursor($0) }),
      interval: .zero)
  }

  private func nextText(_ iterator: inout TrackingEventStream.Iterator) async throws -> String {
    let bytes = try await iterator.next()
    return String(decoding: try #require(bytes), as: UTF8.self)
  }

  @Test func greetsWithTheStateAndTellsChanges() async throws {
    let store = StateStore(try Walks.state(photos: 2))
    var iterator = stream(store).makeAsyncIterator()
    let first = try await nextText(&iterator)
    #expect(first.hasPrefix("retry: 1000\n\nevent: reset\n"))
    store.update { $0.apply(.paused) }
    let second = try await nextText(&iterator)
    #expect(
      second.hasPrefix("event: state\nid: e-1.2\n") && second.contains("\"phase\":\"paused\""))
  }

  @Test func aReturningBrowserGetsMissedEvents() async throws {
    let store = StateStore(try Walks.state(photos: 4))
    var iterator = stream(store, after: "e-1.2").makeAsyncIterator()
    let first = try await nextText(&iterator)
    let listener = try Listener(first)
    #expect(listener.names == ["photos", "state", "parts", "walker"] && listener.pins == [3, 4])
  }

  @Test func aHeartbeatIsAComment() async throws {
    let store = StateStore(try Walks.state())
    var iterator = stream(store).makeAsyncIterator()
    _ = try await iterator.next()
    for _ in 0..<3 {
      store.repeatState()
      let beat = try await nextText(&iterator)
      #expect(beat == ":\n\n")
    }
  }

  @Test func aSlowBrowserSkipsToTheNewestState() async throws {
    let store = StateStore(try Walks.state())
    var iterator = stream(store).makeAsyncIterator()
    _ = try await iterator.next()
    for number in 1...100 {
      let visit = try Walks.visit(number)
      store.update { $0.apply(.visited([visit])) }
    }
    let next = try await nextText(&iterator)
    let listener = try Listener(next)
    #expect(listener.pins == Array(1...100) && listener.names == ["photos", "state"])
  }

  @Test func endsWithItsTaskAndLeavesNobodyWatching() async throws {
    let store = StateStore(try Walks.state())
    let stream = stream(store)
    #expect(store.observerCount == 1)
    let reading = Task {
      var iterator = stream.makeAsyncIterator()
      _ = try? await iterator.next()
      // Nothing changes any more: waits until the task is cancelled.
      return try? await iterator.next()
    }
    reading.cancel()
    let last = await reading.value
    #expect(last == nil)
    #expect(store.observerCount == 0)
  }
}

@MainActor
@Suite struct TrackingEventAddressTests {
  @Test func theStreamStartsWithTheWalkOfThisServer() async throws {
    let website = Website.make()
    await website.tracking.walk()
    var messages = TrackingMessages(generation: website.generation, after: nil)
    let listener = try Listener(messages.next(for: website.tracking.state))
    #expect(listener.lastID == "\(website.generation)-1.11")
    #expect(listener.state["phase"] as? String == "ended")
  }

  @Test func tooManyWatchersAreTurnedAway() async throws {
    let website = Website.make()
    var streams = (1..<Website.streamLimit).map { _ in website.tracking.states() }
    #expect(streams.count == website.tracking.store.observerCount)
    let last = await website.get("/tracking/events")
    #expect(last.status == .ok)
    #expect(await website.get("/tracking/events").status == .serviceUnavailable)
    streams.removeLast()
    #expect(await website.get("/tracking/events").status == .ok)
    withExtendedLifetime((last, streams)) {}
  }
}
