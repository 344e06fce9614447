import Foundation

/// Answers summaries on a ``StubServer`` as Wikipedia does: articles, a list of meanings,
/// redirects, and the error for what does not exist.
package struct WikipediaStub: Sendable {
  package struct Page: Sendable {
    package var title: String
    package var type: String
    package var description: String?
    package var extract: String
    package var coordinates: (latitude: Double, longitude: Double)?

    package init(
      _ title: String, type: String = "standard", description: String? = nil, extract: String,
      coordinates: (latitude: Double, longitude: Double)? = nil
    ) {
      self.title = title
      self.type = type
      self.description = description
      self.extract = extract
      self.coordinates = coordinates
    }
  }

  private let pages: [String: Page]
  private let redirects: [String: String]

  /// - Parameters:
  ///   - pages: the articles.
  ///   - redirects: other titles of the pages.
  package init(
    pages: [Page] = Self.cities, redirects: [String: String] = Self.otherTitles
  ) {
    self.pages = Dictionary(uniqueKeysWithValues: pages.map { (Self.key($0.title), $0) })
    self.redirects = Dictionary(
      uniqueKeysWithValues: redirects.map { (Self.key($0.key), Self.key($0.value)) })
  }

  /// The handler for ``StubServer``.
  @Sendable package func callAsFunction(_ request: StubRequest) async -> StubReply {
    let prefix = "/api/rest_v1/page/summary/"
    guard request.path.hasPrefix(prefix),
      let key = String(request.path.dropFirst(prefix.count)).removingPercentEncoding
    else { return Self.missing("") }
    if let target = redirects[key], let page = pages[target] {
      // The answer to a redirect has the page in it all the same.
      return .json(
        json(of: page), status: 302,
        headers: [
          "Location": target.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? ""
        ])
    }
    guard let page = pages[key] else { return Self.missing(key) }
    let headers = [
      "ETag": "W/\"\(page.extract.utf8.count)/\(key.utf8.count)\"",
      "Cache-Control": "s-maxage=1209600, max-age=300",
    ]
    if request.header("If-None-Match") == headers["ETag"] {
      return .answer(status: 304, headers: headers)
    }
    return .json(json(of: page), headers: headers)
  }

  private static func key(_ title: String) -> String { title.replacing(" ", with: "_") }

  private func json(of page: Page) -> String {
    let key = Self.key(page.title)
    var fields: [String: Any] = [
      "type": page.type, "title": page.title, "displaytitle": "<span>\(page.title)</span>",
      "namespace": ["id": 0, "text": ""], "lang": "en", "dir": "ltr", "pageid": key.utf8.count,
      "titles": ["canonical": key, "normalized": page.title, "display": page.title],
      "extract": page.extract, "extract_html": "<p>\(page.extract)</p>",
      "content_urls": [
        "desktop": ["page": "https://en.wikipedia.org/wiki/\(key)"],
        "mobile": ["page": "https://en.m.wikipedia.org/wiki/\(key)"],
      ],
    ]
    if let description = page.description { fields["description"] = description }
    if let place = page.coordinates {
      fields["coordinates"] = ["lat": place.latitude, "lon": place.longitude]
    }
    let data = try? JSONSerialization.data(withJSONObject: fields)
    return String(decoding: data ?? Data(), as: UTF8.self)
  }

  private static func missing(_ key: String) -> StubReply {
    .json(
      """
      {"type":"https://mediawiki.org/wiki/HyperSwitch/errors/not_found","title":"Not found.",\
      "method":"get","detail":"Page or revision not found.",\
      "uri":"/en.wikipedia.org/v1/page/summary/\(key.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? "")"}
      """, status: 404)
  }
}

extension WikipediaStub {
  /// Cities and what shares their names.
  package static let cities = [
    Page(
      "New York", type: "disambiguation",
      extract: "New York most commonly refers to: New York (state), New York City."),
    Page(
      "New York City", description: "Most populous city in the United States",
      extract: "New York is a city at the mouth of the Hudson.", coordinates: (40.7127, -74.0061)),
    Page(
      "New York (state)", description: "U.S. state",
      extract: "New York is a state in the northeast.", coordinates: (43, -75)),
    Page(
      "Buenos Aires", description: "Capital and largest city of Argentina",
      extract: "Buenos Aires is the capital of Argentina.", coordinates: (-34.6033, -58.3817)),
    Page(
      "Potsdam", description: "Capital of Brandenburg, Germany",
      extract: "Potsdam is the capital of Brandenburg.", coordinates: (52.4, 13.0667)),
    Page(
      "Potsdam, New York", description: "Town in New York, United States",
      extract: "Potsdam is a town in St. Lawrence County.", coordinates: (44.6803, -74.9850)),
  ]

  package static let otherTitles = [
    "New York, New York": "New York City",
    "New York, United States": "New York (state)",
    "Potsdam, Brandenburg": "Potsdam",
  ]
}
