import Cities
import FaketrackServices
import FaketrackSupport
import Foundation
import GPX
import Locations
import PhotoSearch
import Receivers

/// An error in words, with a hint for the user.
///
/// The modules throw facts; they become words here, for every screen and command.
package struct Failure: Error, Hashable, Sendable {
  /// The kind of cause, which determines the exit code of a command.
  package enum Kind: Hashable, Sendable {
    /// Something on this machine: a file, a database, a request that cannot be met.
    case failed
    /// The options contradict each other or name something that does not exist.
    case wrongUsage
    /// The input is invalid.
    case unusableInput
    /// A service did not answer or rejected the key.
    case serviceUnavailable
    /// The simulated location permission is missing.
    case permissionDenied
    /// As ``failed``, where that exit code means that an expectation is not met.
    case unchecked
  }

  /// The error, in one line.
  package var message: String
  package var hint: String?
  package var kind: Kind

  package init(message: String, hint: String? = nil, kind: Kind = .failed) {
    self.message = message
    self.hint = hint
    self.kind = kind
  }

  package init(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as any FailureConvertible: self = error.failure
    default:
      self = FileError(foundation: error)?.failure ?? Failure(message: "\(error)")
    }
  }

  /// An environment variable that does not hold the address of a service.
  package static func unusableAddress(in variable: String) -> Failure {
    Failure(
      message: "\(variable) is not the address of a service",
      hint: "Set it to an http or https URL, or unset it.", kind: .wrongUsage)
  }

  /// A file that cannot be read.
  ///
  /// - Parameter code: the `errno` of the call.
  package static func unreadable(_ path: String, code: Int32 = errno) -> Failure {
    Failure(
      message: "\(path): cannot be read: \(FileError(path: path, code: code).reason)",
      hint: "Check the name and the permissions of the file.")
  }

  /// The same failure with its subject in front: `walk.gpx: the file is empty`.
  package func about(_ subject: String) -> Failure {
    Failure(message: "\(subject): \(message)", hint: hint, kind: kind)
  }

  /// The same failure with the name of its track in front, unless it is there.
  package func naming(_ track: String) -> Failure {
    message.hasPrefix(track + ":") ? self : about(track)
  }
}

/// An error that can be put into words for the user.
package protocol FailureConvertible: Error {
  var failure: Failure { get }
}

extension GPXError: FailureConvertible {
  package var failure: Failure {
    switch cause.kind {
    case .unreadable, .unwritable: Failure(message: description, hint: recoverySuggestion)
    default: Failure(message: description, hint: recoverySuggestion, kind: .unusableInput)
    }
  }
}

extension GPXRecording.TooLong: FailureConvertible {
  package var failure: Failure {
    Failure(
      message: "\(name): has more than \(Quantity.grouped(limit)) points",
      hint: "Save the track as a file first.", kind: .unusableInput)
  }
}

extension ReplayError: FailureConvertible {
  package var failure: Failure {
    Failure(
      message: description, hint: "Begin nearer to the start with --from.", kind: .wrongUsage)
  }
}

extension GPSDError: FailureConvertible {
  package var failure: Failure {
    Failure(message: description, hint: recoverySuggestion, kind: .serviceUnavailable)
  }
}

extension ReceiverError: FailureConvertible {
  package var failure: Failure {
    let reason = code.map { String(cString: strerror($0)).lowercased() }
    return switch source {
    case .server(let server):
      Failure(
        message: reason.map { "no receiver at \(server): \($0)" } ?? "\(server) sends no NMEA",
        hint: "Start its server, and check the host and the port.", kind: .serviceUnavailable)
    case .device(let path):
      Failure(
        message: "\(path): " + (reason ?? "sends no NMEA"),
        hint: reason == nil
          ? "Set the speed of a serial port with stty -F \(path) 9600."
          : "Check the path and the permissions of the port.", kind: .serviceUnavailable)
    }
  }
}

extension CitiesError: FailureConvertible {
  package var failure: Failure {
    let hint: String? =
      switch kind {
      case .notAnIndex, .unsupportedVersion, .damaged:
        "Go back to the built-in cities with faketrack cities reset, or import your own again."
      default: recoverySuggestion
      }
    return Failure(
      message: description, hint: hint, kind: isUnusableInput ? .unusableInput : .failed)
  }
}

extension PhotoSearchError: FailureConvertible {
  package var failure: Failure {
    Failure(message: description, hint: recoverySuggestion, kind: .serviceUnavailable)
  }
}

extension PhotoSourceError: FailureConvertible {
  package var failure: Failure {
    switch self {
    case .missingKey(let provider):
      let variable = provider.keyVariable ?? "its key"
      return Failure(
        message: "--photos \(provider.name) needs a key",
        hint: "Set \(variable), or use --photos commons, which needs no key, or --photos sample.",
        kind: .wrongUsage)
    case .unusableAddress(let variable):
      return .unusableAddress(in: variable)
    case .notDownloadable(let provider):
      return Failure(
        message: provider == nil
          ? "--download needs a source of photos"
          : "--download needs photos that exist, and the sample's are made up",
        hint: "Add --photos commons, which needs no key, or --photos flickr.", kind: .wrongUsage)
    }
  }
}

extension ServiceError: FailureConvertible {
  package var failure: Failure {
    let (kind, hint): (Failure.Kind, String?) =
      switch reason.kind {
      case .unusableAddress: (.failed, "Check the address.")
      case .tooLarge: (.serviceUnavailable, nil)
      case .unreachable:
        (.serviceUnavailable, "Check the network and the proxy settings, then try again.")
      case .untrusted:
        (.serviceUnavailable, "Check the date and the trusted certificates of this computer.")
      case .status(400..<429), .status(430..<500): (.serviceUnavailable, "Check the address.")
      case .status, .refused, .brokenAnswer: (.serviceUnavailable, "Try again later.")
      case .keyRejected: (.serviceUnavailable, "Check the key.")
      }
    return Failure(message: description, hint: hint, kind: kind)
  }
}

extension FileError: FailureConvertible {
  package var failure: Failure {
    if code == ENOTDIR, let file {
      return Failure(message: "\(file): is a file, not a folder", hint: "Name another folder.")
    }
    if [FileError.tooLarge, FileError.unending].contains(code) {
      return Failure(
        message: "\(path): \(reason)", hint: "Name a smaller file.", kind: .unusableInput)
    }
    return Failure(
      message: "\(path): \(reason)",
      hint: code == ENOENT
        ? "Create its folder first, or name another place." : "Make room, or name another place.")
  }

  /// The part of the path that is a file, where a folder is meant.
  private var file: Substring? {
    var (file, status) = (path[...], stat())
    while stat(String(file), &status) != 0 {
      guard let slash = file.lastIndex(of: "/"), slash > file.startIndex else { return nil }
      file = file[..<slash]
    }
    return file
  }
}
