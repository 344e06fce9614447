import Cities
import FaketrackFeatures
import FaketrackStore
import Foundation

/// The cities and the favorites, wherever they are kept.
struct CityLibrary: Sendable {
  let index: CityIndex
  /// Whether the index is the user's own.
  let isImported: Bool
  let favorites: FavoritesStore
  private let storeFile: URL

  /// Opens the user's own index, or else the built-in one.
  ///
  /// - Throws: `CitiesError` when the user's own is damaged.
  init(_ settings: Settings) throws {
    let file = settings.cityIndexFile
    isImported = FileManager.default.fileExists(atPath: file.path)
    index = isImported ? try CityIndex(contentsOf: file) : try CityIndex.builtIn()
    storeFile = settings.storeFile
    favorites = FavoritesStore(StoreFile(at: storeFile))
  }

  /// The city that a user means by an id or a name.
  ///
  /// - Throws: ``UnclearCity``, or `CommandFailure` when there is none.
  func city(_ text: String) throws -> City {
    if let id = Int(text) {
      guard let city = index[id: id] else {
        throw CommandFailure(
          "there is no city \(id) in the index",
          hint: "Search for its name: faketrack cities search <prefix>")
      }
      return city
    }
    let cities = index.cities(named: text)
    switch cities.count {
    case 0: throw CommandFailure("there is no city named \(text)", hint: suggestion(for: text))
    case 1: return cities[0]
    default: throw UnclearCity(name: text, cities: cities)
    }
  }

  /// The favorites; asking for them makes no store where there is none.
  func starred() async throws -> Set<Int> {
    FileManager.default.fileExists(atPath: storeFile.path) ? try await favorites.favorites() : []
  }

  private func suggestion(for text: String) -> String {
    let longer = index.search(CityQuery(prefix: text, order: .population, limit: 3)).cities
    let similar = longer.isEmpty ? index.cities(similarTo: text, limit: 3) : longer
    guard !similar.isEmpty else {
      return "Search for the start of its name: faketrack cities search <prefix>"
    }
    let names = similar.map { "\($0.name) (\($0.id))" }.joined(separator: ", ")
    return "Did you mean \(names)?"
  }
}

/// A name that several cities bear.
struct UnclearCity: Error {
  let name: String
  /// The most populous first.
  let cities: [City]
}
