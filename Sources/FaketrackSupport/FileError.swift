import Foundation

/// A failed system call on a file.
package struct FileError: Error, Hashable, Sendable {
  /// The code of a pipe or device in the place of a file, which no call reports.
  package static let notAFile: Int32 = -1
  /// The code of a file with more bytes than ``WholeFile`` may read.
  package static let tooLarge: Int32 = -2
  /// The code of a pipe or device that does not end.
  package static let unending: Int32 = -3

  package let path: String
  /// The `errno` of the call, or one of the codes above.
  package let code: Int32

  package init(path: String, code: Int32 = errno) {
    self.path = path
    self.code = code
  }

  /// The cause of an error of Foundation; `nil` for an error that does not come from the system.
  package init?(foundation error: any Error) {
    let error = error as NSError
    guard error.domain == NSCocoaErrorDomain,
      let cause = (error.userInfo[NSUnderlyingErrorKey] as? any Error) as NSError?,
      cause.domain == NSPOSIXErrorDomain
    else { return nil }
    let path = error.userInfo[NSFilePathErrorKey] as? String
    self.init(path: path ?? "a file", code: Int32(cause.code))
  }

  package var reason: String {
    switch code {
    case Self.notAFile: "it is not a regular file"
    case Self.tooLarge: "it is too large"
    case Self.unending: "it does not end"
    default: String(cString: strerror(code))
    }
  }
}
