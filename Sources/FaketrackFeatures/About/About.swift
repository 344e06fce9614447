import Foundation
import WorldCities

/// The About screen: version, sources, licenses, and how to report a problem.
package struct About: Hashable, Sendable {
  /// A part of a sentence, with a link or without.
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

  /// The purpose of the product, in a sentence, with its version.
  package let summary: String
  package let sections: [Section]

  package init(_ dependencies: Dependencies) {
    let count = Quantity.count(dependencies.index.count, "city", plural: "cities")
    let importDay = dependencies.importDate.flatMap { Clocks.utc.time($0, near: nil)?.date }
    let origin =
      dependencies.hasImportedIndex
      ? "imported" + (importDay.map { " on \($0)" } ?? "")
      : "built in, as of \(CityAttribution.date)"
    self.init(cities: "\(count), \(origin).")
  }

  /// The screen where the cities cannot be used.
  package init(withoutCities failure: Failure) {
    self.init(cities: failure.message + ".")
  }

  private init(cities: String) {
    summary = Credits.summary
    let section = Section(title: "Cities", paragraphs: [[.plain(cities)], Credits.cities])
    sections = [section] + Credits.sections
  }
}
