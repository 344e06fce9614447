/// One thing in a file that could not be used: a point without a position, a time that is no time.
public struct GPXIssue: Hashable, Sendable, Codable {
  /// What is concerned.
  public enum Part: String, Hashable, Sendable, CaseIterable, Codable {
    case latitude, longitude, elevation, time, speed, course
    /// The place of the whole point in the file.
    case point
    /// The encoding of the text.
    case encoding
  }

  /// What is wrong.
  public enum Fault: String, Hashable, Sendable, CaseIterable, Codable {
    /// The attribute is not there.
    case missing
    /// It is there, without a value.
    case empty
    /// Anything but a decimal number: `undefined`, `NaN`, a decimal comma.
    case notANumber
    /// A number that this part cannot have.
    case outOfRange
    /// Anything but a date with a time.
    case notATime
    /// A point inside of another point or of an extension, where it means nothing.
    case misplaced
    /// Bytes that are not UTF-8; they were read as ISO-8859-1.
    case invalidBytes
  }

  /// Issues of one kind differ only in where they are.
  public struct Kind: Hashable, Sendable, Codable {
    public var part: Part
    public var fault: Fault

    public init(_ part: Part, _ fault: Fault) {
      self.part = part
      self.fault = fault
    }
  }

  /// What is concerned, and what is wrong with it.
  public var kind: Kind
  /// The point that is concerned; nil when it is not a point.
  public var point: GPXPointKind?
  /// The line, from 1, on which the tag ends that completes what is reported.
  public var line: Int
  /// The column, from 1, behind that tag; nil when it is not known.
  public var column: Int?
  /// What the file says instead, shortened and safe to print; nil when there is nothing.
  public var text: String?
  /// Whether the point is left out; otherwise it is kept, with what is concerned being nil.
  public var skipsPoint: Bool

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
