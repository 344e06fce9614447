import FaketrackSupport
import Foundation
import Geodesy
import Locations
import Testing

/// Synthetic tracks.
enum SampleTracks {
  static let start = Date(timeIntervalSince1970: 1_777_622_400)

  /// North along a meridian from 52° N, one fix a second and `step` meters apart, plus a little so
  /// that whole distances are reached.
  static func north(
    seconds: Int, step: Double = 1.3, isTimed: Bool = true, segment: Int = 0
  ) throws -> [Fix] {
    let start = try Coordinate(latitude: 52, longitude: 13)
    return (0...seconds).map { second in
      Fix(
        start.destination(distance: Double(second) * step * (1 + 1e-6), bearing: 0),
        time: isTimed ? SampleTracks.start.addingTimeInterval(Double(second)) : nil,
        segment: segment)
    }
  }
}

extension Sequence where Element == LocationUpdate {
  var fixes: [Fix] { compactMap(\.location) }
}

extension LocationProviding {
  /// Every update until the end.
  func allUpdates() async throws -> [LocationUpdate] {
    var all: [LocationUpdate] = []
    for try await update in updates() { all.append(update) }
    return all
  }
}

/// Records the updates of a provider, to be read from any thread.
final class UpdateRecorder: Sendable {
  private let taken = Locked<[LocationUpdate]>([])

  var updates: [LocationUpdate] { taken.withLock { $0 } }

  /// The number of fixes so far.
  var count: Int { updates.fixes.count }

  func record(_ update: LocationUpdate) { taken.withLock { $0.append(update) } }

  /// Records every update until the end.
  func run(_ provider: some LocationProviding) async throws {
    for try await update in provider.updates() { record(update) }
  }
}
