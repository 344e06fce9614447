import Foundation
import Geodesy

/// Holds the fixes of a track, and returns its segments in the order of their times.
///
/// The time of a segment is the middle one of its times, so that a wrong one does not move it. A segment without a
/// time stays behind the one before it. Waypoints, which are in no segment, stay in their order.
struct SegmentsByTime {
  private struct Segment {
    var batches: [PackedFixes] = []

    /// The middle one of its times in seconds; `nil` without any.
    var time: Double? {
      let times = batches.flatMap(\.times).sorted()
      return times.isEmpty ? nil : times[times.count / 2]
    }
  }

  private var segments: [Segment] = []
  /// The number of fixes.
  private(set) var count = 0
  private var current: Int?

  mutating func add(_ fixes: [Fix]) {
    count += fixes.count
    for batch in fixes.chunkedBySegment {
      if segments.isEmpty || current != batch.first?.segment {
        current = batch.first?.segment
        segments.append(Segment())
      }
      segments[segments.count - 1].batches.append(PackedFixes(batch))
    }
  }

  /// Passes on the fixes in batches, their segments numbered from 0.
  mutating func forEachBatch(_ body: ([Fix]) throws -> Void) rethrows {
    var last = -Double.infinity
    let order = segments.indices.map { index -> (time: Double, index: Int) in
      last = segments[index].time ?? last
      return (last, index)
    }.sorted { ($0.time, $0.index) < ($1.time, $1.index) }
    for (number, (_, index)) in order.enumerated() {
      for batch in segments[index].batches {
        try body(
          batch.fixes.map { fix in
            var fix = fix
            if fix.segment >= 0 { fix.segment = number }
            return fix
          })
      }
      segments[index].batches = []
    }
  }
}

extension [Fix] {
  /// The fixes of each segment, in order.
  var chunkedBySegment: [ArraySlice<Fix>] {
    var rest = self[...]
    var chunks: [ArraySlice<Fix>] = []
    while let segment = rest.first?.segment {
      let end = rest.firstIndex { $0.segment != segment } ?? rest.endIndex
      chunks.append(rest[..<end])
      rest = rest[end...]
    }
    return chunks
  }
}
