import FaketrackSupport

/// Why an index or an import cannot be used.
public enum CitiesError: Error, Hashable, Sendable {
  /// The file cannot be opened or read; `reason` is the system's.
  case unreadable(path: String, reason: String)
  /// The file cannot be written; its former content, if any, is intact.
  case unwritable(path: String, reason: String)
  /// The file is not a city index.
  case notAnIndex(path: String)
  /// The city index was written by a version with another format.
  case unsupportedVersion(path: String, found: Int, supported: Int)
  /// The city index was cut short or changed after it was written.
  case damaged(path: String, reason: String)
  /// The imported data is in no format that can be read.
  case unsupportedInput(found: String)
  /// The imported data ends in the middle of a row or before its end mark.
  case truncatedInput(rows: Int)
  /// The imported data is damaged gzip or broken JSON.
  case malformedInput(reason: String)
  /// None of the imported rows is a city.
  case noUsableRow(rows: Int)
  /// An index holds at most 268 million cities and 4 GB of names, and this is more.
  case tooLarge

  /// Whether the imported data is at fault, not the machine that imports it.
  public var isUnusableInput: Bool {
    switch self {
    case .unsupportedInput, .truncatedInput, .malformedInput, .noUsableRow, .tooLarge: true
    default: false
    }
  }
}

extension CitiesError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unreadable(let path, let reason): "cannot read \(path): \(reason)"
    case .unwritable(let path, let reason): "cannot write \(path): \(reason)"
    case .notAnIndex(let path): "\(path) is not a city index"
    case .unsupportedVersion(let path, let found, let supported):
      "the city index \(path) has format \(found), this version reads format \(supported)"
    case .damaged(let path, let reason): "the city index \(path) is damaged: \(reason)"
    case .unsupportedInput(let found): "the city data is \(found), which cannot be imported"
    case .truncatedInput(let rows): "the city data breaks off after \(rows) rows"
    case .malformedInput(let reason): "the city data is malformed: \(reason)"
    case .noUsableRow(let rows):
      rows == 1
        ? "the only row of the city data is not a city"
        : "none of the \(rows) rows of the city data is a city"
    case .tooLarge: "the city data is too large for an index"
    }
  }

  /// What to do about it.
  public var recoverySuggestion: String? {
    switch self {
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

extension CitiesError {
  /// The failure of the system call on a file that has just been made.
  static func lastFailure(reading path: String) -> CitiesError {
    .unreadable(path: path, reason: FileError(path: path).reason)
  }
}
