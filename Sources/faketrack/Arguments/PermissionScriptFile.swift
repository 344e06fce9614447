import FaketrackFeatures
import Foundation
import Locations

/// The file of a scripted permission.
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
    do {
      return try PermissionScript.steps(in: text)
    } catch {
      let names = PermissionName.allCases.map(\.rawValue).joined(separator: ", ")
      throw Failure(
        message: "\(path):\(error.number): not a step of a permission script",
        hint: "Write a place and a permission, such as 3s authorized or 2km denied; "
          + "permissions are \(names).",
        kind: .unusableInput)
    }
  }
}
