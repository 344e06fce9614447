import FaketrackFeatures
import FaketrackSupport
import FaketrackTerminal

/// The document of a track on stdout.
final class OutputDocument: Sendable {
  private struct State {
    var renderer: any VisitRenderer
    /// Memory for the next text.
    var text = TextBuffer()

    mutating func render(
      _ append: (inout any VisitRenderer, inout TextBuffer) -> Void
    ) -> TextBuffer {
      // Taken out, so that no copy is made while it is being written.
      var text = TextBuffer()
      swap(&text, &self.text)
      text.removeAll()
      append(&renderer, &text)
      return text
    }
  }

  private let frame: DocumentFrame
  private let state: Locked<State>
  private let output: StandardOutput

  init(_ frame: DocumentFrame, _ renderer: any VisitRenderer, to output: StandardOutput) {
    self.frame = frame
    state = Locked(State(renderer: renderer))
    self.output = output
  }

  func open() async throws {
    try await write { [frame] renderer, text in
      text.append(contentsOf: frame.opening)
      renderer.appendOpening(to: &text)
    }
  }

  /// Writes visits, and returns how many of them have been written as a whole.
  func write(_ visits: [Visit]) async throws -> Int {
    let (text, ends, rendererBefore) = state.withLock { state in
      let before = state.renderer
      var ends: [Int] = []
      ends.reserveCapacity(visits.count)
      let text = state.render { renderer, text in
        // By index, because a visit is large and iterating would copy each.
        for index in visits.indices {
          renderer.append(visits[index], to: &text)
          ends.append(text.count)
        }
      }
      return (text, ends, before)
    }
    let written = try await output.write(text, ends: ends)
    state.withLock { state in
      state.text = text
      // What a canceled write has left out altogether has not begun anything that is to be closed.
      if written == 0 { state.renderer = rendererBefore }
    }
    return written
  }

  func close() async throws {
    try await write { [frame] renderer, text in
      renderer.appendClosing(nil, to: &text)
      text.append(contentsOf: frame.closing)
    }
  }

  private func write(
    _ append: (inout any VisitRenderer, inout TextBuffer) -> Void
  ) async throws {
    let text = state.withLock { $0.render(append) }
    if try await output.write(text, ends: [text.count]) == 0 { throw CancellationError() }
  }
}
