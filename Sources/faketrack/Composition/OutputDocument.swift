import FaketrackFeatures
import FaketrackSupport
import FaketrackTerminal
import Synchronization

/// The document of a run on stdout.
final class OutputDocument: Sendable {
  private struct State {
    var renderer: any VisitRenderer
    /// Whether any visit has been written.
    var hasVisits = false
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

  private let state: Mutex<State>
  private let output: StandardOutput
  private let makeRenderer: @Sendable () -> any VisitRenderer

  init(_ format: OutputFormat, _ style: TerminalStyle, to output: StandardOutput) {
    makeRenderer = { format.makeRenderer(style) }
    state = Mutex(State(renderer: makeRenderer()))
    self.output = output
  }

  func open() async throws {
    try await write { $0.appendOpening(to: &$1) }
  }

  /// Writes visits, and returns how many of them have been written as a whole.
  func write(_ visits: [Visit]) async throws -> Int {
    let (text, ends) = state.withLock { state in
      var ends: [Int] = []
      ends.reserveCapacity(visits.count)
      let text = state.render { renderer, text in
        // By index, because a visit is large and iterating would copy each.
        for index in visits.indices {
          renderer.append(visits[index], to: &text)
          ends.append(text.count)
        }
      }
      return (text, ends)
    }
    let written = try await output.write(text, ends: ends)
    state.withLock { state in
      state.text = text
      state.hasVisits = state.hasVisits || written > 0
    }
    return written
  }

  func close() async throws {
    // The renderer counts visits as written that a canceled write has left out. That makes a
    // difference only where it left out all of them.
    if !state.withLock(\.hasVisits) {
      var renderer = makeRenderer()
      var opening = TextBuffer()
      renderer.appendOpening(to: &opening)
      state.withLock { [renderer] in $0.renderer = renderer }
    }
    try await write { $0.appendClosing(to: &$1) }
  }

  private func write(
    _ append: (inout any VisitRenderer, inout TextBuffer) -> Void
  ) async throws {
    let text = state.withLock { $0.render(append) }
    if try await output.write(text, ends: [text.count]) == 0 { throw CancellationError() }
  }
}
