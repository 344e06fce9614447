import FaketrackFeatures
import Foundation
import Locations

/// A scripted permission: a line for each step, its place on the walk and what the permission
/// becomes. Empty lines and those that begin with # are comments.
enum PermissionScriptFile {
  /// Reads a script.
  ///
  /// - Throws: `Failure` that names the line which is not a step.
  static func read(_ path: String) throws -> [AuthorizationChange] {
    let text: String
    do {
      text = try String(contentsOfFile: path, encoding: .utf8)
    } catch {
      throw Failure(
        message: "\(path): cannot be read", hint: "Check the name and the permissions of the file.")
    }
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return try lines.enumerated().compactMap { number, line in
      let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
      guard let first = words.first, !first.hasPrefix("#") else { return nil }
      guard words.count == 2, let place = ReplayPosition(text: first),
        let name = PermissionName(rawValue: words[1])
      else {
        let names = PermissionName.allCases.map(\.rawValue).joined(separator: ", ")
        throw Failure(
          message: "\(path):\(number + 1): not a step of a permission script",
          hint: "Write a place and a permission, such as 3s authorized or 2km denied; "
            + "permissions are \(names).",
          kind: .unusableInput)
      }
      return step(at: place, name.status)
    }
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
