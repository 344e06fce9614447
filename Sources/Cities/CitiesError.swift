/// Why an index, an import or the favorites could not be used.
public enum CitiesError: Error, Hashable, Sendable {
  /// A file could not be opened or read; `reason` is the system's.
  case unreadable(path: String, reason: String)
  /// A file could not be written; what was there before is still there.
  case unwritable(path: String, reason: String)
  /// The file is not a city index.
  case notAnIndex(path: String)
  /// The city index was written by a version with another format.
  case unsupportedVersion(path: String, found: Int, supported: Int)
  /// The city index is not as it was written: cut short, or changed.
  case damaged(path: String, reason: String)
  /// The imported data is in no format that is understood.
  case unsupportedInput(found: String)
  /// The imported data ends in the middle of a row, or before its end mark.
  case truncatedInput(rows: Int)
  /// The imported data is not in order: compressed data that was changed, or broken JSON.
  case malformedInput(reason: String)
  /// None of the imported rows is a city.
  case noUsableRow(rows: Int)
  /// More than the 268 million cities, or the 4 GB of names, that an index can hold.
  case tooLarge
  /// The database of favorites could not be used.
  case favoritesUnavailable(path: String, reason: String)
  /// The encyclopedia did not answer; `reason` names it and says how.
  case summaryUnavailable(reason: String, isUnreachable: Bool)
}
