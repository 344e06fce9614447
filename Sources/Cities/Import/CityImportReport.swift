/// The outcome of an import, row by row.
public struct CityImportReport: Hashable, Sendable {
  /// The number of rows, without empty lines.
  public internal(set) var rows = 0
  /// The number of rows that became cities.
  public internal(set) var cities = 0
  /// The number of rows about other features, such as peaks and lakes, which are skipped.
  public internal(set) var otherFeatures = 0
  /// The unusable rows by issue.
  public internal(set) var issues: [CityIssue: Occurrences] = [:]

  /// The rows with an issue.
  public struct Occurrences: Hashable, Sendable {
    /// The number of rows.
    public internal(set) var count = 0
    /// The first ten line numbers, or positions in the array, counted from 1.
    public internal(set) var first: [Int] = []
  }

  /// The number of unusable rows.
  public var unusableRows: Int { issues.values.reduce(0) { $0 + $1.count } }

  mutating func add(_ issue: CityIssue, at row: Int) {
    issues[issue, default: Occurrences()].count += 1
    if let count = issues[issue]?.first.count, count < 10 { issues[issue]?.first.append(row) }
  }
}

/// A reason why a city cannot be added to an index. A later version may know more.
public struct CityIssue: Error, Hashable, Sendable {
  package enum Kind: CaseIterable, Sendable {
    case malformed, noIdentifier, noName, noPosition, offTheGlobe, repeatedIdentifier
  }

  package let kind: Kind

  package init(kind: Kind) {
    self.kind = kind
  }

  /// The row does not have the form of its format.
  public static let malformed = Self(kind: .malformed)
  /// The id is missing or not a number of 32 bits.
  public static let noIdentifier = Self(kind: .noIdentifier)
  /// The name is missing, blank or longer than 65,535 bytes.
  public static let noName = Self(kind: .noName)
  /// The latitude or the longitude is missing or not a number.
  public static let noPosition = Self(kind: .noPosition)
  /// The position is not on Earth.
  public static let offTheGlobe = Self(kind: .offTheGlobe)
  /// An earlier city has the same id.
  public static let repeatedIdentifier = Self(kind: .repeatedIdentifier)
}

/// The progress of an import.
public struct CityImportProgress: Hashable, Sendable {
  /// The number of bytes read, before decompression.
  public internal(set) var bytes = 0
  /// The total number of bytes, or `nil` if it is unknown.
  public internal(set) var totalBytes: Int?
  /// The number of rows read; rows of JSON are only counted at the end.
  public internal(set) var rows = 0
}
