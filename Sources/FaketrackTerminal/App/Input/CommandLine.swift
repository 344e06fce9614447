import FaketrackFeatures
import FaketrackSupport
import Foundation
import Locations

/// A line that is typed behind a colon: a screen, a setting, or a command that steers the walk.
enum CommandLine: Hashable {
  case open(Route)
  case send(TrackingViewModel.Action)
  case walk(WalkCommand)

  /// The first words, for completion.
  private static let words =
    Route.main.map { $0.title.lowercased() } + ["filter", "photos"] + WalkCommand.names()

  /// Whether it begins another walk in the place of this one.
  var replacesWalk: Bool {
    if case .walk(.track) = self { true } else { false }
  }

  /// - Parameter sources: the names of the photo sources.
  init(_ text: String, sources: [String]) throws(Failure) {
    let words = text.split(maxSplits: 1, whereSeparator: \.isWhitespace).map(String.init)
    let rest = words.count > 1 ? words[1] : ""
    switch words.first ?? "" {
    case "photos":
      guard sources.contains(rest) else { throw Self.usage("photos", sources) }
      self = .send(.setPhotoSource(rest))
    case "filter":
      guard case .meters(let meters) = ReplayPosition(text: rest)?.place, meters >= 1 else {
        throw Self.usage("filter", ["a distance of 1 m or more, such as 50m"])
      }
      self = .send(.setDistanceFilter(meters))
    case "cities": self = .open(.cities(CityListQuery(text: rest)))
    case let name:
      if let route = Route.main.first(where: { $0.title.lowercased() == text })?.route
        ?? (text.hasPrefix("/") ? Route(address: text) : nil)
      {
        self = .open(route)
      } else if let speed = ReplaySpeed(name: name), rest.isEmpty {
        self = .send(.setSpeed(speed))
      } else {
        do { self = .walk(try WalkCommand(text)) } catch {
          throw Failure(
            message: error.form.map { "\(text): write \($0)" } ?? "\(name) is no command",
            hint: "Tab shows the commands.", kind: .wrongUsage)
        }
      }
    }
  }

  private static func usage(_ name: String, _ values: [String]) -> Failure {
    Failure(message: "\(name) takes \(values.joined(separator: ", "))", kind: .wrongUsage)
  }

  /// Completes the first word, or the name of a photo source.
  static func complete(
    _ text: String, sources: [String]
  ) -> (text: String, completions: [String]) {
    let isSource = text.hasPrefix("photos ")
    let candidates = isSource ? sources.map { "photos " + $0 } : words.sorted()
    let completions = candidates.filter { $0.hasPrefix(text) }
    let common = completions.dropFirst().reduce(completions.first) { $0?.commonPrefix(with: $1) }
    return (common ?? text, completions.count > 1 ? completions : [])
  }
}
