/// What became of the rows of an import.
public struct CityImportReport: Hashable, Sendable {
  /// The rows that were read, empty lines not among them.
  public internal(set) var rows = 0
  /// The rows that are cities of the index now.
  public internal(set) var cities = 0
  /// The rows of places that no one lives in, such as peaks and lakes: left out, and not a fault.
  public internal(set) var otherFeatures = 0
  /// The rows that could not be used, by what is wrong with them.
  public internal(set) var faults: [Fault: Occurrences] = [:]

  /// Why a row is not a city.
  public enum Fault: String, Hashable, Sendable, Codable, CaseIterable {
    /// It is no row of the format at all.
    case malformed
    /// There is no id, or none of 32 bits.
    case noIdentifier
    /// There is no name, or nothing but white space.
    case noName
    /// A part of the position is missing or not a number.
    case noPosition
    /// The position is not on Earth.
    case offTheGlobe
    /// An earlier row has the same id.
    case repeatedIdentifier
  }

  /// How often something occurred, and where first.
  public struct Occurrences: Hashable, Sendable {
    public internal(set) var count = 0
    /// The first ten: the numbers of the lines, or of the elements of the array, from 1.
    public internal(set) var first: [Int] = []
  }

  /// The rows that could not be used.
  public var faultyRows: Int { faults.values.reduce(0) { $0 + $1.count } }

  mutating func add(_ fault: Fault, at row: Int) {
    faults[fault, default: Occurrences()].count += 1
    if let count = faults[fault]?.first.count, count < 10 { faults[fault]?.first.append(row) }
  }
}

/// How far an import is.
public struct CityImportProgress: Hashable, Sendable {
  /// The bytes that were read, compressed ones if they are.
  public internal(set) var bytes = 0
  /// The bytes there are, if that is known.
  public internal(set) var totalBytes: Int?
  /// The rows that were read; those of JSON are counted when all bytes are there.
  public internal(set) var rows = 0
}
