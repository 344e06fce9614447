import CustomProvider
import Foundation
import Geodesy
import Locations
import Testing

@Suite struct JSONLinesProviderTests {
  private struct Broken: Error {}

  private func updates(of lines: [String]) async throws -> [LocationUpdate] {
    let stream = AsyncStream<String> { continuation in
      for line in lines { continuation.yield(line) }
      continuation.finish()
    }
    var seen: [LocationUpdate] = []
    for try await update in JSONLinesProvider(stream).updates() { seen.append(update) }
    return seen
  }

  @Test func aLineIsAFix() async throws {
    let seen = try await updates(of: [
      #"{"lat":52.4,"lon":13.05,"time":"2026-05-01T08:00:00Z"}"#, #"{"lat":-1,"lon":180}"#,
    ])
    let first = Fix(
      try Coordinate(latitude: 52.4, longitude: 13.05),
      time: Date(timeIntervalSince1970: 1_777_622_400))
    let second = Fix(try Coordinate(latitude: -1, longitude: 180))
    #expect(seen == [.authorization(.authorizedWhenInUse), .location(first), .location(second)])
  }

  @Test(arguments: [
    "", "{}", "null", #"{"lat":1}"#, #"{"lat":91,"lon":0}"#, #"{"lat":"1","lon":0}"#,
  ])
  func aLineWithoutAPositionIsALossOfSignal(line: String) async throws {
    #expect(try await updates(of: [line]).last == .unavailable)
  }

  @Test func anErrorOfTheLinesEndsTheUpdates() async {
    let lines = AsyncThrowingStream<String, any Error> { $0.finish(throwing: Broken()) }
    await #expect(throws: Broken.self) {
      for try await _ in JSONLinesProvider(lines).updates() {}
    }
  }

  @Test func cancelingStopsListening() async {
    let (lines, continuation) = AsyncStream<String>.makeStream()
    let listening = Task {
      for try await _ in JSONLinesProvider(lines).updates() {}
    }
    await withCheckedContinuation { ended in
      continuation.onTermination = { _ in ended.resume() }
      listening.cancel()
    }
  }
}
