import Dispatch
import FaketrackSupport
import Foundation
import Geodesy

/// Fixes from code that blocks, such as a parser that reads a file or a pipe.
///
/// The code runs on a thread of its own, which starts with the iteration, and hands over its fixes
/// through a bounded queue. It waits while the queue is full, so memory stays bounded however slowly
/// the fixes are taken. Small batches that wait are joined, so that fixes that were handed over one by
/// one need not be taken one by one. Once the iteration has ended, deliveries throw an error.
///
/// ```swift
/// ThreadedBatches { deliver in
///   try reader.read { batch in try deliver(batch) }
/// }
/// ```
public struct ThreadedBatches: AsyncSequence, Sendable {
  public typealias Element = [Fix]
  public typealias Failure = any Error

  /// Hands over a batch of fixes; throws `CancellationError` once nobody takes them any more.
  public typealias Deliver = (_ batch: [Fix]) throws -> Void

  private let queueLimit: Int
  private let produce: @Sendable (_ deliver: Deliver) throws -> Void

  /// Creates a source of fixes.
  ///
  /// - Parameters:
  ///   - queueLimit: how many batches may wait in the queue, 1 ... 1,000; other values are clamped.
  ///   - produce: called once in each iteration, on its thread. An error that it throws ends the
  ///     sequence after the batches that were delivered before.
  public init(
    queueLimit: Int = 4, _ produce: @escaping @Sendable (_ deliver: Deliver) throws -> Void
  ) {
    self.queueLimit = Swift.min(Swift.max(queueLimit, 1), 1_000)
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

  /// One iteration of the batches, with a thread of its own.
  public struct Iterator: AsyncIteratorProtocol {
    private let consumer: Consumer

    fileprivate init(queue: HandoverQueue) {
      consumer = Consumer(queue: queue)
    }

    /// The next batch, or `nil` after the last one.
    public func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> [Fix]? {
      try await consumer.queue.take(isolation: actor)
    }

    public mutating func next() async throws -> [Fix]? {
      try await next(isolation: nil)
    }
  }

  /// Ends the thread when the last copy of the iterator is gone.
  private final class Consumer {
    let queue: HandoverQueue

    init(queue: HandoverQueue) {
      self.queue = queue
    }

    deinit {
      queue.abandon()
    }
  }
}

/// A bounded queue from a thread, which may block, to a task, which may not.
private final class HandoverQueue: Sendable {
  private struct State {
    var batches: [[Fix]] = []
    var outcome: Result<Void, any Error>?
    /// The task that waits for a batch.
    var consumer: CheckedContinuation<[Fix]?, any Error>?
    var isAbandoned = false
  }

  /// Up to this many fixes, a batch joins the one before it.
  private static let batchSize = 512

  private let state = Locked(State())
  /// Counts the free places in the queue.
  private let space: DispatchSemaphore

  init(limit: Int) {
    // A semaphore must not be released with a lower value than it was created with, so this one is
    // created with 0 and then counted up.
    space = DispatchSemaphore(value: 0)
    for _ in 0..<limit { space.signal() }
  }

  func put(_ batch: [Fix]) throws {
    if state.withLock({ Self.join(batch, to: &$0.batches) }) { return }
    space.wait()
    let consumer = try state.withLock { state -> CheckedContinuation<[Fix]?, any Error>? in
      if state.isAbandoned {
        space.signal()
        throw CancellationError()
      }
      if state.consumer == nil { state.batches.append(batch) }
      return state.consumer.take()
    }
    if let consumer {
      space.signal()
      consumer.resume(returning: batch)
    }
  }

  /// Adds the fixes to the last of the batches that wait, if they fit there.
  private static func join(_ batch: [Fix], to batches: inout [[Fix]]) -> Bool {
    guard !batch.isEmpty, let last = batches.indices.last,
      batches[last].count + batch.count <= batchSize
    else { return false }
    batches[last] += batch
    return true
  }

  func finish(with outcome: Result<Void, any Error>) {
    let consumer = state.withLock { state in
      state.outcome = outcome
      return state.consumer.take()
    }
    consumer?.resume(with: outcome.map { nil })
  }

  func take(isolation: isolated (any Actor)?) async throws -> [Fix]? {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let ready: Result<[Fix]?, any Error>? = state.withLock { state in
          if state.isAbandoned { return .failure(CancellationError()) }
          if !state.batches.isEmpty { return .success(state.batches.removeFirst()) }
          if let outcome = state.outcome { return outcome.map { nil } }
          state.consumer = continuation
          return nil
        }
        guard let ready else { return }
        if case .success(.some) = ready { space.signal() }
        continuation.resume(with: ready)
      }
    } onCancel: {
      abandon()
    }
  }

  func abandon() {
    let consumer = state.withLock { state in
      state.isAbandoned = true
      state.batches.removeAll()
      return state.consumer.take()
    }
    space.signal()
    consumer?.resume(throwing: CancellationError())
  }
}
