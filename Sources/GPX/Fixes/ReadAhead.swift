import Dispatch
import FaketrackSupport
import Foundation
import Geodesy

/// Batches of fixes from code that blocks, such as a parser that reads a file or a pipe.
///
/// The code runs on a separate thread and waits while its queue is full, so memory stays bounded.
/// Small batches that wait are joined. The thread ends when the last reference to this object is
/// gone: its next delivery then throws an error.
final class ReadAhead: Sendable {
  /// Hands over a batch of fixes; throws `CancellationError` after the end of the iteration.
  typealias Deliver = (_ batch: [Fix]) throws -> Void

  private let queue: HandoverQueue

  /// - Parameters:
  ///   - limit: the largest number of batches in the queue, at least 1.
  ///   - produce: called once, on the thread. An error that it throws follows its batches.
  init(limit: Int = 4, _ produce: @escaping @Sendable (_ deliver: Deliver) throws -> Void) {
    let queue = HandoverQueue(limit: limit)
    self.queue = queue
    // Unlike a `Thread`, a queue waits until one can be started.
    DispatchQueue(label: "faketrack.fixes").async {
      queue.finish(with: Result { try produce(queue.put) })
    }
  }

  /// Fixes that have been read, followed by the error that ended the reading.
  init(_ fixes: [Fix], _ outcome: Result<Void, any Error>) {
    queue = HandoverQueue(fixes.isEmpty ? [] : [fixes], outcome)
  }

  deinit {
    queue.abandon()
  }

  func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> [Fix]? {
    try await queue.take(isolation: actor)
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

  private let state: Locked<State>
  /// Counts the free places in the queue.
  private let space = DispatchSemaphore(value: 0)

  init(_ batches: [[Fix]] = [], _ outcome: Result<Void, any Error>? = nil, limit: Int = 0) {
    state = Locked(State(batches: batches, outcome: outcome))
    // A semaphore must not be released with a lower value than it was created with, so this one is
    // created with 0 and then counted up.
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
      let consumer = state.consumer.take()
      // An error is thrown once.
      state.outcome = consumer == nil ? outcome : .success(())
      return consumer
    }
    consumer?.resume(with: outcome.map { nil })
  }

  func take(isolation: isolated (any Actor)?) async throws -> [Fix]? {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let ready: Result<[Fix]?, any Error>? = state.withLock { state in
          if state.isAbandoned { return .failure(CancellationError()) }
          if !state.batches.isEmpty { return .success(state.batches.removeFirst()) }
          if let outcome = state.outcome {
            state.outcome = .success(())
            return outcome.map { nil }
          }
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
