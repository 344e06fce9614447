import Geodesy

/// The share of a track before a place; while the track is being read, the share of the file.
struct ReadShare {
  /// The end of a batch of fixes, in meters along the track, and the share of the file up to there.
  private struct Mark {
    var meters = 0.0
    var share = 0.0
  }

  /// The ends of the batches that have not been replayed yet, and of the batch before.
  private var marks: [Mark] = [Mark()]
  private var meters = 0.0
  private var previous: Fix?
  /// Meters of the whole track, once all of it has been read.
  private var length: Double?

  /// - Parameter fraction: the share of the file that has been read, if its size is known.
  mutating func add(_ fixes: [Fix], fraction: Double?) {
    for fix in fixes {
      if let previous, previous.segment == fix.segment {
        meters += previous.coordinate.distance(to: fix.coordinate)
      }
      previous = fix
    }
    if let fraction { marks.append(Mark(meters: meters, share: fraction)) }
  }

  mutating func finish() {
    length = meters
    marks = []
  }

  /// The share as ``GPXFixes/share(at:laps:)`` returns it.
  mutating func share(at meters: Double, laps: Int) -> Double? {
    if let length {
      return length > 0 ? min(1, meters / (length * Double(laps))) : 1
    }
    while marks.count > 2, marks[1].meters <= meters { marks.removeFirst() }
    guard marks.count > 1 else { return nil }
    let (start, end) = (marks[0], marks[1])
    let length = end.meters - start.meters
    let fraction = length > 0 ? min(max((meters - start.meters) / length, 0), 1) : 1
    return (start.share + fraction * (end.share - start.share)) / Double(laps)
  }
}
