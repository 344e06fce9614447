extension String {
  /// The text without what could steer a terminal or reorder its line: control, format and
  /// separator characters become spaces, or nothing where they have no width.
  package var safeForTerminal: String {
    var safe = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: safe.append(" ")
      case .format, .surrogate, .privateUse, .unassigned: continue
      default: safe.append(scalar)
      }
    }
    return String(safe)
  }

  /// How many columns of a terminal the text takes.
  package var columns: Int {
    unicodeScalars.reduce(0) { $0 + $1.columns }
  }

  /// The text cut to so many columns, with an ellipsis where something is missing.
  package func truncated(toColumns limit: Int) -> String {
    guard columns > limit else { return self }
    var kept = ""
    var width = 0
    for character in self {
      let next = String(character).columns
      if width + next > limit - 1 { break }
      kept.append(character)
      width += next
    }
    return kept + "…"
  }

  /// The text filled with spaces on the right, or on the left, to so many columns.
  package func padded(toColumns width: Int, onLeft: Bool = false) -> String {
    let filling = String(repeating: " ", count: max(0, width - columns))
    return onLeft ? filling + self : self + filling
  }
}

extension Unicode.Scalar {
  /// 0 for marks, 2 for the wide scripts of East Asia and emoji, 1 for the rest.
  fileprivate var columns: Int {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: break
    }
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF,
      0x20000...0x3FFFD:
      return 2
    default:
      return 1
    }
  }
}
