import FlyingFox
import FlyingSocks

/// The body of `GET /tracking/events`: server-sent events, made when the browser has room for them.
///
/// A browser that takes its time is told less often, and of the newest; the walk knows nothing of
/// it.
struct EventStream: AsyncBufferedSequence {
  typealias Element = UInt8

  /// How long a quiet stream waits until it says that it is still there, which is also how a
  /// browser that has gone is noticed.
  static let heartbeat = Duration.seconds(15)
  /// The rest after each message: a screen needs no more than ten a second.
  static let pause = Duration.milliseconds(100)

  let session: WalkSession
  let signals: AsyncStream<Void>
  let cursor: WalkCursor?

  func makeAsyncIterator() -> Iterator {
    Iterator(
      session: session, events: WalkEvents(after: cursor), signals: signals.makeAsyncIterator())
  }

  struct Iterator: AsyncBufferedIteratorProtocol {
    let session: WalkSession
    var events: WalkEvents
    var signals: AsyncStream<Void>.Iterator
    private var hasGreeted = false

    init(session: WalkSession, events: WalkEvents, signals: AsyncStream<Void>.Iterator) {
      self.session = session
      self.events = events
      self.signals = signals
    }

    mutating func next() async throws -> UInt8? {
      preconditionFailure("events are read message by message")
    }

    mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? {
      if hasGreeted { try await Task.sleep(for: EventStream.pause) }
      while await signals.next() != nil {
        if Task.isCancelled { return nil }
        let (message, next) = await Self.look(events, session)
        events = next
        // Comments keep a connection alive, and find out whether there is one.
        let greeting = hasGreeted ? "" : "retry: 1000\n\n"
        hasGreeted = true
        return Array((greeting + (message ?? ":\n\n")).utf8)
      }
      return nil
    }

    @MainActor
    private static func look(
      _ events: WalkEvents, _ session: WalkSession
    ) -> (String?, WalkEvents) {
      var events = events
      let message = events.next(from: session)
      return (message, events)
    }
  }
}
