import Foundation

/// Returns the lines that differ between two texts, as `- expected` and `+ found` in order, or an empty
/// string for equal texts.
package func lineDifference(from expected: String, to found: String) -> String {
  let expected = expected.components(separatedBy: "\n")
  let found = found.components(separatedBy: "\n")
  var removed: Set<Int> = []
  var inserted: Set<Int> = []
  for change in found.difference(from: expected) {
    switch change {
    case .remove(let offset, _, _): removed.insert(offset)
    case .insert(let offset, _, _): inserted.insert(offset)
    }
  }
  var lines: [String] = []
  var (old, new) = (0, 0)
  while old < expected.count || new < found.count {
    if removed.contains(old) {
      lines.append("- \(expected[old])")
      old += 1
    } else if inserted.contains(new) {
      lines.append("+ \(found[new])")
      new += 1
    } else {
      old += 1
      new += 1
    }
  }
  return lines.joined(separator: "\n")
}
