/// Why a service did not give what it was asked for, after everything that was worth trying.
package struct ServiceError: Error, Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    /// No connection, or one that broke, or no answer in time.
    case unreachable
    /// An HTTP status that is not an answer.
    case status(Int)
    /// The service said no, in its own code.
    case refused(code: String)
    /// The service does not know the key.
    case keyRejected(code: String)
    /// The answer is not what was asked for.
    case brokenAnswer
    /// The answer is longer than allowed, in bytes.
    case tooLarge(limit: Int)
    /// The address cannot be asked.
    case unusableAddress
  }

  /// The service's name as people know it.
  package let service: String
  package let reason: Reason
  /// What happened, in one short line without control characters and without secrets.
  package let message: String
  /// How often the service was asked; 0 when it was known that asking is useless.
  package let attempts: Int

  /// Creates an error; the message is shortened and stripped of control characters.
  package init(service: String, reason: Reason, message: String, attempts: Int = 1) {
    self.service = service
    self.reason = reason
    self.message = message.asOneShortLine()
    self.attempts = attempts
  }

  /// Whether the key was rejected, so that asking again with it is useless.
  package var isKeyRejected: Bool {
    if case .keyRejected = reason { true } else { false }
  }

  /// Whether the service could not be reached at all.
  package var isUnreachable: Bool { reason == .unreachable }

  /// The same facts after another number of attempts.
  func after(attempts: Int) -> ServiceError {
    ServiceError(service: service, reason: reason, message: message, attempts: attempts)
  }
}

extension ServiceError: CustomStringConvertible {
  package var description: String {
    let what =
      switch reason {
      case .unreachable: "cannot be reached: \(message)"
      case .status(let status): "answered HTTP \(status)\(message.isEmpty ? "" : ": \(message)")"
      case .refused(let code): "refused (\(code)): \(message)"
      case .keyRejected(let code): "rejected the key (\(code)): \(message)"
      case .brokenAnswer: "sent an unusable answer: \(message)"
      case .tooLarge(let limit): "sent more than \(limit) bytes"
      case .unusableAddress: "cannot be asked: \(message)"
      }
    return attempts > 1 ? "\(service) \(what) (\(attempts) attempts)" : "\(service) \(what)"
  }
}

extension String {
  /// The text on one line: no control or direction-changing characters, single spaces, and at
  /// most `limit` characters.
  package func asOneShortLine(limit: Int = 160) -> String {
    var line = ""
    var count = 0
    for character in self {
      let isSeparator = character.unicodeScalars.contains {
        switch $0.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator: true
        default: false
        }
      }
      if isSeparator, line.isEmpty || line.last == " " { continue }
      guard count < limit else {
        return String(line.prefix(limit - 1)) + "…"
      }
      line.append(isSeparator ? " " : character)
      count += 1
    }
    return line.last == " " ? String(line.dropLast()) : line
  }
}
