import Locations

/// The permissions that a user can choose, by name.
package enum PermissionName: String, CaseIterable, Sendable {
  case authorized, denied, restricted
  case notDetermined = "not-determined"

  package var status: AuthorizationStatus {
    switch self {
    case .authorized: .authorizedWhenInUse
    case .denied: .denied
    case .restricted: .restricted
    case .notDetermined: .notDetermined
    }
  }
}

/// A scripted permission: one step per line, with its position on the walk and the new permission.
/// Empty lines and lines that begin with # are ignored.
package enum PermissionScript {
  /// An invalid line, counted from 1.
  package struct InvalidLine: Error {
    package let number: Int
  }

  /// Parses the steps.
  package static func steps(in text: String) throws(InvalidLine) -> [AuthorizationChange] {
    var steps: [AuthorizationChange] = []
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
      guard let first = words.first, !first.hasPrefix("#") else { continue }
      guard words.count == 2, let place = ReplayPosition(text: first),
        let name = PermissionName(rawValue: words[1]), let step = step(at: place, name.status)
      else { throw InvalidLine(number: index + 1) }
      steps.append(step)
    }
    return steps
  }

  private static func step(
    at place: ReplayPosition, _ status: AuthorizationStatus
  ) -> AuthorizationChange? {
    switch place {
    case .elapsed(.zero), .meters(0): .initially(status)
    case .elapsed(let elapsed): .after(elapsed, status)
    case .meters(let meters): .at(meters: meters, status)
    case .end: nil
    }
  }
}
