import Geodesy

/// The points of one source of a file, in order and in constant memory.
///
/// In a GPX file the waypoints come first and the tracks last, so that what ``GPXSource/auto``
/// means shows late. Until it does, the points that may be meant are spooled: some thousands in
/// memory, the others in a temporary file. The input is read once, so that a pipe does as well as
/// a file.
public struct GPXWalk: Sendable {
  /// What a walk comes upon.
  public enum Event: Sendable {
    /// The kind of the points that follow; once, before the first.
    case source(GPXPointKind)
    /// The next fixes, at least one, and how much of the input is behind them, 0 ... 1; nil when
    /// its length is not known.
    case fixes([Fix], share: Double?)
    /// Something that could not be used, in a point of whatever kind.
    case issue(GPXIssue)
  }

  /// Where the points come from.
  public var reader: GPXReader
  /// Which points are walked.
  public var source: GPXSource

  public init(_ input: GPXInput, source: GPXSource = .auto, isStrict: Bool = false) {
    reader = GPXReader(input, isStrict: isStrict, readsNames: false)
    self.source = source
  }

  /// Walks to the end of the input and returns the kind of the points, nil when there were none.
  ///
  /// The handler ends the walk by throwing, as that of ``GPXReader/read(_:)`` does.
  ///
  /// - Throws: ``GPXError`` after the points of everything before the break; what the handler
  ///   throws.
  @discardableResult
  public func read(_ handler: (Event) throws -> Void) throws -> GPXPointKind? {
    var choice = SourceChoice(source)
    func deliver(_ event: Event) throws(HandlerError) {
      do { try handler(event) } catch { throw HandlerError(reason: error) }
    }
    do {
      do {
        try reader.read { event in
          switch event {
          case .points(let points): try choice.receive(points, deliver)
          case .issue(let issue): try deliver(.issue(issue))
          case .track, .segment, .route, .trackName, .routeName: break
          }
        }
      } catch let error as GPXError {
        try choice.finish(deliver)
        throw error
      }
      try choice.finish(deliver)
    } catch let error as HandlerError {
      guard error.reason is GPXReader.Stop else { throw error.reason }
    }
    return choice.kind
  }

  /// An error of the handler's own, told apart from those of the file, after which the spooled
  /// points are still delivered.
  private struct HandlerError: Error {
    let reason: any Error
  }
}
