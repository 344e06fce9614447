import FaketrackFeatures
import FaketrackSupport

/// The home screen as text: purpose, next steps and status.
package enum HomeText {
  package static func text(for state: HomeViewModel.State, style: TerminalStyle) -> String {
    let commands = [
      ("faketrack replay walk.gpx", "a photo URL for every 100 meters of a walk"),
      ("faketrack cities search pots", "cities whose names start with “pots”"),
      ("faketrack serve walk.gpx", "watch the walk on a local web page"),
    ]
    let width = commands.map(\.0.columns).max() ?? 0
    let lines = commands.map { command, meaning in
      "  \(style.colored(command.padded(toColumns: width), .cyan))  \(meaning)\n"
    }
    let key =
      state.photos.hasFlickrKey
      ? "set: photos come from Flickr"
      : "not set: photos come from Wikimedia Commons, which needs none"
    let favorites: String? =
      switch state.favorites {
      case .loaded(let count): Quantity.grouped(count)
      case .failed(let failure, _): failure.message.safeForTerminal
      case .idle, .loading: nil
      }
    let facts = [
      ("Flickr key", key), ("city index", state.indexWords), ("favorites", favorites ?? ""),
    ]
    return """
      \(style.bold("faketrack")) walks any GPX track: for every 100 meters, a photo taken there \
      and the city you are near.

      \(style.bold("Try next"))
      \(lines.joined())
      \(style.bold("State"))
      \(facts.map { "  \(style.dim($0.padded(toColumns: 12)))\($1)\n" }.joined())
      All commands: faketrack --help

      """
  }
}
