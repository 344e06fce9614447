import FaketrackServices
import FaketrackStore
import FaketrackTerminal
import Foundation
import Logging

extension ServiceEnvironment {
  /// The way out to services, with whom to tell of each call.
  ///
  /// - Throws: ``CommandFailure`` when the log cannot be written.
  static func make(
    options: OutputOptions, store: StoreFile, console: Console, waiting: WaitingNotice
  ) throws -> ServiceEnvironment {
    let file = try options.log.map(LogFile.init(path:))
    let logger = Logger(label: "faketrack") { label in
      ReplayLogHandler(label: label, console: console, file: file)
    }
    let isVerbose = options.isVerbose
    return ServiceEnvironment(
      budget: SharedCallBudget(store), logger: logger,
      observer: { event in
        waiting.receive(event)
        if isVerbose { console.say(ServiceEventText.line(event)) }
      })
  }
}
