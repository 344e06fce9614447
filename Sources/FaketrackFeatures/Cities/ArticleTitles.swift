import Cities

/// The titles that the article about a city may have, the most likely first.
///
/// The article about Paris has its name alone; that about Potsdam in the state of New York adds the
/// region, and others add the country. A city that shares its name with the country or state around
/// it, such as New York or Luxembourg, may be followed by "City".
struct ArticleTitles {
  /// Different titles, all of which an article can have.
  let titles: [String]

  init(of city: City) {
    let country = city.country.flatMap(CountryNames.name)
    let suffixes = ["", city.region.map { ", \($0)" }, country.map { ", \($0)" }, " City"]
    var titles: [String] = []
    for title in suffixes.compactMap({ $0.map { city.name + $0 } })
    where Self.isPossible(title) && !titles.contains(title) {
      titles.append(title)
    }
    self.titles = titles
  }

  /// Whether MediaWiki accepts a title.
  ///
  /// Source: https://www.mediawiki.org/wiki/Manual:Page_title
  private static func isPossible(_ title: String) -> Bool {
    title.utf8.count <= 255
      && !title.unicodeScalars.contains {
        "#<>[]|{}".unicodeScalars.contains($0) || $0.properties.generalCategory == .control
      }
  }
}
