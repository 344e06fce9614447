import Geodesy
import Locations
import Observation

/// The screen of a walk: the places visited so far, and a banner when something is wrong.
@MainActor @Observable
public final class WalkModel {
  /// The message above the map.
  public enum Banner: Hashable, Sendable {
    case asking
    case permissionDenied
    case noSignal
  }

  /// The places visited so far.
  public private(set) var visited: [Fix] = []
  /// The current message; `nil` if all is well.
  public private(set) var banner: Banner?

  private let locations: any LocationProviding

  /// Creates the screen of a walk with a source of locations.
  public init(locations: any LocationProviding) {
    self.locations = locations
  }

  /// The distance walked in meters.
  public var distance: Double { visited.last?.distance ?? 0 }

  /// Follows the provider until it ends or the task is canceled.
  public func run() async throws {
    for try await update in locations.updates() {
      if let status = update.authorization {
        banner = status.isAuthorized ? nil : status == .notDetermined ? .asking : .permissionDenied
      }
      if update.locationUnavailable { banner = .noSignal }
      if let fix = update.location {
        banner = nil
        visited.append(fix)
      }
    }
  }
}
