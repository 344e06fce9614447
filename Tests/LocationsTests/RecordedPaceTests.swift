import Foundation
import Geodesy
import Locations
import Testing

@Suite struct RecordedPaceTests {
  /// Speeds along fixes 2 m apart with times at these seconds.
  private func speeds(_ seconds: [Double?], _ options: ReplayOptions = ReplayOptions()) async throws
    -> [Double?]
  {
    let start = try Coordinate(latitude: 52, longitude: 13)
    let fixes = seconds.enumerated().map { number, second in
      Fix(
        start.destination(distance: Double(number) * 2, bearing: 90),
        time: second.map { SampleTracks.start.addingTimeInterval($0) })
    }
    let provider = ReplayLocationProvider(
      fixes, speed: .max, clock: VirtualClock(), options: options)
    return try await provider.allUpdates().fixes.map(\.speed)
  }

  @Test func timesInOrderTellTheSpeed() async throws {
    let speeds = try await speeds([0, 1, 2, 3])
    #expect(speeds[0] == nil)
    #expect(speeds.dropFirst().allSatisfy { abs(($0 ?? 0) - 2) < 1e-6 })
  }

  @Test func aWalkBackwardsHasItsSpeedToo() async throws {
    let speeds = try await speeds([0, 1, 2, 3], ReplayOptions(isReversed: true))
    #expect(speeds.dropFirst().allSatisfy { abs(($0 ?? 0) - 2) < 1e-6 })
  }

  @Test func fixesBetweenThoseRecordedHaveTheirSpeed() async throws {
    let speeds = try await speeds([0, 4, 8], ReplayOptions(interpolation: .interval(.seconds(1))))
    #expect(speeds.count == 9)
    #expect(speeds.dropFirst().allSatisfy { abs(($0 ?? 0) - 0.5) < 1e-6 })
  }

  @Test(arguments: [2, 4, 10])
  func timesThatRepeatTellTheSpeedBetweenThem(fixesPerTime: Int) async throws {
    let seconds = (0..<60).map { Double($0 / fixesPerTime * fixesPerTime) as Double? }
    let known = try await speeds(seconds).compactMap(\.self)
    #expect(known.count >= 30)
    #expect(known.allSatisfy { abs($0 - 2) < 1e-6 })
  }

  @Test func onlyTheTimeOutOfLineHasNoSpeed() async throws {
    let seconds = (0..<20).map { $0 == 10 ? 9_000 : 15 * Double($0) }
    let speeds = try await speeds(seconds)
    #expect(speeds.indices { $0 == nil }.ranges.map(\.lowerBound) == [0, 10])
    #expect(speeds.compactMap(\.self).allSatisfy { abs($0 - 2.0 / 15) < 1e-6 })
  }

  @Test func onlyTheStepBackInTimeHasNoSpeed() async throws {
    let speeds = try await speeds((0..<20).map { Double($0) } + (10..<30).map { Double($0) })
    #expect(speeds[20] == nil)
    #expect(speeds.compactMap(\.self).allSatisfy { abs($0 - 2) < 1e-6 })
  }

  @Test(
    arguments: [
      [nil, nil, nil], [0, 0, 0], [30, 20, 10], [0, nil, 0],
    ] as [[Double?]])
  func timesThatSayNothingTellNoSpeed(seconds: [Double?]) async throws {
    #expect(try await speeds(seconds) == [nil, nil, nil])
  }
}
