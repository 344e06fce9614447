import FaketrackServer

extension ServerLimits {
  /// Limits with timeouts that no test reaches, even on a busy machine.
  package static var patient: ServerLimits {
    let long = Duration.seconds(3_600)
    var limits = ServerLimits()
    limits.headerTime = long
    limits.bodyTime = long
    limits.answerTime = long
    limits.sendTime = long
    limits.idleTime = long
    limits.closingTime = long
    return limits
  }
}
