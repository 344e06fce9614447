import Geodesy

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Where a replay takes its fixes from: batch by batch, anew for each lap.
struct FixBatches: Sendable {
  typealias Next = (isolated (any Actor)?) async throws -> [Fix]?

  static let batchSize = 256

  let start: @Sendable () -> Next

  init(start: @escaping @Sendable () -> Next) {
    self.start = start
  }

  init(_ fixes: some Sequence<Fix> & Sendable) {
    start = {
      var iterator = fixes.makeIterator()
      return { _ in
        var batch: [Fix] = []
        batch.reserveCapacity(Self.batchSize)
        while batch.count < Self.batchSize, let fix = iterator.next() { batch.append(fix) }
        return batch.isEmpty ? nil : batch
      }
    }
  }

  init<Batches: AsyncSequence & Sendable>(batches: Batches) where Batches.Element == [Fix] {
    start = {
      var iterator = batches.makeAsyncIterator()
      return { isolation in try await iterator.next(isolation: isolation) }
    }
  }

  /// The same fixes backwards, all of them held in memory; an error of the source comes after
  /// them.
  func reversed() -> FixBatches {
    FixBatches {
      var forward: Next? = self.start()
      var failure: (any Error)?
      return { isolation in
        if let failure { throw failure }
        guard let next = forward else { return nil }
        forward = nil
        var fixes: [Fix] = []
        do {
          while let batch = try await next(isolation) { fixes += batch }
        } catch {
          if error is CancellationError || fixes.isEmpty { throw error }
          failure = error
        }
        return fixes.isEmpty ? nil : Self.reverse(fixes)
      }
    }
  }

  /// Fixes in the opposite order and direction, with the recorded durations between them.
  private static func reverse(_ fixes: [Fix]) -> [Fix] {
    let times = fixes.lazy.compactMap(\.time)
    let sum = times.first.flatMap { first in
      times.last.map {
        first.timeIntervalSinceReferenceDate + $0.timeIntervalSinceReferenceDate
      }
    }
    return fixes.reversed().map { fix in
      var fix = fix
      if let time = fix.time, let sum {
        fix.time = Date(
          timeIntervalSinceReferenceDate: sum - time.timeIntervalSinceReferenceDate)
      }
      fix.course = fix.course.map { ($0 + 180).truncatingRemainder(dividingBy: 360) }
      return fix
    }
  }
}
