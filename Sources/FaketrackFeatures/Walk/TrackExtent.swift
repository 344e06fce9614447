import Foundation
import Geodesy
import Locations

/// The length and the duration of a track, and its positions at dates.
package struct TrackExtent: Sendable {
  private var length = 0.0
  private var elapsed = 0.0
  /// The last usable time.
  private var last: Date?
  /// The track time of the first usable time at or after each date.
  private var elapsedAtDates: [Date: Double] = [:]

  /// Reads a track to its end, or to the place where it breaks off.
  ///
  /// - Parameters:
  ///   - options: the options of the replay, without its part.
  ///   - dates: the dates to look for.
  package init(_ track: Track, _ options: ReplayOptions, dates: [Date]) async {
    var options = options
    (options.laps, options.startTime) = (1, nil)
    let provider = ReplayLocationProvider(
      batches: track.fixes().batches, speed: .max, clock: ContinuousClock(), options: options)
    // The replay reports why a file breaks off.
    try? await read(provider.updates(), dates)
  }

  private mutating func read(_ updates: LocationUpdates, _ dates: [Date]) async throws {
    for try await update in updates {
      guard let fix = update.location else { continue }
      (length, elapsed) = (fix.distance ?? length, fix.elapsedSeconds ?? elapsed)
      guard let time = fix.time else { continue }
      last = time
      for date in dates where time >= date && elapsedAtDates[date] == nil {
        elapsedAtDates[date] = elapsed
      }
    }
  }

  /// The position of a place.
  ///
  /// - Parameter option: the option that names it, for the error.
  /// - Throws: `Failure` for a date without a usable time at or after it.
  package func position(of place: TrackPlace, _ option: String) throws(Failure) -> ReplayPosition {
    switch place {
    case .position(let position): return position
    case .beforeEnd(let position):
      switch position.place {
      case .meters(let meters): return .meters(max(0, length - meters))
      case .elapsed(let time): return .elapsed(max(.zero, .seconds(elapsed) - time))
      case .start, .end: return position
      }
    case .date(let date):
      if let elapsed = elapsedAtDates[date] { return .elapsed(.seconds(elapsed)) }
      if option == "--to", last != nil { return .end }
      throw Failure(
        message: last.map { "\(option): the times of the track end at \($0.formatted(.iso8601))" }
          ?? "\(option): the track has no usable times",
        hint: last == nil
          ? "Give a distance such as 500m, or a track time such as 10min."
          : "Give an earlier date, a distance such as 500m, or a track time such as 10min.",
        kind: .wrongUsage)
    }
  }
}
