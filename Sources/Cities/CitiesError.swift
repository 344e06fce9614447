import FaketrackSupport
import Foundation

/// A problem with a city index or with imported data.
public struct CitiesError: LocalizedError, Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case unreadable(path: String, reason: String)
    case unwritable(path: String, reason: String)
    case notAnIndex(path: String)
    case unsupportedVersion(path: String, found: Int, supported: Int)
    case damaged(path: String, reason: String)
    case unsupportedInput(format: String)
    case truncatedInput(rows: Int)
    case malformedInput(reason: String)
    case noUsableRow(rows: Int)
    case tooLarge
  }

  package let kind: Kind

  /// The file cannot be opened or read; `reason` is the system's.
  public static func unreadable(path: String, reason: String) -> Self {
    Self(kind: .unreadable(path: path, reason: reason))
  }
  /// The file cannot be written; its former content, if any, is intact.
  public static func unwritable(path: String, reason: String) -> Self {
    Self(kind: .unwritable(path: path, reason: reason))
  }
  /// The file is not a city index.
  public static func notAnIndex(path: String) -> Self {
    Self(kind: .notAnIndex(path: path))
  }
  /// The city index was written by a version with another format.
  public static func unsupportedVersion(path: String, found: Int, supported: Int) -> Self {
    Self(kind: .unsupportedVersion(path: path, found: found, supported: supported))
  }
  /// The city index was cut short or changed after it was written; `reason` is a clause.
  public static func damaged(path: String, reason: String) -> Self {
    Self(kind: .damaged(path: path, reason: reason))
  }
  /// The imported data has a format that cannot be imported; `format` is a noun phrase.
  public static func unsupportedInput(format: String) -> Self {
    Self(kind: .unsupportedInput(format: format))
  }
  /// The imported data ends in the middle of a row or before its end mark.
  public static func truncatedInput(rows: Int) -> Self {
    Self(kind: .truncatedInput(rows: rows))
  }
  /// The imported data is damaged gzip or invalid JSON.
  public static func malformedInput(reason: String) -> Self {
    Self(kind: .malformedInput(reason: reason))
  }
  /// The imported rows contain no city.
  public static func noUsableRow(rows: Int) -> Self {
    Self(kind: .noUsableRow(rows: rows))
  }
  /// The data exceeds the limits of an index: 268 million cities and 4 GB of names.
  public static let tooLarge = Self(kind: .tooLarge)

  /// Whether the imported data is the cause, as opposed to the system or the index.
  public var isUnusableInput: Bool {
    switch kind {
    case .unsupportedInput, .truncatedInput, .malformedInput, .noUsableRow, .tooLarge: true
    default: false
    }
  }

  /// The failure of the last system call on a file.
  static func lastFailure(reading path: String) -> CitiesError {
    .unreadable(path: path, reason: FileError(path: path).reason)
  }
}

extension CitiesError: CustomStringConvertible {
  /// One sentence in English without a period.
  public var description: String {
    switch kind {
    case .unreadable(let path, let reason): "cannot read \(path): \(reason)"
    case .unwritable(let path, let reason): "cannot write \(path): \(reason)"
    case .notAnIndex(let path): "\(path) is not a city index"
    case .unsupportedVersion(let path, let found, let supported):
      "the city index \(path) has format \(found), this version reads format \(supported)"
    case .damaged(let path, let reason): "the city index \(path) is damaged: \(reason)"
    case .unsupportedInput(let format): "the city data is \(format), which cannot be imported"
    case .truncatedInput(let rows): "the city data breaks off after \(rows) rows"
    case .malformedInput(let reason): "the city data is malformed: \(reason)"
    case .noUsableRow(let rows):
      rows == 1
        ? "the only row of the city data is not a city"
        : "none of the \(rows) rows of the city data is a city"
    case .tooLarge: "the city data is too large for an index"
    }
  }

  /// The ``description``, for alerts.
  public var errorDescription: String? { description }

  /// Advice for the user: one or more sentences in English.
  public var recoverySuggestion: String? {
    switch kind {
    case .unreadable: "Check that the file exists and may be read."
    case .unwritable: "Check that the directory exists, may be written and has room."
    case .notAnIndex, .unsupportedVersion, .damaged:
      "Import the cities again, or remove the file to use the built-in index."
    case .unsupportedInput:
      "Give a GeoNames dump (tab-separated text) or a JSON array of cities, plain or gzipped."
    case .truncatedInput, .malformedInput: "Get the file again; the cities are as they were."
    case .noUsableRow: "Check that this is the right file; the cities are as they were."
    case .tooLarge: "Leave out the smaller places; the cities are as they were."
    }
  }
}
