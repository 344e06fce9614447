import FaketrackFeatures
import FaketrackSupport

extension OutputFormat {
  /// A line for each location, for reading; several tracks have a heading each.
  package static func list(_ style: TerminalStyle) -> OutputFormat {
    OutputFormat(
      "list",
      summary: """
        A line per location for reading, in local time, with the date
        where it changes. ~ marks a time whose zone comes from a city
        beyond --max-city-distance, up to 500 km away.
        """,
      frame: { _ in DocumentFrame(separator: "\n") }
    ) { ListRenderer(style: style, track: $0, times: LocalTimes(style.clocks)) }
  }

  /// All formats, in the order of the help; only `list` uses the style.
  package static func all(_ style: TerminalStyle = TerminalStyle()) -> [OutputFormat] {
    [.text, .list(style)] + plain.dropFirst()
  }
}

private struct ListRenderer: VisitRenderer {
  let style: TerminalStyle
  let track: String?
  var times: LocalTimes
  let units = Units.preferred
  /// The widest time and city so far, so that later lines align.
  var timeWidth = 10
  /// The day of the line before, in days since the beginning of 2001.
  var day: Int?
  /// The width of a date and a space, from the first change of the date on.
  var dateWidth = 0
  var cityWidth = 12

  func appendOpening(to text: inout TextBuffer) {
    guard let track else { return }
    text.append(contentsOf: style.bold(track.safeForTerminal))
    text.append("\n")
  }

  /// The local time, after the date where that changes.
  private mutating func time(of visit: Visit) -> String {
    let local = visit.fix.time.flatMap {
      times.time($0, near: visit.city?.city, orFar: visit.otherCity)
    }
    guard let local else { return "" }
    let hasChanged = day != nil && day != local.day
    if hasChanged { dateWidth = 11 }
    day = local.day
    return (hasChanged ? local.date : "").padded(toColumns: dateWidth) + local.text
  }

  mutating func append(_ visit: Visit, to text: inout TextBuffer) {
    let distance = visit.fix.distance.map { Quantity.longDistance($0, in: units) } ?? ""
    let time = time(of: visit)
    let city = visit.shownCityName?.safeForTerminal ?? ""
    timeWidth = max(timeWidth, time.columns)
    cityWidth = max(cityWidth, min(city.columns, 24))
    var columns = [
      distance.padded(toColumns: 8, onLeft: true),
      style.dim(time.padded(toColumns: timeWidth)),
      style.colored(city.truncated(toColumns: 24).padded(toColumns: cityWidth), .accent),
    ]
    let url = visit.photo?.imageURL.relativeString.safeForTerminal
    let error = visit.photo == nil ? visit.error?.safeForTerminal : nil
    let words = visit.photo?.credit ?? error ?? "no photo"
    func styled(_ words: String) -> String {
      error == nil ? style.dim(words) : style.colored(words, .failure)
    }
    // Text that does not fit the terminal continues on the next lines; a URL is never cut.
    var below: [String] = []
    if let width = style.width,
      case let room = width - (8 + 2 + timeWidth + 2 + cityWidth + 2),
      (url.map { $0.columns + 2 } ?? 0) + words.columns > room
    {
      if let url {
        columns.append(styled(words.truncated(toColumns: max(1, room))))
        below = [url]
      } else {
        below = words.wrapped(toColumns: width - 2).split(separator: "\n")
          .map { styled(String($0)) }
      }
    } else {
      if let url { columns.append(url) }
      columns.append(styled(words))
    }
    text.append(contentsOf: columns.joined(separator: "  "))
    for line in below { text.append(contentsOf: "\n  " + line) }
    text.append("\n")
  }
}
