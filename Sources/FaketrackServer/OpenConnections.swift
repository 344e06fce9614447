import NIOCore

/// The open connections of a server, with the limits that they share.
///
/// Used only on the server's event loop.
final class OpenConnections {
  let limits: ServerLimits
  private var connections: [ObjectIdentifier: HTTPConnection] = [:]
  private var bodyBytes = 0
  private var isStopping = false

  init(limits: ServerLimits) {
    self.limits = limits
  }

  /// Adds a connection; at the limit, closes the one that has been idle for the longest time.
  ///
  /// - Returns: Whether the connection may send requests; otherwise it gets an error response.
  func admit(_ connection: HTTPConnection) -> Bool {
    while connections.count >= limits.connections, closeLongestIdle() {}
    let isAdmitted = connections.count < limits.connections && !isStopping
    connections[ObjectIdentifier(connection)] = connection
    return isAdmitted
  }

  func remove(_ connection: HTTPConnection) {
    connections[ObjectIdentifier(connection)] = nil
  }

  /// Closes the connection that has been idle for the longest time.
  ///
  /// - Returns: Whether there was an idle connection.
  func closeLongestIdle() -> Bool {
    var longest: (connection: HTTPConnection, start: NIODeadline)?
    for connection in connections.values {
      guard let start = connection.idleSince, start < longest?.start ?? .distantFuture else {
        continue
      }
      longest = (connection, start)
    }
    guard let longest else { return false }
    // A closing connection no longer counts, even if the system takes its time.
    remove(longest.connection)
    longest.connection.close()
    return true
  }

  /// Closes all connections and refuses new ones.
  func stop() {
    isStopping = true
    for connection in connections.values { connection.close() }
  }

  /// Reserves memory for a body, until ``release(_:)``.
  ///
  /// - Returns: Whether the limit allows it.
  func reserve(_ bytes: Int) -> Bool {
    guard bytes <= limits.bodies - bodyBytes else { return false }
    bodyBytes += bytes
    return true
  }

  func release(_ bytes: Int) {
    bodyBytes -= bytes
  }
}
