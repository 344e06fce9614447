/// Something in a file that could not be used, such as a point without a position.
public struct GPXIssue: Hashable, Sendable, Codable {
  /// The part of the file that is affected. A later version may know more.
  public struct Part: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The name of the part.
    public let rawValue: String

    /// Creates a part by its name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The name of the part.
    public var description: String { rawValue }

    /// The attribute `lat`.
    public static let latitude = Self(rawValue: "latitude")
    /// The attribute `lon`.
    public static let longitude = Self(rawValue: "longitude")
    /// The element `ele`.
    public static let elevation = Self(rawValue: "elevation")
    /// The element `time`.
    public static let time = Self(rawValue: "time")
    /// The speed, of GPX 1.0 or in an extension.
    public static let speed = Self(rawValue: "speed")
    /// The course, of GPX 1.0 or in an extension.
    public static let course = Self(rawValue: "course")
    /// A text, such as a name or a description.
    public static let text = Self(rawValue: "text")
    /// The links of a point, track, route or file.
    public static let links = Self(rawValue: "links")
    /// The content of an `extensions` element.
    public static let extensions = Self(rawValue: "extensions")
    /// A whole point, by its place in the file.
    public static let point = Self(rawValue: "point")
    /// A whole track, by its place in the file.
    public static let track = Self(rawValue: "track")
    /// A whole segment, by its place in the file.
    public static let segment = Self(rawValue: "segment")
    /// A whole route, by its place in the file.
    public static let route = Self(rawValue: "route")
    /// The encoding of the text.
    public static let encoding = Self(rawValue: "encoding")
  }

  /// The problem with a part. A later version may know more.
  public struct Problem: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The name of the problem.
    public let rawValue: String

    /// Creates a problem by its name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The name of the problem.
    public var description: String { rawValue }

    /// The attribute is missing.
    public static let missing = Self(rawValue: "missing")
    /// The attribute or element is present but has no value.
    public static let empty = Self(rawValue: "empty")
    /// The value is not a decimal number: `undefined`, `NaN`, a decimal comma.
    public static let notANumber = Self(rawValue: "notANumber")
    /// The number is outside the range of this part.
    public static let outOfRange = Self(rawValue: "outOfRange")
    /// The value is not a date with a time.
    public static let notATime = Self(rawValue: "notATime")
    /// A point, track, segment or route is where GPX has none, as in the metadata; it is not read.
    public static let misplaced = Self(rawValue: "misplaced")
    /// The bytes are not UTF-8; they were read as ISO-8859-1.
    public static let invalidBytes = Self(rawValue: "invalidBytes")
    /// There is white space before the XML declaration; it was ignored.
    public static let leadingSpace = Self(rawValue: "leadingSpace")
    /// An entity of HTML, such as `&deg;`, which XML does not define; it was read as its character.
    public static let htmlEntity = Self(rawValue: "htmlEntity")
    /// The track contains a waypoint, which was read as one.
    public static let waypoint = Self(rawValue: "waypoint")
    /// The content is longer than 1 MiB.
    public static let tooLong = Self(rawValue: "tooLong")
  }

  /// A part and its problem; issues of one kind differ only in their place.
  public struct Kind: Hashable, Sendable, Codable {
    /// The part of the file.
    public var part: Part
    /// Its problem.
    public var problem: Problem

    /// Whether the file breaks a rule, but everything was read as it was meant.
    public var isNote: Bool { [.leadingSpace, .htmlEntity, .waypoint].contains(problem) }

    /// Creates a kind of issues.
    public init(_ part: Part, _ problem: Problem) {
      self.part = part
      self.problem = problem
    }
  }

  /// The affected part and its problem.
  public var kind: Kind
  /// The kind of the affected point; nil if the issue is not about a point.
  public var point: GPXPointKind?
  /// The line, from 1, of the end of the tag at which the issue was found.
  public var line: Int
  /// The column, from 1, after that tag; nil if it is unknown.
  public var column: Int?
  /// The offending text, shortened and safe to print; nil if there is none.
  public var text: String?
  /// Whether the point was skipped; otherwise it is delivered without the affected part.
  public var skipsPoint: Bool

  /// Creates an issue.
  public init(
    _ kind: Kind, point: GPXPointKind? = nil, line: Int, column: Int? = nil, text: String? = nil,
    skipsPoint: Bool
  ) {
    self.kind = kind
    self.point = point
    self.line = line
    self.column = column
    self.text = text
    self.skipsPoint = skipsPoint
  }
}

