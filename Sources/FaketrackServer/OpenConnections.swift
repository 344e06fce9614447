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

  /// Adds a connection, instead of the longest idle one at the limit; returns whether it may send requests.
  func admit(_ connection: HTTPConnection) -> Bool {
    while connections.count >= limits.connections, closeLongestIdle() {}
    let isAdmitted = connections.count < limits.connections && !isStopping
    connections[ObjectIdentifier(connection)] = connection
    return isAdmitted
  }

  func remove(_ connection: HTTPConnection) {
    connections[ObjectIdentifier(connection)] = nil
  }

  /// Closes the connection that has been idle for the longest time; returns whether there was one.
  func closeLongestIdle() -> Bool {
    let idle = connections.values.compactMap { connection in
      connection.idleSince.map { (connection: connection, start: $0) }
    }
    guard let longest = idle.min(by: { $0.start < $1.start })?.connection else { return false }
    // A closing connection no longer counts, even if the system takes its time.
    remove(longest)
    longest.close()
    return true
  }

  func stop() {
    isStopping = true
    for connection in connections.values { connection.close() }
  }

  /// Closes each connection, after the response if there is a request; returns whether one is left.
  func finish() -> Bool {
    isStopping = true
    for connection in connections.values { connection.finish() }
    return !connections.isEmpty
  }

  /// Reserves memory for a body, until ``release(_:)``; returns whether the limit allows it.
  func reserve(_ bytes: Int) -> Bool {
    guard bytes <= limits.bodies - bodyBytes else { return false }
    bodyBytes += bytes
    return true
  }

  func release(_ bytes: Int) {
    bodyBytes -= bytes
  }
}
