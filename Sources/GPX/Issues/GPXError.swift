import FaketrackSupport
import Foundation

/// An error of reading or writing a file.
///
/// Everything before the place of an error in a file has been delivered when it is thrown.
public struct GPXError: LocalizedError, Hashable, Sendable {
  /// The reason.
  public struct Cause: Error, Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
      case unreadable(errno: Int32)
      case unwritable(errno: Int32)
      case notGPX(GPXFileKind)
      case documentType
      case notWellFormed(String)
      case truncated
      case nulBytes
      case tooDeep
      case markupTooLong
      case tooManyNames
      case truncatedGzip
      case damagedGzip
      case issue(GPXIssue)
    }

    package let kind: Kind

    /// The system refused to open or to read the file; `errno` says why.
    public static func unreadable(errno: Int32) -> Self {
      Self(kind: .unreadable(errno: errno))
    }
    /// The system refused to create or to write the file; `errno` says why.
    public static func unwritable(errno: Int32) -> Self {
      Self(kind: .unwritable(errno: errno))
    }
    /// The file is not GPX but something else.
    public static func notGPX(_ content: GPXFileKind) -> Self {
      Self(kind: .notGPX(content))
    }
    /// The file has a document type declaration, which GPX does not need and attackers use.
    public static let documentType = Self(kind: .documentType)
    /// The file breaks a rule of XML; the message is the parser's.
    public static func notWellFormed(_ text: String) -> Self {
      Self(kind: .notWellFormed(text))
    }
    /// The file ends before its root element is closed.
    public static let truncated = Self(kind: .truncated)
    /// The file holds NUL bytes where text should be, as after a power failure.
    public static let nulBytes = Self(kind: .nulBytes)
    /// Elements are nested more than 128 deep.
    public static let tooDeep = Self(kind: .tooDeep)
    /// A tag is longer than 8 MiB.
    public static let markupTooLong = Self(kind: .markupTooLong)
    /// There are more than 8,192 names of elements and attributes, or more than 512 namespaces.
    public static let tooManyNames = Self(kind: .tooManyNames)
    /// The compressed file ends too early.
    public static let truncatedGzip = Self(kind: .truncatedGzip)
    /// The compressed bytes are damaged.
    public static let damagedGzip = Self(kind: .damagedGzip)
    /// Strict reading ended at this issue.
    public static func issue(_ issue: GPXIssue) -> Self {
      Self(kind: .issue(issue))
    }
  }

  /// The reason.
  public var cause: Cause
  /// The name of the input, nil for bytes without a name.
  public var file: String?
  /// The line of the error, from 1; nil if no place in the file is to blame.
  public var line: Int?
  /// The column of the error, from 1, in Unicode scalars.
  public var column: Int?
  /// The path of the input, nil if it is not a file; the recovery suggestion may name it.
  public var path: String?

  /// Creates an error; what is unknown is nil.
  public init(
    _ cause: Cause, file: String? = nil, line: Int? = nil, column: Int? = nil, path: String? = nil
  ) {
    self.cause = cause
    self.file = file
    self.line = line
    self.column = column
    self.path = path
  }

  init(_ cause: Cause, in input: GPXInput, line: Int? = nil, column: Int? = nil) {
    let path = if case .file(let path) = input { path } else { nil as String? }
    self.init(cause, file: input.name, line: line, column: column, path: path)
  }
}

extension GPXError: CustomStringConvertible {
  /// `walk.gpx:12:7: the file ends in the middle`.
  public var description: String {
    var place = file.map { $0.shortLine(limit: 1_000) } ?? ""
    if let line { place += "\(place.isEmpty ? "line " : ":")\(line)" }
    if line != nil, let column { place += ":\(column)" }
    return place.isEmpty ? cause.description : "\(place): \(cause)"
  }

  /// The ``description``, for alerts.
  public var errorDescription: String? { description }

  /// A suggestion for the user; nil if the description says everything.
  public var recoverySuggestion: String? {
    switch cause.kind {
    case .unreadable: "Check the name and the permissions of the file."
    case .unwritable: "Check the free space and the permissions of the folder."
    case .notGPX(let kind): kind.recoverySuggestion(path: path)
    case .documentType: "Remove the <!DOCTYPE> line if you trust the file."
    case .notWellFormed: "Export the file again, or fix this line in a text editor."
    case .truncated, .nulBytes, .truncatedGzip, .damagedGzip:
      "Copy or download the file again; what comes before the break has been read."
    case .tooDeep, .markupTooLong, .tooManyNames: "No recorder writes this; do not trust the file."
    case .issue: "Fix the point, or read without strict to skip what cannot be used."
    }
  }
}

extension GPXError.Cause: CustomStringConvertible {
  /// `the file ends in the middle`.
  public var description: String {
    switch kind {
    case .unreadable(let errno): "cannot be read: \(String(cString: strerror(errno)))"
    case .unwritable(let errno): "cannot be written: \(String(cString: strerror(errno)))"
    case .notGPX(let kind): "this is \(kind), not GPX"
    case .documentType: "a document type declaration (<!DOCTYPE>) is refused"
    case .notWellFormed(let message): "not well-formed XML: \(message)"
    case .truncated: "the file ends in the middle"
    case .nulBytes: "NUL bytes where text should be"
    case .tooDeep: "elements are nested more than \(GPXReader.maximumDepth) deep"
    case .markupTooLong: "a tag is longer than \(GPXReader.maximumMarkupLength >> 20) MiB"
    case .tooManyNames: "too many names of elements, attributes or namespaces"
    case .truncatedGzip: "the compressed file ends in the middle"
    case .damagedGzip: "the compressed data is damaged"
    case .issue(let issue): issue.problem
    }
  }
}
