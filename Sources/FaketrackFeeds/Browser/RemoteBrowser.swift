import FaketrackSupport
import Foundation
import NIOCore

/// Calls to a browser over a WebSocket by the DevTools protocol or WebDriver BiDi: each has a number,
/// which its answer repeats; messages without one are events.
final class RemoteBrowser: Sendable {
  /// The failure of a call, in the words of the browser.
  struct CallError: Error, CustomStringConvertible {
    let description: String
  }

  struct Event: Sendable {
    let method: String
    private let message: ByteBuffer

    fileprivate init(_ method: String, _ message: ByteBuffer) {
      self.method = method
      self.message = message
    }

    fileprivate func released(_ socket: WebSocket) -> Event {
      socket.release(message)
      return self
    }

    /// The parameters, if they have the form of the type.
    func parameters<Value: Decodable>(as type: Value.Type) -> Value? {
      let bytes = Data(message.readableBytesView)
      return try? JSONDecoder().decode(Parameters<Value>.self, from: bytes).params
    }
  }

  private struct Call<Parameters: Encodable>: Encodable {
    let id: Int
    let method: String
    let params: Parameters
    let sessionId: String?
  }

  private struct Answered<Value: Decodable>: Decodable { let result: Value }
  private struct Parameters<Value: Decodable>: Decodable { let params: Value }

  private struct Head: Decodable {
    /// An object with the message, or the name of the error beside it.
    enum Failure: Decodable {
      case object(message: String)
      case name(String)

      init(from decoder: any Decoder) throws {
        struct Object: Decodable { let message: String }
        if let name = try? decoder.singleValueContainer().decode(String.self) {
          self = .name(name)
        } else {
          self = .object(message: try Object(from: decoder).message)
        }
      }
    }

    let id: Int?
    let method: String?
    let error: Failure?
    let message: String?

    var failure: CallError? {
      switch error {
      case .object(let message): CallError(description: message)
      case .name(let name): CallError(description: message ?? name)
      case nil: nil
      }
    }
  }

  private typealias Answer = CheckedContinuation<ByteBuffer, any Error>

  private struct State {
    var lastID = 0
    /// `nil` after the connection has ended.
    var waiting: [Int: Answer]? = [:]
  }

  private static let timeout = Duration.seconds(5)

  private let queue: AsyncStream<Event>
  private let event: AsyncStream<Event>.Continuation
  private let socket: WebSocket
  private let state = Locked(State())

  /// - Throws: ``FeedError``.
  init(at address: HostAndPort, path: String) async throws {
    socket = try await WebSocket(to: address, path: path)
    (queue, event) = AsyncStream.makeStream()
    Task { await read() }
  }

  /// The events, each of which makes room for another one.
  var events: AsyncMapSequence<AsyncStream<Event>, Event> {
    queue.map { [socket] in $0.released(socket) }
  }

  private func read() async {
    for await message in socket.messages {
      guard
        let head = try? JSONDecoder().decode(Head.self, from: Data(message.readableBytesView))
      else {
        socket.release(message)
        continue
      }
      if head.id == nil, let method = head.method {
        event.yield(Event(method, message))
        continue
      }
      socket.release(message)
      if let id = head.id {
        answer(id, with: head.failure.map { .failure($0) } ?? .success(message))
      }
    }
    event.finish()
    let waiting = state.withLock { $0.waiting.take() } ?? [:]
    for answer in waiting.values {
      answer.resume(throwing: socket.failure)
    }
  }

  private func answer(_ id: Int, with result: Result<ByteBuffer, any Error>) {
    state.withLock { $0.waiting?.removeValue(forKey: id) }?.resume(with: result)
  }

  /// Calls a method without a result.
  func call(
    _ method: String, _ parameters: some Encodable & Sendable, session: String? = nil
  ) async throws {
    _ = try await answer(to: method, parameters, session: session)
  }

  func call(_ command: DevToolsCommand, session: String? = nil) async throws {
    try await call(command.method, command.parameters, session: session)
  }

  func call<Value: Decodable>(
    _ command: DevToolsCommand, session: String? = nil, returning type: Value.Type
  ) async throws -> Value {
    try await call(command.method, command.parameters, session: session, returning: type)
  }

  /// Calls a method and returns its result.
  ///
  /// - Throws: ``CallError`` or ``FeedError``.
  func call<Value: Decodable>(
    _ method: String, _ parameters: some Encodable & Sendable, session: String? = nil,
    returning type: Value.Type
  ) async throws -> Value {
    let answer = try await answer(to: method, parameters, session: session)
    return try JSONDecoder().decode(Answered<Value>.self, from: Data(answer.readableBytesView))
      .result
  }

  private func answer(
    to method: String, _ parameters: some Encodable & Sendable, session: String?
  ) async throws -> ByteBuffer {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    let call = Call(id: id, method: method, params: parameters, sessionId: session)
    let message = ByteBuffer(bytes: try JSONEncoder().encode(call))
    let timer = Task {
      try await Task.sleep(for: Self.timeout)
      answer(id, with: .failure(FeedError.timedOut))
    }
    defer { timer.cancel() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isOpen = state.withLock { state in
          if Task.isCancelled || state.waiting == nil { return false }
          state.waiting?[id] = continuation
          return true
        }
        guard isOpen else {
          return continuation.resume(throwing: socket.failure)
        }
        Task {
          do {
            try await socket.send(message)
          } catch {
            answer(id, with: .failure(error))
          }
        }
      }
    } onCancel: {
      answer(id, with: .failure(CancellationError()))
    }
  }

  func close() async {
    await socket.close()
  }
}

/// Parameters of a call without any.
struct NoParameters: Encodable {}
