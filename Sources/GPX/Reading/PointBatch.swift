import Geodesy

/// The points that have been read and not been handed on.
struct PointBatch {
  private(set) var kind = GPXPointKind.trackPoint
  private(set) var fixes: [Fix] = []
  private(set) var names: [String?] = []

  init() {
    fixes.reserveCapacity(GPXReader.batchSize)
  }

  var isEmpty: Bool { fixes.isEmpty }

  /// Whether a point of this kind has to wait until the batch is empty.
  @inline(__always)
  func isFull(for kind: GPXPointKind) -> Bool {
    fixes.count == GPXReader.batchSize || (kind != self.kind && !fixes.isEmpty)
  }

  @inline(__always)
  mutating func append(_ fix: Fix, _ kind: GPXPointKind) {
    self.kind = kind
    fixes.append(fix)
  }

  mutating func append(name: String?) {
    names.append(name)
  }

  mutating func removeAll() {
    fixes.removeAll(keepingCapacity: true)
    names.removeAll(keepingCapacity: true)
  }
}
