import Foundation
import Geodesy

/// The fixes of a track, batch by batch, from the beginning in each lap.
struct FixSource: Sendable {
  typealias Next = (isolated (any Actor)?) async throws -> [Fix]?

  static let batchSize = 256

  let start: @Sendable () -> Next
}

extension FixSource {
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

  /// The same fixes in reverse order, as a single batch. An error of the source comes after them.
  func reversed() -> FixSource {
    FixSource {
      var forward: Next? = self.start()
      var failure: (any Error)?
      return { isolation in
        if let failure { throw failure }
        guard let next = forward.take() else { return nil }
        var fixes: [Fix] = []
        do {
          while let batch = try await next(isolation) {
            try Task.checkCancellation()
            fixes += batch
          }
        } catch  where !(error is CancellationError || fixes.isEmpty) {
          failure = error
        }
        Self.reverse(&fixes)
        return fixes.isEmpty ? nil : fixes
      }
    }
  }

  /// Reverses the order and the direction of fixes and keeps the recorded durations between them.
  private static func reverse(_ fixes: inout [Fix]) {
    let times = fixes.lazy.compactMap(\.time?.timeIntervalSinceReferenceDate)
    let sum = (times.first ?? 0) + (times.last ?? 0)
    fixes.reverse()
    for index in fixes.indices {
      fixes[index].time = fixes[index].time.map {
        Date(timeIntervalSinceReferenceDate: sum - $0.timeIntervalSinceReferenceDate)
      }
      fixes[index].course = fixes[index].course.map {
        ($0 + 180).truncatingRemainder(dividingBy: 360)
      }
    }
  }
}
