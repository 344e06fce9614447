/// The limits of a server; ``HTTPServer`` lists their effects.
package struct ServerLimits: Hashable, Sendable {
  /// The number of concurrent connections.
  package var connections = 200
  /// The size of a request target, in bytes.
  package var target = 8 * 1_024
  /// The size of the target and of all names and values of header fields, in bytes.
  package var headers = 32 * 1_024
  /// The number of header fields.
  package var headerFields = 100
  /// The time from the first byte of a request to the end of its header.
  package var headerTime = Duration.seconds(10)
  /// The size of all request bodies in memory, in bytes.
  package var bodies = 64 * 1_024 * 1_024
  /// The interval in which the speed of a body is measured.
  package var bodyTime = Duration.seconds(10)
  /// The minimum number of bytes of a body in each ``bodyTime``.
  package var bodyPace = 320 * 1_024
  /// The time to make a response, enough for a city summary with all its retries.
  package var answerTime = Duration.seconds(120)
  /// The time for the client to read 64 KiB of a response, or a piece of a stream.
  package var sendTime = Duration.seconds(30)
  /// The time between two requests.
  package var idleTime = Duration.seconds(60)
  /// The time for the client to read the last response, and to make a response for a client that has
  /// closed its side.
  package var closingTime = Duration.seconds(5)

  /// Creates the default limits.
  package init() {}
}
