import FaketrackFeatures
import Foundation
import Locations
import Testing

@testable import FaketrackWeb

/// What a browser makes of a stream of events.
private struct Listener {
  var pins: [Int] = []
  var cards: [Int] = []
  var resets = 0
  var lastID: String?
  var phase: String?

  mutating func receive(_ text: String) throws {
    for event in text.components(separatedBy: "\n\n") where event.contains("event: ") {
      var fields: [String: String] = [:]
      for line in event.split(separator: "\n") {
        let parts = line.split(separator: ":", maxSplits: 1)
        fields[String(parts[0])] = parts[1].trimmingCharacters(in: .whitespaces)
      }
      lastID = fields["id"]
      let object = try JSONSerialization.jsonObject(with: Data((fields["data"] ?? "").utf8))
      let data = try #require(object as? [String: Any])
      switch fields["event"] {
      case "reset":
        resets += 1
        (pins, cards) = ([], [])
        try add(data)
      case "photos": try add(data)
      case "state": phase = data["phase"] as? String
      default: Issue.record("unknown event \(fields)")
      }
    }
  }

  private mutating func add(_ data: [String: Any]) throws {
    let numbers = try #require(data["pins"] as? [Double])
    pins += stride(from: 0, to: numbers.count, by: 4).map { Int(numbers[$0]) }
    let items = try #require(data["cards"] as? [[String: Any]])
    cards += items.compactMap { $0["number"] as? Int }
  }
}

@MainActor
@Suite struct WalkEventsTests {
  @Test func everyPhotoComesOnceHoweverSeldomOneLooks() async throws {
    let session = WalkSession.make(WalkWorkshop(), kilometers: 12)
    var eager = Listener()
    var events = WalkEvents(after: nil)
    await session.start(try #require(session.track))
    await session.wait { session in
      if let text = events.next(from: session) { try? eager.receive(text) }
      return !session.isUnderWay
    }
    #expect(session.photos.count == 121)
    #expect(eager.pins == Array(1...121))
    #expect(Set(eager.cards).count == eager.cards.count)
    #expect(eager.phase == "ended")

    var late = Listener()
    var lateEvents = WalkEvents(after: nil)
    let all = lateEvents.next(from: session)
    try late.receive(#require(all))
    #expect(late.pins == Array(1...121))
    #expect(late.cards == Array(92...121))
  }

  @Test func whoComesBackGetsWhatWasMissedAndNothingTwice() async throws {
    let session = WalkSession.make(WalkWorkshop())
    await session.start(try #require(session.track))
    await session.wait { !$0.isUnderWay }
    for seen in 0...21 {
      var events = WalkEvents(after: WalkCursor(walk: session.view.walk, photo: seen))
      var listener = Listener()
      let text = events.next(from: session)
      try listener.receive(#require(text))
      #expect(listener.resets == 0)
      #expect(listener.pins == Array(seen..<21).map { $0 + 1 })
      #expect(listener.cards == listener.pins)
      #expect(listener.lastID == "\(session.view.walk).21")
    }
  }

  @Test(arguments: ["other-1.3", "nonsense", "other-1.999"])
  func whoComesFromAnotherWalkBeginsAnew(_ id: String) async throws {
    let session = WalkSession.make(WalkWorkshop())
    await session.start(try #require(session.track))
    await session.wait { !$0.isUnderWay }
    var events = WalkEvents(after: WalkCursor(id))
    var listener = Listener()
    let text = events.next(from: session)
    try listener.receive(#require(text))
    #expect(listener.resets == 1)
    #expect(listener.pins == Array(1...21))
  }

  @Test func withoutNewsThereIsNothingToSay() async throws {
    let session = WalkSession.make(WalkWorkshop())
    var events = WalkEvents(after: nil)
    let (first, second) = (events.next(from: session), events.next(from: session))
    #expect(first != nil && second == nil)
    session.setSpeed(.multiple(10))
    let third = events.next(from: session)
    #expect(third?.contains("\"speed\":\"10\"") == true)
  }

  @Test func theStreamGreetsAndEndsWithItsTask() async throws {
    let session = WalkSession.make(WalkWorkshop())
    let stream = EventStream(session: session, signals: session.signals.signals(), cursor: nil)
    let reading = Task.detached {
      var iterator = stream.makeAsyncIterator()
      let first = try await iterator.nextBuffer(suggested: 1)
      // Nothing changes any more: waits until the task is cancelled.
      let second = try? await iterator.nextBuffer(suggested: 1)
      return (first, second)
    }
    await session.wait { _ in true }
    reading.cancel()
    let (first, second) = try await reading.value
    if let first {
      #expect(String(decoding: first, as: UTF8.self).hasPrefix("retry: 1000\n\nevent: reset\n"))
    }
    #expect(second == nil)
  }
}
