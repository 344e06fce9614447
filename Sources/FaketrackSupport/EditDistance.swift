/// The edit distance from texts to a target (optimal string alignment): an edit adds, removes or changes
/// a byte, or swaps two neighbors.
///
/// The prefix that a text shares with the previous one is not computed again, so sorted texts cost little
/// more than their differences.
package struct EditDistance {
  private let target: [UInt8]
  private let limit: Int
  /// For each prefix of the last text, the distance to each prefix of the target.
  private var rows: [Int]
  private var last: [UInt8] = []
  /// The length of the prefix of the last text with computed rows.
  private var known = 0
  /// The length of the prefix of the last text with which no text is within the limit.
  private var end = Int.max

  /// - Parameter limit: The maximum distance of interest.
  package init(to target: some Sequence<UInt8>, limit: Int) {
    self.target = Array(target)
    self.limit = limit
    rows = Array(0...self.target.count)
  }

  /// Returns the distance from a text, or `nil` if it exceeds the limit.
  ///
  /// O(n · m), where n is the length of the text beyond the shared prefix and m that of the target.
  package mutating func edits(from text: [UInt8]) -> Int? {
    let compared = min(known, text.count)
    let shared = (0..<compared).first { last[$0] != text[$0] } ?? compared
    last = text
    if shared >= end { return nil }
    end = .max
    known = shared
    while known < text.count {
      guard addRow() <= limit else {
        end = known
        return nil
      }
    }
    let edits = rows[(text.count + 1) * (target.count + 1) - 1]
    return edits <= limit ? edits : nil
  }

  /// Adds the row of the next prefix of the last text, and returns its minimum.
  private mutating func addRow() -> Int {
    let width = target.count + 1
    let (above, row) = (known * width, (known + 1) * width)
    if rows.count < row + width { rows += [Int](repeating: 0, count: width) }
    let byte = last[known]
    rows[row] = known + 1
    var least = known + 1
    for column in 1..<width {
      let other = target[column - 1]
      var edits = min(
        rows[above + column] + 1, rows[row + column - 1] + 1,
        rows[above + column - 1] + (byte == other ? 0 : 1))
      if known > 0, column > 1, byte == target[column - 2], last[known - 1] == other {
        edits = min(edits, rows[above - width + column - 2] + 1)
      }
      rows[row + column] = edits
      least = min(least, edits)
    }
    known += 1
    return least
  }
}
