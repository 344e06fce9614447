/// Why a file could not be read, or not to its end.
///
/// Everything before the break has been delivered when this is thrown.
public struct GPXError: Error, Hashable, Sendable {
  /// What went wrong.
  public enum Cause: Hashable, Sendable {
    /// The system refused to open or to read the file; `errno` says why.
    case unreadable(errno: Int32)
    /// The file is something else.
    case notGPX(GPXFileKind)
    /// The file has a document type declaration, which GPX has no use for and attackers have.
    case documentType
    /// The XML breaks a rule of its syntax; the parser's words.
    case notWellFormed(String)
    /// The file ends in the middle.
    case truncated
    /// The file holds NUL bytes where text should be, as after a power failure.
    case nulBytes
    /// Elements are nested more than ``GPXReader/maximumDepth`` deep.
    case tooDeep
    /// A tag or comment is longer than ``GPXReader/maximumMarkupLength``.
    case markupTooLong
    /// The compressed file ends in the middle.
    case truncatedGzip
    /// The compressed bytes are damaged.
    case damagedGzip
    /// Strict reading ended at this issue.
    case issue(GPXIssue)
  }

  /// What went wrong.
  public var cause: Cause
  /// The file as it was named, nil for bytes without a name.
  public var file: String?
  /// Where in the file, from 1; nil when no place in it is to blame.
  public var line: Int?
  /// Where in the line, from 1, counted in bytes of UTF-8.
  public var column: Int?

  public init(_ cause: Cause, file: String? = nil, line: Int? = nil, column: Int? = nil) {
    self.cause = cause
    self.file = file
    self.line = line
    self.column = column
  }
}
