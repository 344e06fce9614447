import FaketrackSupport
import Foundation

/// The bytes of a stream as they arrive, for tests to wait for.
package final class Transcript: Sendable {
  /// The stream ended without a text that was waited for.
  package struct Ended: Error, CustomStringConvertible {
    let text: String
    let transcript: String
    package var description: String { "\(text.debugDescription) never came, but: \(transcript)" }
  }

  private struct State {
    var data = Data()
    var hasEnded = false
    var waiters: [Waiter] = []
  }

  private struct Waiter {
    /// `nil` waits for the end.
    let text: Data?
    let count: Int
    let continuation: CheckedContinuation<Void, Never>
  }

  private let state = Locked(State())

  package var data: Data { state.withLock(\.data) }
  package var text: String { String(decoding: data, as: UTF8.self) }

  /// Waits until a text has arrived a number of times.
  ///
  /// - Throws: ``Ended`` if the stream ends before that.
  package func waitFor(_ text: String, count: Int = 1) async throws {
    await wait(Data(text.utf8), count)
    let hasCome = state.withLock { Self.holds(Data(text.utf8), count, in: $0.data) }
    guard hasCome else { throw Ended(text: text, transcript: self.text) }
  }

  /// Waits until the stream has ended.
  package func waitForEnd() async {
    await wait(nil, 1)
  }

  private func wait(_ text: Data?, _ count: Int) async {
    await withCheckedContinuation { continuation in
      let waiter = Waiter(text: text, count: count, continuation: continuation)
      let isMet = state.withLock { state in
        if Self.isMet(waiter, state) { return true }
        state.waiters.append(waiter)
        return false
      }
      if isMet { continuation.resume() }
    }
  }

  private static func isMet(_ waiter: Waiter, _ state: State) -> Bool {
    if state.hasEnded { return true }
    guard let text = waiter.text else { return false }
    return holds(text, waiter.count, in: state.data)
  }

  /// Whether data contains a text a number of times. Foundation's search copies the rest each time.
  private static func holds(_ text: Data, _ count: Int, in data: Data) -> Bool {
    guard !text.isEmpty else { return true }
    return data.withUnsafeBytes { data in
      text.withUnsafeBytes { text in
        guard let start = data.baseAddress, let pattern = text.baseAddress else { return false }
        let end = start + data.count
        var (place, found) = (start, 0)
        while found < count, end - place >= text.count,
          let next = memchr(place, CInt(text[0]), end - place - text.count + 1)
        {
          let isMatch = memcmp(next, pattern, text.count) == 0
          found += isMatch ? 1 : 0
          place = UnsafeRawPointer(next) + (isMatch ? text.count : 1)
        }
        return found >= count
      }
    }
  }

  private func change(_ change: (inout State) -> Void) {
    let met = state.withLock { state in
      change(&state)
      let seen = state
      let met = seen.waiters.filter { Self.isMet($0, seen) }
      if !met.isEmpty { state.waiters.removeAll { Self.isMet($0, seen) } }
      return met
    }
    for waiter in met { waiter.continuation.resume() }
  }

  /// Ends the transcript.
  func end() {
    change { $0.hasEnded = true }
  }

  /// Reads to the end on a new thread, because blocking reads would exhaust the threads of a queue.
  func collect(from handle: FileHandle) {
    Thread.detachNewThread { [self] in
      while let piece = Self.read(from: handle) { change { $0.data += piece } }
      try? handle.close()
      end()
    }
  }

  func collectFirstPiece(from handle: FileHandle, closes: Bool) {
    Thread.detachNewThread { [self] in
      if let piece = Self.read(from: handle) { change { $0.data += piece } }
      if closes { try? handle.close() }
      end()
    }
  }

  /// Waits for the next bytes; returns `nil` at the end or on an error, which ends a terminal.
  private static func read(from handle: FileHandle) -> Data? {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = Foundation.read(handle.fileDescriptor, &bytes, bytes.count)
    return count > 0 ? Data(bytes.prefix(count)) : nil
  }
}
