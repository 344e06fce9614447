import Cities
import FaketrackSupport
import Foundation
import PhotoSearch

extension OutputFormat {
  /// A report in Markdown: the figures, the cities, and the photos with their credits.
  package static let md = OutputFormat(
    "md",
    summary: """
      A report in Markdown: the figures, the cities, and the photos with
      their credits.
      """,
    frame: { _ in DocumentFrame(separator: "\n") }
  ) { MarkdownRenderer(track: $0) }
}

/// Collects the report, since its figures come first.
private struct MarkdownRenderer: VisitRenderer {
  let track: String?
  private var cities: [City] = []
  private var ids: Set<Int> = []
  private var photos = PagedList<String>(limit: .max)
  private var first: Visit?
  private var last: Visit?
  private var locations = 0
  private var times = LocalTimes(.local)

  init(track: String?) {
    self.track = track
  }

  mutating func append(_ visit: Visit, to text: inout TextBuffer) {
    if first == nil { first = visit }
    last = visit
    if visit.placement?.isFurther != true { locations += 1 }
    if let city = visit.shownCity?.city, ids.insert(city.id).inserted { cities.append(city) }
    guard let photo = visit.photo else { return }
    let place = [
      visit.fix.distance.map { Quantity.distance($0) }, visit.shownCityName, time(of: visit),
    ].compactMap(\.self).joined(separator: ", ")
    let title = Self.escaped(photo.shownTitle)
    // The user's own photos need no credit.
    let credit = photo.imageURL.isFileURL ? "" : ". " + Self.linked(photo.credit, photo.pageURL)
    photos.append(
      "![\(title)](<\(Self.address(photo.imageURL))>)\n\n\(Self.escaped(place)): \(title)\(credit)\n"
    )
  }

  func appendClosing(_ outcome: TrackOutcome?, to text: inout TextBuffer) {
    guard let first, let last else { return }
    let names = cities.map(\.name)
    let way = [names.first, names.count > 1 ? names.last : nil].compactMap(\.self)
    let title = track ?? (way.isEmpty ? "Walk" : way.joined(separator: " – "))
    text.append(contentsOf: "# \(Self.escaped(title))\n\n")
    let length = (last.fix.distance ?? 0) - (first.fix.distance ?? 0)
    var figures = ["Distance: \(Quantity.distance(length))"]
    if let start = first.fix.time, let end = last.fix.time,
      let from = Clocks.local.time(start, near: first.city?.city, orFar: first.otherCity),
      let to = Clocks.local.time(end, near: last.city?.city, orFar: last.otherCity)
    {
      figures.append("Time: \(LocalTime.text(from: from, to: to))")
      figures.append("Duration: \(Quantity.duration(end.timeIntervalSince(start)))")
    }
    figures.append("Locations: \(Quantity.grouped(locations))")
    figures.append("Photos: \(Quantity.grouped(photos.count))")
    for figure in figures { text.append(contentsOf: "- \(Self.escaped(figure))\n") }
    if !names.isEmpty { text.append(contentsOf: "\n## Cities\n\n") }
    for city in cities {
      let place = [city.name, city.region, city.country].compactMap(\.self)
      text.append(contentsOf: "- \(Self.escaped(place.joined(separator: ", ")))\n")
    }
    if photos.count > 0 { text.append(contentsOf: "\n## Photos\n") }
    for photo in photos.elements { text.append(contentsOf: "\n\(photo)") }
  }

  private mutating func time(of visit: Visit) -> String? {
    visit.fix.time.flatMap {
      times.time($0, near: visit.city?.city, orFar: visit.otherCity)?.text
    }
  }

  private static func linked(_ credit: String, _ page: URL?) -> String {
    page.map { "[\(escaped(credit))](<\(address($0))>)" } ?? escaped(credit)
  }

  /// An address between angle brackets.
  private static func address(_ url: URL) -> String {
    replacing(["<": "%3C", ">": "%3E"], in: url.relativeString)
  }

  private static let escapes = Dictionary(
    uniqueKeysWithValues: "\\`*_[]<>#|!&~".unicodeScalars.map { ($0, "\\\($0)") })

  /// Text on one line that is not markup.
  private static func escaped(_ text: String) -> String { replacing(escapes, in: text) }

  private static func replacing(_ words: [Unicode.Scalar: String], in text: String) -> String {
    var replaced = ""
    for scalar in text.safeForTerminal.unicodeScalars {
      if let word = words[scalar] {
        replaced += word
      } else {
        replaced.unicodeScalars.append(scalar)
      }
    }
    return replaced
  }
}
