import FaketrackSupport
import Synchronization

/// A piece of the text of a track.
struct TrackChunk: Sendable {
  var text = TextBuffer()
  /// The positions in the text at which its records end, ascending; the last is the end of the
  /// text.
  var ends: [Int] = []
  /// Whether its only record is an event.
  var isEvent = false
  /// The renderer behind the last record, which closes the track if the output breaks off there.
  var renderer: (any VisitRenderer)?
  /// The result of the track, with its last piece.
  var outcome: TrackOutcome?
}

/// Puts the output of tracks that are worked on side by side into the order in which they began.
///
/// The first track that has not ended passes its pieces on as they come; those after it wait, and
/// stop when they are too far ahead. Memory is bounded: by some pieces for each track that is being
/// worked on, and for those that are done by their number and their bytes.
final class OrderedOutput: Sendable {
  final class Lane: Sendable {
    fileprivate let chunks = BoundedQueue<TrackChunk>(limit: OrderedOutput.chunkLimit)
    fileprivate let waiting: WaitingBytes

    fileprivate init(_ waiting: WaitingBytes) {
      self.waiting = waiting
    }

    /// Adds a piece; waits while too many pieces have not been written.
    func put(_ chunk: TrackChunk) async throws {
      try await chunks.put { chunk }
      waiting.add(chunk.text.count)
    }

    fileprivate func finish() {
      chunks.finish(.success(()))
    }
  }

  /// Pieces of a track that may wait, each of one to some hundred records.
  static let chunkLimit = 16
  /// Tracks that may have begun and not been written.
  static let laneLimit = 1_024
  /// Bytes that may wait before another track begins.
  static let byteLimit = 8 << 20

  private let lanes = BoundedQueue<Lane>(limit: OrderedOutput.laneLimit)
  private let waiting = WaitingBytes()

  /// Begins the output of the next track; waits while too much has not been written.
  private func open() async throws -> Lane {
    try await waiting.waitForRoom()
    let lane = Lane(waiting)
    try await lanes.put { lane }
    return lane
  }

  /// Writes the pieces in order, together as many of a track as there are, until the last.
  private func drain(
    _ write: (_ chunks: [TrackChunk], _ startsTrack: Bool) async throws -> Void
  ) async throws {
    while let lane = try await lanes.first() {
      var isFirst = true
      while try await lane.chunks.first() != nil {
        let chunks = lane.chunks.ready { _ in true }
        try await write(chunks, isFirst)
        isFirst = false
        waiting.remove(chunks.reduce(0) { $0 + $1.text.count })
        lane.chunks.removeFirst(chunks.count)
      }
      lanes.removeFirst()
    }
  }

  /// Works on tracks side by side and writes their output in order.
  ///
  /// - Parameters:
  ///   - jobs: the number of tracks that are worked on concurrently, at least 1.
  ///   - next: called when a job is free.
  ///   - work: has to return soon once its task is canceled.
  /// - Throws: the errors of `next` and `write`, or `CancellationError`.
  static func run(
    jobs: Int, next: @escaping @Sendable () async throws -> BatchTrack?,
    work: @escaping @Sendable (BatchTrack, Lane) async -> Void,
    write: @Sendable (_ chunks: [TrackChunk], _ startsTrack: Bool) async throws -> Void
  ) async throws {
    let output = OrderedOutput()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        await output.lanes.fill {
          // A list that breaks off ends no work that has begun.
          let outcome: Result<Void, any Error> = await withTaskGroup(of: Void.self) { workers in
            do {
              var free = jobs
              while true {
                if free == 0 { await workers.next() } else { free -= 1 }
                guard let track = try await next() else { return .success(()) }
                let lane = try await output.open()
                workers.addTask {
                  await work(track, lane)
                  lane.finish()
                }
              }
            } catch {
              return .failure(error)
            }
          }
          try outcome.get()
        }
      }
      defer { group.cancelAll() }
      try await output.drain(write)
    }
  }
}

/// Counts the bytes that wait to be written, for one task that waits while there are too many.
private final class WaitingBytes: Sendable {
  private let count = Atomic(0)
  private let removals = AsyncStream.makeStream(
    of: Void.self, bufferingPolicy: .bufferingNewest(1))

  func add(_ bytes: Int) {
    count.add(bytes, ordering: .sequentiallyConsistent)
  }

  func remove(_ bytes: Int) {
    count.subtract(bytes, ordering: .sequentiallyConsistent)
    removals.continuation.yield()
  }

  func waitForRoom() async throws {
    var removals = removals.stream.makeAsyncIterator()
    while count.load(ordering: .sequentiallyConsistent) >= OrderedOutput.byteLimit {
      _ = await removals.next()
      try Task.checkCancellation()
    }
  }
}
