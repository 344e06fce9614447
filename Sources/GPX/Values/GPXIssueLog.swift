/// Counts the issues of a file, and says which of them are worth showing: the first of each kind.
///
/// Its size is bounded by the number of kinds, whatever the number of issues.
public struct GPXIssueLog: Hashable, Sendable {
  /// How many of each kind are shown.
  public let limit: Int
  /// How many there were of each kind, all of them counted.
  public private(set) var counts: [GPXIssue.Kind: Int] = [:]
  /// How many points were left out.
  public private(set) var skipped = 0

  public init(limit: Int = 10) {
    self.limit = limit
  }

  /// Counts the issue and says whether it is one of the first of its kind.
  public mutating func record(_ issue: GPXIssue) -> Bool {
    counts[issue.kind, default: 0] += 1
    if issue.skipsPoint { skipped += 1 }
    return counts[issue.kind, default: 0] <= limit
  }

  /// All issues.
  public var total: Int {
    counts.values.reduce(0, +)
  }

  /// The kinds of which more came than were shown, with the number of the others, the most
  /// frequent first.
  public var unshown: [(kind: GPXIssue.Kind, count: Int)] {
    counts.filter { $0.value > limit }
      .map { (kind: $0.key, count: $0.value - limit) }
      .sorted { ($1.count, $0.kind.description) < ($0.count, $1.kind.description) }
  }
}
