import Cities
import FaketrackFeatures

/// A city with what lies around it and what the encyclopedia says, for reading or as an object.
package struct CityDetailsText: Sendable {
  private let style: TerminalStyle

  package init(style: TerminalStyle) {
    self.style = style
  }

  package func text(for state: CityViewModel.State) -> String {
    guard let details = state.details.value else { return "" }
    let city = details.city
    let latitude = Quantity.fixed(city.coordinate.latitude, decimals: 5)
    let longitude = Quantity.fixed(city.coordinate.longitude, decimals: 5)
    let star = details.isFavorite ? "  " + style.colored("★", .yellow) : ""
    var text = style.bold(CityTable.fullName(of: city)) + star + "\n"
    let facts = [
      ("id", String(city.id)),
      ("position", "\(latitude), \(longitude)"),
      ("population", city.population.map(Quantity.grouped)),
      ("time zone", city.timezone?.safeForTerminal),
    ]
    for (name, fact) in facts {
      if let fact { text += "  \(style.dim(name.padded(toColumns: 11)))\(fact)\n" }
    }
    text += summary(state.summary)
    text += "\n" + style.bold("Nearby") + "\n"
    text += CityTable(style: style).text(details.neighbours)
    return text
  }

  private func summary(_ summary: Loading<CitySummary?>) -> String {
    guard let loaded = summary.value else { return "" }
    guard let article = loaded else {
      return "\n" + style.dim("No encyclopedia article matches.") + "\n"
    }
    var text = "\n"
    if let description = article.description {
      text += style.dim(description.safeForTerminal) + "\n"
    }
    text += wrapped(article.extract.safeForTerminal) + "\n"
    if let url = article.url {
      text += style.dim("\(url.absoluteString.safeForTerminal) (CC BY-SA)") + "\n"
    }
    return text
  }

  /// The text in lines that the terminal does not break in the middle of a word.
  private func wrapped(_ text: String) -> String {
    let width = min(style.width ?? 100, 100)
    var lines: [String] = [""]
    for word in text.split(separator: " ") {
      let last = lines[lines.count - 1]
      if last.isEmpty {
        lines[lines.count - 1] = String(word)
      } else if last.columns + 1 + String(word).columns <= width {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines.joined(separator: "\n")
  }
}

extension CityViewModel.State {
  /// The city object with its neighbours, its summary and what kept that from being had.
  package var json: JSONValue {
    guard let details = details.value else { return .null }
    let row = CityRow(city: details.city, isFavorite: details.isFavorite)
    return .object(
      row.members + [
        ("neighbours", .array(details.neighbours.map(\.json))),
        ("summary", summary.value??.json ?? .null),
        ("error", .text(summary.failure?.message)),
      ])
  }
}

extension CitySummary {
  fileprivate var json: JSONValue {
    [
      "title": .string(title),
      "description": .text(description),
      "extract": .string(extract),
      "url": .text(url?.absoluteString),
    ]
  }
}
