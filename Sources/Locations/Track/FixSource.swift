import Foundation
import Geodesy

/// The fixes of a track, batch by batch, from the beginning in each lap.
struct FixSource: Sendable {
  typealias Next = (isolated (any Actor)?) async throws -> [Fix]?

  static let batchSize = 256

  let start: @Sendable () -> Next
  /// The number of fixes that may be held to judge a time.
  let lookahead: TimeLine.Lookahead
}

extension FixSource {
  init(_ fixes: some Sequence<Fix> & Sendable) {
    lookahead = .file
    start = {
      var iterator = fixes.makeIterator()
      return { _ in
        var batch: [Fix] = []
        batch.reserveCapacity(Self.batchSize)
        while batch.count < Self.batchSize, var fix = iterator.next() {
          // The sequence may join tracks that were judged one by one.
          if fix.time != nil { fix.origin.verdict = .open }
          batch.append(fix)
        }
        return batch.isEmpty ? nil : batch
      }
    }
  }

  init<Batches: AsyncSequence & Sendable>(batches: Batches) where Batches.Element == [Fix] {
    lookahead = .stream
    start = {
      var iterator = batches.makeAsyncIterator()
      return { isolation in try await iterator.next(isolation: isolation) }
    }
  }

  init(_ lookahead: TimeLine.Lookahead, start: @escaping @Sendable () -> Next) {
    (self.lookahead, self.start) = (lookahead, start)
  }

  /// The same fixes, their times judged. An error of the source comes after the fixes before it.
  func judged() -> FixSource {
    FixSource(lookahead) {
      var times = TimeLine(lookahead)
      var open: Next? = self.start()
      var failure: (any Error)?
      return { isolation in
        if let failure { throw failure }
        while let next = open {
          var judged: [Fix] = []
          do {
            if let batch = try await next(isolation) {
              judged = times.judge(batch)
            } else {
              open = nil
            }
          } catch  where !(error is CancellationError) {
            (failure, open) = (error, nil)
          }
          if open == nil { times.finish(&judged) }
          if !judged.isEmpty { return judged }
        }
        if let failure { throw failure }
        return nil
      }
    }
  }

  /// The same fixes in reverse order, their times judged. An error of the source comes after them.
  func reversed() -> FixSource {
    let backwards = FixSource(.file) {
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
    return backwards.judged()
  }

  /// Reverses the order and the direction of fixes and keeps the recorded durations between them.
  private static func reverse(_ fixes: inout [Fix]) {
    let times = fixes.lazy.compactMap(\.time?.timeIntervalSinceReferenceDate)
    let sum = (times.first ?? 0) + (times.last ?? 0)
    fixes.reverse()
    for index in fixes.indices {
      // The steps lead the other way.
      if fixes[index].time != nil { fixes[index].origin.verdict = .open }
      fixes[index].time = fixes[index].time.map {
        Date(timeIntervalSinceReferenceDate: sum - $0.timeIntervalSinceReferenceDate)
      }
      fixes[index].course = fixes[index].course.map {
        ($0 + 180).truncatingRemainder(dividingBy: 360)
      }
    }
  }
}
