extension GPXIssue: CustomStringConvertible {
  /// `line 12: track point skipped: latitude "46,2" is not a number`.
  public var description: String { "line \(line): \(account)" }

  /// `walk.gpx:12:26: track point skipped: latitude "46,2" is not a number`.
  public func description(in file: String) -> String {
    let place = [line, column].compactMap { $0.map(String.init) }.joined(separator: ":")
    return "\(file):\(place): \(account)"
  }

  /// What happened, wherever it was.
  var account: String {
    let sentence = kind.sentence(about: text)
    guard let point else { return sentence }
    return "\(point) \(skipsPoint ? "skipped" : "kept without \(kind.part.rawValue)"): \(sentence)"
  }
}

extension GPXIssue.Kind: CustomStringConvertible {
  /// `latitude is not a number`.
  public var description: String {
    sentence(about: nil)
  }

  fileprivate func sentence(about text: String?) -> String {
    let quoted = text.map { " \"\($0)\"" } ?? ""
    return switch fault {
    case .missing: "\(part.rawValue) is missing"
    case .empty: "\(part.rawValue) is empty"
    case .notANumber: "\(part.rawValue)\(quoted) is not a number"
    case .outOfRange: "\(part.rawValue)\(quoted) is out of range"
    case .notATime: "\(part.rawValue)\(quoted) is not a date and time"
    case .misplaced: "the point lies inside of another element's own content"
    case .invalidBytes: "bytes that are not UTF-8 were read as ISO-8859-1"
    }
  }
}

extension GPXPointKind: CustomStringConvertible {
  public var description: String {
    switch self {
    case .trackPoint: "track point"
    case .routePoint: "route point"
    case .waypoint: "waypoint"
    }
  }
}
