/// The place of a fix in its file, and the verdict on its time. Ignored when fixes are compared.
@frozen
@usableFromInline
package struct FixOrigin: Sendable {
  /// The verdict of a ``TimeLine`` on a recorded time.
  @usableFromInline
  package enum Verdict: UInt8, Sendable {
    /// Not judged yet.
    case open
    /// It continues the line of times, or is not known.
    case usable
    /// It leaves the line and comes back; the fix has no time any more.
    case outOfLine
    /// It is earlier than the times before, and begins a new line.
    case stepBack
    /// It is the first of a segment, and earlier than the times of the segments before.
    case earlierSegment
    /// It is more than ``TimeLine/longestStep`` from the times before, and begins a new line.
    case leap

    /// Whether the step to the fix does not count.
    @inlinable package var beginsLine: Bool {
      self == .stepBack || self == .earlierSegment || self == .leap
    }
  }

  /// The verdict in the lowest three bits, the line above.
  @usableFromInline var bits: UInt32 = 0

  @inlinable
  package init() {}

  /// - Parameter line: the line of the file, from 1; 0 if unknown.
  package init(line: Int) {
    bits = UInt32(truncatingIfNeeded: line) << 3
  }

  /// The line of the file, from 1; `nil` if unknown.
  package var line: Int? { bits >> 3 == 0 ? nil : Int(bits >> 3) }

  @inlinable package var verdict: Verdict {
    get { Verdict(rawValue: UInt8(bits & 7)) ?? .open }
    set { bits = bits & ~7 | UInt32(newValue.rawValue) }
  }
}

extension FixOrigin: Hashable {
  @usableFromInline
  package static func == (_: FixOrigin, _: FixOrigin) -> Bool { true }

  @usableFromInline
  package func hash(into _: inout Hasher) {}
}
