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
    case .noUsableRow(let rows): "none of the \(rows) rows of the city data is a city"
    case .tooLarge: "the city data is too large for an index"
    case .favoritesUnavailable(let path, let reason):
      "the favorites in \(path) cannot be used: \(reason)"
    case .summaryUnavailable(let reason, _): reason
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
    case .favoritesUnavailable: "Move the file away to start with no favorites."
    case .summaryUnavailable(_, isUnreachable: true):
      "Check the network and the proxy settings, then try again."
    case .summaryUnavailable: "Try again later."
    }
  }

  /// Whether the imported data is to blame, not the machine it is imported on.
  public var isUnusableInput: Bool {
    switch self {
    case .unsupportedInput, .truncatedInput, .malformedInput, .noUsableRow, .tooLarge: true
    default: false
    }
  }
}
