import FaketrackServer

extension ServerLimits {
  /// Limits under which nothing takes too long, however busy the machine is that runs the tests.
  package static var patient: ServerLimits {
    let long = Duration.seconds(3_600)
    var limits = ServerLimits()
    limits.headerTime = long
    limits.bodyTime = long
    limits.answerTime = long
    limits.sendTime = long
    limits.idleTime = long
    limits.closingTime = long
    limits.acceptTime = long
    return limits
  }
}
