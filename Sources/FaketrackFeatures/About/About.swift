import Foundation
import WorldCities

/// The About screen: what this is, where everything that is shown comes from and under which license,
/// and where to report a fault.
package struct About: Hashable, Sendable {
  /// A part of a sentence, which may lead somewhere.
  package struct Piece: Hashable, Sendable {
    package var text: String
    package var link: URL?

    static func plain(_ text: String) -> Piece { Piece(text: text) }

    static func link(_ text: String, _ address: String) -> Piece {
      Piece(text: text, link: URL(string: address))
    }
  }

  package struct Section: Hashable, Sendable {
    package var title: String
    package var paragraphs: [[Piece]]
  }

  /// What the product does, in a sentence, with its version.
  package let summary: String
  package let sections: [Section]

  init(_ dependencies: Dependencies) {
    let count = Quantity.count(dependencies.index.count, "city", plural: "cities")
    let importDay = dependencies.importDate.flatMap { Clocks.utc.time($0, near: nil)?.date }
    let origin =
      dependencies.hasImportedIndex
      ? "imported" + (importDay.map { " on \($0)" } ?? "")
      : "built in, as of \(CityAttribution.date)"
    self.init(cities: "\(count), \(origin).")
  }

  /// What is to be told where the cities cannot be used.
  package init(withoutCities failure: Failure) {
    self.init(cities: failure.message + ".")
  }

  private init(cities: String) {
    summary = Credits.summary
    let section = Section(title: "Cities", paragraphs: [[.plain(cities)], Credits.cities])
    sections = [section] + Credits.sections
  }
}
