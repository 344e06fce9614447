import Geodesy
import Dispatch
import Foundation
import Synchronization

/// Fixes from code that blocks, such as a file or pipe being parsed: the code runs on a thread of
/// its own and hands over through a bounded queue.
///
/// The thread starts with the iteration. It waits while the queue is full, so memory stays bounded
/// however slowly the fixes are taken. Once the iteration has ended, its next delivery throws.
///
/// ```swift
/// ThreadedBatches { deliver in
///   try reader.read { batch in try deliver(batch) }
/// }
/// ```
public struct ThreadedBatches: AsyncSequence, Sendable {
  public typealias Element = [Fix]
  public typealias Failure = any Error

  /// Hands over a batch; throws `CancellationError` when nobody takes it any more.
  public typealias Deliver = (_ batch: [Fix]) throws -> Void

  private let queueLimit: Int
  private let produce: @Sendable (_ deliver: Deliver) throws -> Void

  /// Creates a source of fixes.
  ///
  /// - Parameters:
  ///   - queueLimit: batches that may wait, at least 1.
  ///   - produce: called once for each iteration, on its thread; what it throws ends the sequence
  ///     after the batches delivered before.
  public init(
    queueLimit: Int = 4, _ produce: @escaping @Sendable (_ deliver: Deliver) throws -> Void
  ) {
    self.queueLimit = queueLimit
    self.produce = produce
  }

  public func makeAsyncIterator() -> Iterator {
    let queue = HandoverQueue(limit: queueLimit)
    let thread = Thread { [produce] in
      queue.finish(with: Result { try produce(queue.put) })
    }
    thread.name = "faketrack.fixes"
    thread.start()
    return Iterator(queue: queue)
  }

  public struct Iterator: AsyncIteratorProtocol {
    private let taker: Taker

    fileprivate init(queue: HandoverQueue) {
      taker = Taker(queue: queue)
    }

    public func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> [Fix]? {
      try await taker.queue.take(isolation: actor)
    }

    public mutating func next() async throws -> [Fix]? {
      try await next(isolation: nil)
    }
  }

  /// Ends the thread when the iterator is gone.
  private final class Taker {
    let queue: HandoverQueue

    init(queue: HandoverQueue) {
      self.queue = queue
    }

    deinit {
      queue.abandon()
    }
  }
}

/// A bounded queue from a thread that may block to a task that may not.
private final class HandoverQueue: Sendable {
  private struct State {
    var batches: [[Fix]] = []
    var outcome: Result<Void, any Error>?
    var taker: CheckedContinuation<[Fix]?, any Error>?
    var isAbandoned = false
  }

  private let state = Mutex(State())
  private let free: DispatchSemaphore

  init(limit: Int) {
    // Counted up from zero: a semaphore may not be freed below the value it was made with.
    free = DispatchSemaphore(value: 0)
    for _ in 0..<max(1, limit) { free.signal() }
  }

  func put(_ batch: [Fix]) throws {
    free.wait()
    let taker = try state.withLock { state -> CheckedContinuation<[Fix]?, any Error>? in
      if state.isAbandoned {
        free.signal()
        throw CancellationError()
      }
      if state.taker == nil { state.batches.append(batch) }
      return state.taker.take()
    }
    if let taker {
      free.signal()
      taker.resume(returning: batch)
    }
  }

  func finish(with outcome: Result<Void, any Error>) {
    let taker = state.withLock { state in
      state.outcome = outcome
      return state.taker.take()
    }
    taker?.resume(with: outcome.map { nil })
  }

  func take(isolation: isolated (any Actor)?) async throws -> [Fix]? {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let ready: Result<[Fix]?, any Error>? = state.withLock { state in
          if state.isAbandoned { return .failure(CancellationError()) }
          if !state.batches.isEmpty { return .success(state.batches.removeFirst()) }
          if let outcome = state.outcome { return outcome.map { nil } }
          state.taker = continuation
          return nil
        }
        guard let ready else { return }
        if case .success(.some) = ready { free.signal() }
        continuation.resume(with: ready)
      }
    } onCancel: {
      abandon()
    }
  }

  func abandon() {
    let taker = state.withLock { state in
      state.isAbandoned = true
      state.batches.removeAll()
      return state.taker.take()
    }
    free.signal()
    taker?.resume(throwing: CancellationError())
  }
}
