import FaketrackFeatures
import FaketrackSupport

extension OutputFormat {
  /// A line for each location, for reading; several tracks have a heading each.
  package static func list(_ style: TerminalStyle) -> OutputFormat {
    OutputFormat("list", frame: { _ in DocumentFrame(separator: "\n") }) {
      ListRenderer(style: style, track: $0, times: LocalTimes(style.clocks))
    }
  }

  /// All formats, in the order of the help; the style is that of `list`.
  package static func all(_ style: TerminalStyle = TerminalStyle()) -> [OutputFormat] {
    [.text, .list(style)] + plain.dropFirst()
  }
}

private struct ListRenderer: VisitRenderer {
  let style: TerminalStyle
  let track: String?
  var times: LocalTimes
  /// The widest time and city so far, so that later lines align.
  var timeWidth = 10
  var cityWidth = 12

  func appendOpening(to text: inout TextBuffer) {
    guard let track else { return }
    text.append(contentsOf: style.bold(track.safeForTerminal))
    text.append("\n")
  }

  mutating func append(_ visit: Visit, to text: inout TextBuffer) {
    let distance = visit.fix.distance.map { Quantity.kilometers($0) + " km" } ?? ""
    let time = visit.fix.time.flatMap { times.time($0, near: visit.city?.city)?.text } ?? ""
    let city = visit.city?.city.name.safeForTerminal ?? ""
    timeWidth = max(timeWidth, time.columns)
    cityWidth = max(cityWidth, min(city.columns, 24))
    var columns = [
      distance.padded(toColumns: 8, onLeft: true),
      style.dim(time.padded(toColumns: timeWidth)),
      style.colored(city.truncated(toColumns: 24).padded(toColumns: cityWidth), .accent),
    ]
    if let photo = visit.photo {
      columns.append(photo.url.absoluteString.safeForTerminal)
      columns.append(style.dim(photo.credit))
    } else if let error = visit.error {
      columns.append(style.colored(error.safeForTerminal, .failure))
    } else {
      columns.append(style.dim("no photo"))
    }
    text.append(contentsOf: columns.joined(separator: "  "))
    text.append("\n")
  }
}
