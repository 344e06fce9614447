import FaketrackSupport

/// A problem with a city index or with imported data.
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
  case damaged(path: String, Damage)
  /// The city index has another length in bytes than its header says.
  case wrongLength(path: String, found: Int, expected: UInt64)
  /// The imported data has a format that cannot be imported.
  case unsupportedInput(UnsupportedFormat)
  /// The imported data ends in the middle of a row or before its end mark.
  case truncatedInput(rows: Int)
  /// The imported data is damaged gzip or invalid JSON.
  case malformedInput(reason: String)
  /// The imported rows contain no city.
  case noUsableRow(rows: Int)
  /// The data exceeds the limits of an index: 268 million cities and 4 GB of names.
  case tooLarge

  /// The first inconsistency found in a city index; the raw value is a clause for messages.
  public enum Damage: String, Hashable, Sendable {
    /// The file ends within the header.
    case truncatedHeader = "it ends within its header"
    /// The sizes in the header do not add up.
    case contradictoryHeader = "its header contradicts itself"
    /// The checksum does not match.
    case checksum = "its checksum does not match"
    /// There are more regions or time zones than 16 bits can number.
    case tooManyRegions = "it has too many regions or time zones"
    /// A city refers to text outside the index.
    case missingText = "a city refers to text that is not there"
    /// A city has a position that is not on Earth.
    case invalidCoordinate = "a city is off the globe"
    /// A country code is not two letters.
    case invalidCountry = "a country is not two letters"
    /// The list of ids is not sorted, or refers to a missing city.
    case invalidIDs = "its list of numbers is out of order"
    /// The tree for the nearest cities is invalid.
    case invalidTree = "its tree is broken"
    /// The list of names is invalid.
    case invalidNames = "its list of names is broken"
    /// The lists of regions and time zones are invalid.
    case invalidTexts = "its texts overlap"
  }

  /// A format that cannot be imported; the raw value is a noun phrase for messages.
  public enum UnsupportedFormat: String, Hashable, Sendable {
    /// A zip archive.
    case zip = "a zip archive, to be unpacked first"
    /// Gzip within gzip.
    case gzippedTwice = "gzipped twice"
    /// A bzip2 file.
    case bzip2 = "compressed by bzip2"
    /// An xz file.
    case xz = "compressed by xz"
    /// A Zstandard file.
    case zstd = "compressed by zstd"
    /// A SQLite database.
    case database = "a database"
    /// A city index of this library.
    case cityIndex = "a city index already"
    /// HTML or XML.
    case markup = "a web page or XML"
    /// JSON without an array at the top level.
    case jsonObject = "a JSON object, not an array"
    /// White space only.
    case whiteSpace = "nothing but white space"
  }

  /// Whether the imported data is the cause, as opposed to the system or the index.
  public var isUnusableInput: Bool {
    switch self {
    case .unsupportedInput, .truncatedInput, .malformedInput, .noUsableRow, .tooLarge: true
    default: false
    }
  }
}

extension CitiesError: CustomStringConvertible {
  /// One sentence in English without a period.
  public var description: String {
    switch self {
    case .unreadable(let path, let reason): "cannot read \(path): \(reason)"
    case .unwritable(let path, let reason): "cannot write \(path): \(reason)"
    case .notAnIndex(let path): "\(path) is not a city index"
    case .unsupportedVersion(let path, let found, let supported):
      "the city index \(path) has format \(found), this version reads format \(supported)"
    case .damaged(let path, let damage): "the city index \(path) is damaged: \(damage.rawValue)"
    case .wrongLength(let path, let found, let expected):
      "the city index \(path) is damaged: it is \(found) bytes long, not \(expected)"
    case .unsupportedInput(let format):
      "the city data is \(format.rawValue), which cannot be imported"
    case .truncatedInput(let rows): "the city data breaks off after \(rows) rows"
    case .malformedInput(let reason): "the city data is malformed: \(reason)"
    case .noUsableRow(let rows):
      rows == 1
        ? "the only row of the city data is not a city"
        : "none of the \(rows) rows of the city data is a city"
    case .tooLarge: "the city data is too large for an index"
    }
  }

  /// Advice for the user: one or more sentences in English.
  public var recoverySuggestion: String? {
    switch self {
    case .unreadable: "Check that the file exists and may be read."
    case .unwritable: "Check that the directory exists, may be written and has room."
    case .notAnIndex, .unsupportedVersion, .damaged, .wrongLength:
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
  /// The failure of the last system call on a file.
  static func lastFailure(reading path: String) -> CitiesError {
    .unreadable(path: path, reason: FileError(path: path).reason)
  }
}