extension GPXIssue: CustomStringConvertible {
  /// `line 12: track point skipped: latitude "46,2" is not a number`.
  public var description: String { "line \(line): \(message)" }

  /// `walk.gpx:12:26: track point skipped: latitude "46,2" is not a number`.
  public func description(in file: String) -> String {
    let place = [line, column].compactMap { $0.map(String.init) }.joined(separator: ":")
    return "\(file):\(place): \(message)"
  }

  /// The problem, and what becomes of its part of the file.
  var message: String {
    let problem = kind.message(quoting: text)
    guard let point else {
      return kind.problem == .misplaced ? "\(kind.part) skipped: \(problem)" : problem
    }
    if skipsPoint { return "\(point) skipped: \(problem)" }
    // Part of them is kept.
    if kind.part == .text || kind.part == .links { return self.problem }
    return "\(point) kept without \(kind.part): \(problem)"
  }

  /// The problem alone, for a reader that stops there.
  var problem: String {
    let problem = kind.message(quoting: text)
    return point.map { "\($0): \(problem)" } ?? problem
  }
}

extension GPXIssue.Kind: CustomStringConvertible {
  /// `latitude is not a number`.
  public var description: String {
    message(quoting: nil)
  }

  fileprivate func message(quoting text: String?) -> String {
    let quoted = text.map { " \"\($0)\"" } ?? ""
    let limit = "\(GPXReader.maximumTextLength >> 20) MiB"
    return switch problem {
    case .missing: "\(part) is missing"
    case .empty: "\(part) is empty"
    case .notANumber: "\(part)\(quoted) is not a number"
    case .outOfRange: "\(part)\(quoted) is out of range"
    case .notATime: "\(part)\(quoted) is not a date and time"
    case .misplaced: "the \(part) is where GPX has none"
    case .invalidBytes: "bytes that are not UTF-8 were read as ISO-8859-1"
    case .leadingSpace: "white space before the XML declaration was ignored"
    case .htmlEntity: "HTML entity\(quoted) read as its character"
    case .waypoint: "waypoint inside a \(part), read as a waypoint"
    case .tooLong where part == .text: "text longer than \(limit) was cut"
    case .tooLong where part == .links: "links after the first \(limit) were left out"
    case .tooLong: "\(part) longer than \(limit)"
    default: "\(part)\(quoted): \(problem)"
    }
  }
}

/// Counts the issues of a file, and chooses those to show: the first of each kind.
///
/// Memory is bounded by the number of kinds, not of issues.
public struct GPXIssueLog: Hashable, Sendable {
  /// The number of issues of each kind to show.
  public let limit: Int
  /// The number of issues of each kind, shown or not.
  public private(set) var counts: [GPXIssue.Kind: Int] = [:]
  /// The number of points that were skipped.
  public private(set) var skipped = 0

  /// Creates an empty log.
  public init(limit: Int = 10) {
    self.limit = limit
  }

  /// Counts the issue and returns whether it is one of the first of its kind.
  @discardableResult
  public mutating func record(_ issue: GPXIssue) -> Bool {
    counts[issue.kind, default: 0] += 1
    if issue.skipsPoint { skipped += 1 }
    return counts[issue.kind, default: 0] <= limit
  }

  /// The number of all issues.
  public var total: Int {
    counts.values.reduce(0, +)
  }

  /// The kinds with issues that were not shown, and their number, the most frequent kind first.
  public var unshown: [(kind: GPXIssue.Kind, count: Int)] {
    counts.filter { $0.value > limit }
      .map { (kind: $0.key, count: $0.value - limit) }
      .sorted { ($1.count, $0.kind.description) < ($0.count, $1.kind.description) }
  }
}
