import Geodesy
import Locations

/// The view model of an app. Of this package it knows only the protocol.
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
      switch update {
      case .authorization(.notDetermined): banner = .permissionNeeded
      case .authorization(let status): banner = status.isAuthorized ? nil : .permissionDenied
      case .fix(let fix): visited.append(fix)
      case .unavailable: break
      }
    }
  }
}
