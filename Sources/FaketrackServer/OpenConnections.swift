import NIOCore

/// The connections of a server, and what all of them together may take up.
///
/// Lives on the server's event loop.
final class OpenConnections {
  let limits: ServerLimits
  private var connections: [ObjectIdentifier: HTTPConnection] = [:]
  private var answers = 0
  private var bodyBytes = 0
  private var isStopping = false

  init(limits: ServerLimits) {
    self.limits = limits
  }

  /// Lets a new connection in; where there are too many, those that wait longest for a request give way
  /// to it.
  ///
  /// - Returns: whether it may ask; otherwise it is to be told that it may not.
  func admit(_ connection: HTTPConnection) -> Bool {
    while connections.count >= limits.connections, closeLongestIdle() {}
    let isAdmitted = connections.count < limits.connections && !isStopping
    connections[ObjectIdentifier(connection)] = connection
    return isAdmitted
  }

  func remove(_ connection: HTTPConnection) {
    connections[ObjectIdentifier(connection)] = nil
  }

  /// Closes the connection that has waited longest for a request.
  ///
  /// - Returns: whether there was one.
  @discardableResult
  func closeLongestIdle() -> Bool {
    var longest: (connection: HTTPConnection, start: NIODeadline)?
    for connection in connections.values {
      guard let start = connection.idleSince, start < longest?.start ?? .distantFuture else {
        continue
      }
      longest = (connection, start)
    }
    guard let longest else { return false }
    // What is closing is no longer counted, even if the system takes its time.
    remove(longest.connection)
    longest.connection.close()
    return true
  }

  /// Closes all connections, and every one that is still to come.
  func stop() {
    isStopping = true
    for connection in connections.values { connection.close() }
  }

  /// Whether one more answer may be made; ``endAnswer()`` ends it.
  func beginAnswer() -> Bool {
    guard answers < limits.answers else { return false }
    answers += 1
    return true
  }

  func endAnswer() {
    answers -= 1
  }

  /// Whether so many more bytes of bodies may be kept; ``release(_:)`` gives them back.
  func keep(_ bytes: Int) -> Bool {
    guard bytes <= limits.bodies - bodyBytes else { return false }
    bodyBytes += bytes
    return true
  }

  func release(_ bytes: Int) {
    bodyBytes -= bytes
  }
}
