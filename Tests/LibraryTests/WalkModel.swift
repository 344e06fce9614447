import Geodesy
import Locations

/// The view model of an app. It knows only the protocol of this package.
@MainActor final class WalkModel {
  enum Banner: Hashable {
    case permissionNeeded
    case permissionDenied
  }

  private(set) var visited: [Fix] = []
  private(set) var banner: Banner?
  private let locations: any LocationProviding

  init(locations: any LocationProviding) {
    self.locations = locations
  }

  func run() async throws {
    for try await update in locations.updates() {
      switch update.authorization {
      case nil: break
      case .notDetermined: banner = .permissionNeeded
      case let status?: banner = status.isAuthorized ? nil : .permissionDenied
      }
      if let fix = update.location { visited.append(fix) }
    }
  }
}
