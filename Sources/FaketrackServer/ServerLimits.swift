/// What a server grants to those who connect; ``HTTPServer`` has the table.
package struct ServerLimits: Hashable, Sendable {
  /// Connections at once.
  package var connections = 200
  /// Answers that are being made at once, including those that nobody waits for any more.
  package var answers = 200
  /// Bytes of a request's target.
  package var target = 8 * 1_024
  /// Bytes of the target and all names and values of headers.
  package var headers = 32 * 1_024
  package var headerFields = 100
  /// From the first byte of a request to the end of its headers.
  package var headerTime = Duration.seconds(10)
  /// Bytes of request bodies in memory at once.
  package var bodies = 64 * 1_024 * 1_024
  /// How often the pace of a body is measured.
  package var bodyTime = Duration.seconds(10)
  /// Bytes of a body in each ``bodyTime``, unless it ends before.
  package var bodyPace = 320 * 1_024
  /// For making an answer: as much as a summary with all its retries takes.
  package var answerTime = Duration.seconds(120)
  /// For the client to take 64 KiB of an answer, or a piece of a stream.
  package var sendTime = Duration.seconds(30)
  /// Between two requests.
  package var idleTime = Duration.seconds(60)
  /// For the client to read the last answer, and for the answer to one who sends nothing more.
  package var closingTime = Duration.seconds(5)
  /// For which no connection can be accepted before the server gives up.
  package var acceptTime = Duration.seconds(30)

  package init() {}
}
