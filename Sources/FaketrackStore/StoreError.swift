import FaketrackSupport
import Foundation
import GRDB

/// The store cannot be opened, read or written.
package struct StoreError: Error, Hashable, Sendable {
  /// The cause, as far as the remedy depends on it.
  package enum Cause: Error, Hashable {
    /// Another process has kept it locked for longer than the limit.
    case locked
    /// There is no room on the disk.
    case full
    /// The file or its folder cannot be written.
    case readOnly
    /// A later version has written it.
    case laterVersion
    /// It is not a database, or one that has been damaged.
    case damaged
    case other
  }

  /// The part that was used: `favorites`, `searches`, `documents`, `calls`, or all `contents`.
  package let contents: String
  package let path: String
  package let cause: Cause
  /// The cause in words.
  package let reason: String

  package init(_ error: any Error, contents: String, path: String) {
    self.contents = contents
    self.path = path
    cause = Cause(error, path: path)
    reason =
      switch cause {
      case .locked: "another process keeps it locked"
      case .full: "the disk is full"
      case .readOnly: "it is read-only"
      case .laterVersion: "a later version of faketrack has written it"
      case .damaged, .other:
        (error as? DatabaseError).map { $0.message ?? $0.description }
          ?? (error as? FileError ?? FileError(foundation: error))?.reason
          ?? error.localizedDescription
      }
  }

  /// A remedy that keeps the contents where they are.
  package var recoverySuggestion: String {
    switch cause {
    case .locked: "Try again once the other process is done."
    case .full: "Make room on the disk; what is stored is intact."
    case .readOnly:
      "Make the file and its folder writable, or name another folder with FAKETRACK_HOME."
    case .laterVersion: "Use that version, or name another folder with FAKETRACK_HOME."
    case .damaged:
      "Rename the file to start afresh; sqlite3 may get contents back from it with .recover."
    case .other: "Check the file and its folder, or name another folder with FAKETRACK_HOME."
    }
  }
}

extension StoreError.Cause {
  fileprivate init(_ error: any Error, path: String) {
    switch error {
    case let cause as Self: self = cause
    case let error as DatabaseError:
      switch error.resultCode {
      case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL: self = .locked
      case .SQLITE_FULL: self = .full
      case .SQLITE_READONLY: self = .readOnly
      case .SQLITE_NOTADB, .SQLITE_CORRUPT: self = .damaged
      case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_SHMSIZE: self = .full
      case .SQLITE_CANTOPEN, .SQLITE_PERM: self = Self.isWritable(path) ? .other : .readOnly
      default: self = .other
      }
    case let error as FileError:
      switch error.code {
      case ENOSPC, EDQUOT: self = .full
      case EROFS, EACCES, EPERM: self = .readOnly
      default: self = .other
      }
    default: self = .other
    }
  }

  private static func isWritable(_ path: String) -> Bool {
    let files = FileManager.default
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    return files.isWritableFile(atPath: folder)
      && (!files.fileExists(atPath: path) || files.isWritableFile(atPath: path))
  }
}

extension StoreError: CustomStringConvertible {
  package var description: String { "the \(contents) in \(path) cannot be used: \(reason)" }
}
