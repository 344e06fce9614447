import FaketrackFeatures
import FaketrackServices

/// What a service client did, in words.
package enum ServiceEventText {
  package static func line(_ event: ServiceEvent) -> String {
    switch event {
    case .called(let call):
      let outcome = call.failure ?? call.status.map { "HTTP \($0)" } ?? "done"
      let attempt = call.attempt > 1 ? ", attempt \(call.attempt)" : ""
      let time = Quantity.fixed(call.duration / .seconds(1), decimals: 3)
      return "call: \(call.service) \(call.url) \(outcome), \(time) s\(attempt)".safeForTerminal
    case .waiting(let service, let duration, let cause):
      let reason =
        switch cause {
        case .retry: "before another attempt"
        case .retryAfter: "as the service asks"
        case .budget: "as the budget of calls is used up"
        }
      let time = Quantity.fixed(duration / .seconds(1), decimals: 2)
      return "wait: \(service) \(time) s \(reason)"
    }
  }
}
