import FaketrackFeatures
import FaketrackSupport
import GPX

extension OutputFormat {
  /// A line for each location, for reading; several tracks have a heading each.
  package static let list = OutputFormat("list", frame: { _ in DocumentFrame(separator: "\n") }) {
    ListRenderer(style: $0, track: $1)
  }
}

private struct ListRenderer: VisitRenderer {
  let style: TerminalStyle
  let track: String?
  /// The widest city so far, so that later lines align.
  private var cityWidth = 12

  init(style: TerminalStyle, track: String?) {
    self.style = style
    self.track = track
  }

  func appendOpening(to text: inout TextBuffer) {
    guard let track else { return }
    text.append(contentsOf: style.bold(track.safeForTerminal))
    text.append("\n")
  }

  mutating func append(_ visit: Visit, to text: inout TextBuffer) {
    let distance = visit.fix.distance.map { Quantity.kilometers($0) + " km" } ?? ""
    let time = visit.fix.time.flatMap(GPXTime.string)?.dropFirst(11).prefix(5) ?? ""
    let city = visit.city?.city.name.safeForTerminal ?? ""
    cityWidth = max(cityWidth, min(city.columns, 24))
    var columns = [
      distance.padded(toColumns: 8, onLeft: true),
      style.dim(String(time).padded(toColumns: 5)),
      style.colored(city.truncated(toColumns: 24).padded(toColumns: cityWidth), .cyan),
    ]
    if let photo = visit.photo {
      columns.append(photo.url.absoluteString.safeForTerminal)
      columns.append(style.dim(photo.credit))
    } else if let error = visit.error {
      columns.append(style.colored(error.safeForTerminal, .red))
    } else {
      columns.append(style.dim("no photo"))
    }
    text.append(contentsOf: columns.joined(separator: "  "))
    text.append("\n")
  }
}
