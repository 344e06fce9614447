import FaketrackSupport
import FaketrackTestSupport
import Testing

@testable import FaketrackFeatures

@Suite struct OrderedOutputTests {
  /// The texts that were written, and the number of tracks that were worked on concurrently.
  private final class Log: Sendable {
    struct State {
      var texts: [String] = []
      var begun: [Int] = []
      var running = 0
      var peak = 0
    }
    let state = Locked(State())

    var texts: [String] { state.withLock(\.texts) }
    var written: Int { state.withLock(\.texts.count) }
    var begun: Int { state.withLock(\.begun.count) }
    var peak: Int { state.withLock(\.peak) }

    func begin(_ number: Int) {
      state.withLock {
        $0.begun.append(number)
        $0.running += 1
        $0.peak = max($0.peak, $0.running)
      }
    }

    func end() { state.withLock { $0.running -= 1 } }

    func write(_ chunks: [TrackChunk]) {
      state.withLock { $0.texts += chunks.map(\.text.string) }
    }
  }

  /// Tracks named by their numbers.
  private static func tracks(_ count: Int) -> @Sendable () async throws -> BatchTrack? {
    let next = Locked(0)
    return {
      let number = next.withLock { number -> Int in
        defer { number += 1 }
        return number
      }
      return number < count
        ? BatchTrack("\(number)", .bytes([], name: nil)) : nil
    }
  }

  private static func chunk(_ text: String) -> TrackChunk {
    var chunk = TrackChunk()
    chunk.text.append(contentsOf: text)
    chunk.ends = [chunk.text.count]
    return chunk
  }

  @Test(arguments: [1, 2, 3, 16])
  func theOutputIsInTheOrderOfTheTracks(jobs: Int) async throws {
    let log = Log()
    try await OrderedOutput.run(
      jobs: jobs, next: Self.tracks(200),
      work: { track, lane in
        let number = Int(track.id) ?? 0
        log.begin(number)
        for piece in 0..<(number % 7) {
          // Some tracks are slower than the tracks after them.
          if number.isMultiple(of: 3) { await Task.yield() }
          try? await lane.put(Self.chunk("\(number).\(piece)"))
        }
        log.end()
      },
      write: { chunks, _ in log.write(chunks) })
    #expect(
      log.texts == (0..<200).flatMap { number in (0..<(number % 7)).map { "\(number).\($0)" } })
    #expect(log.begun == 200)
    #expect(log.peak <= jobs)
  }

  @Test func theFirstPiecesOfATrackAreMarked() async throws {
    let marks = Locked<[String]>([])
    try await OrderedOutput.run(
      jobs: 2, next: Self.tracks(3),
      work: { track, lane in
        for piece in 0..<20 { try? await lane.put(Self.chunk("\(track.id).\(piece)")) }
      },
      write: { chunks, isFirst in
        if isFirst { marks.withLock { $0.append(chunks[0].text.string) } }
      })
    #expect(marks.withLock(\.self) == ["0.0", "1.0", "2.0"])
  }

  @Test func aTrackIsWrittenWhileItIsWorkedOn() async throws {
    let written = Latch()
    try await OrderedOutput.run(
      jobs: 1, next: Self.tracks(1),
      work: { _, lane in
        try? await lane.put(Self.chunk("first"))
        await written.hold()
        try? await lane.put(Self.chunk("second"))
      },
      write: { chunks, _ in if chunks.first?.text.string == "first" { await written.open() } })
  }

  @Test func whoIsTooFarAheadWaits() async throws {
    let log = Log()
    let megabyte = String(repeating: "x", count: 1 << 20)
    let blocked = Latch()
    let task = Task {
      try await OrderedOutput.run(
        jobs: 4, next: Self.tracks(100),
        work: { track, lane in
          log.begin(Int(track.id) ?? 0)
          if track.id == "0" { await blocked.hold() }
          try? await lane.put(Self.chunk(megabyte))
          log.end()
        },
        write: { chunks, _ in log.write(chunks) })
    }
    // The tracks that may begin: 8 MB of waiting output, and one track for each job.
    while log.begun < 8 { await Task.yield() }
    try await Task.sleep(for: .milliseconds(50))
    #expect(log.begun <= 8 + 4)
    #expect(log.written == 0)
    await blocked.open()
    try await task.value
    #expect(log.written == 100)
  }

  @Test func aWriteThatFailsEndsTheWork() async throws {
    let log = Log()
    await #expect(throws: Broken.self) {
      try await OrderedOutput.run(
        jobs: 2, next: Self.tracks(1_000_000),
        work: { track, lane in
          log.begin(0)
          try? await lane.put(Self.chunk(track.id))
          log.end()
        },
        write: { chunks, _ in
          log.write(chunks)
          if log.written >= 3 { throw Broken() }
        })
    }
    #expect(log.begun < 2_000)
  }

  @Test func aListThatBreaksOffIsToldAfterTheTracksBefore() async throws {
    let log = Log()
    let tracks = Self.tracks(5)
    await #expect(throws: Broken.self) {
      try await OrderedOutput.run(
        jobs: 2,
        next: {
          guard let track = try await tracks() else { throw Broken() }
          return track
        },
        work: { track, lane in try? await lane.put(Self.chunk(track.id)) },
        write: { chunks, _ in log.write(chunks) })
    }
    #expect(log.texts == ["0", "1", "2", "3", "4"])
  }

  @Test func aCanceledTaskEnds() async throws {
    let log = Log()
    let task = Task {
      try await OrderedOutput.run(
        jobs: 2, next: Self.tracks(.max),
        work: { track, lane in
          log.begin(0)
          try? await lane.put(Self.chunk(track.id))
          log.end()
        },
        write: { chunks, _ in log.write(chunks) })
    }
    while log.written < 100 { await Task.yield() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
