import Geodesy
import Locations

/// The fixes of a track: all at once if it is small, else from a thread that reads ahead.
struct TrackBatches: AsyncSequence, Sendable {
  typealias Element = [Fix]
  typealias Failure = any Error

  /// All fixes of a track.
  struct Small: Sendable {
    var fixes: [Fix] = []
    /// Why there are no more, if they break off.
    var failure: (any Error)?
  }

  let small: @Sendable () throws -> Small?
  let onThread: ThreadedBatches

  func makeAsyncIterator() -> Iterator {
    Iterator(batches: self)
  }

  struct Iterator: AsyncIteratorProtocol {
    private let batches: TrackBatches
    private var state = State.unread

    private enum State {
      case unread, ended
      case brokenOff(any Error)
      case threaded(ThreadedBatches.Iterator)
    }

    init(batches: TrackBatches) {
      self.batches = batches
    }

    mutating func next() async throws -> [Fix]? {
      switch state {
      case .unread:
        guard let small = try batches.small() else {
          state = .threaded(batches.onThread.makeAsyncIterator())
          return try await next()
        }
        state = small.failure.map(State.brokenOff) ?? .ended
        return small.fixes.isEmpty ? try await next() : small.fixes
      case .ended:
        return nil
      case .brokenOff(let failure):
        state = .ended
        throw failure
      case .threaded(let iterator):
        return try await iterator.next(isolation: nil)
      }
    }
  }
}
