import Cities
import FaketrackSupport
import Foundation
import GPX
import Geodesy

/// A track that is made of cities and positions.
package struct MadeTrack: Sendable {
  private let places: [String]
  /// Meters around the only place.
  private let distance: Double?
  private let means: TrackMaker.Means

  /// The track along places, each of them the name of a city, with a region or country after a comma where
  /// that is needed, or a position such as `52.4,13.06`.
  package init(along places: [String], by means: TrackMaker.Means) {
    (self.places, distance, self.means) = (places, nil, means)
  }

  /// Reads words such as `Potsdam to Berlin`, `Potsdam 5km` or `Berlin to Hamburg by car`; `nil` for words
  /// that name no way.
  package init?(_ words: String) {
    var words = words.trimmingCharacters(in: .whitespaces)
    var means: TrackMaker.Means?
    if let by = words.range(of: " by ", options: [.caseInsensitive, .backwards]) {
      means = TrackMaker.Means(rawValue: words[by.upperBound...].lowercased())
      if means != nil { words = String(words[..<by.lowerBound]) }
    }
    self.means = means ?? .walk
    let places = words.replacing(#/\s+to\s+/#.ignoresCase(), with: "\n").split(separator: "\n")
    if places.count > 1 {
      self.places = places.map { $0.trimmingCharacters(in: .whitespaces) }
      distance = nil
      return
    }
    guard let space = words.lastIndex(of: " "),
      case .distance(let meters) = Amount(String(words[space...].dropFirst()))
    else { return nil }
    self.places = [words[..<space].trimmingCharacters(in: .whitespaces)]
    distance = meters
  }

  /// A place of the way.
  package struct Place: Hashable, Sendable {
    package let coordinate: Coordinate
    /// The city with the given name, the largest if there are several, or the city near a position.
    package let city: City?
    /// Whether a position was given.
    package let isPosition: Bool

    /// The name in the name of the track. The country shows which of several cities it is.
    fileprivate var name: String {
      guard let city else { return Quantity.position(coordinate, places: 4) }
      return [city.name, city.country].compactMap(\.self).joined(separator: ", ")
    }
  }

  /// The maximum distance in meters of a city that gives a position its name.
  private static let farthestCity = 50_000.0

  /// Finds the places.
  ///
  /// - Throws: ``Failure`` for a place that is no city and no position.
  package func places(in index: CityIndex) throws(Failure) -> [Place] {
    try places.map { text throws(Failure) in
      if let coordinate = Coordinate(text: text) {
        let city = index.nearest(to: coordinate, within: Self.farthestCity)?.city
        return Place(coordinate: coordinate, city: city, isPosition: true)
      }
      if let mistake = Coordinate.mistake(in: text) {
        throw Failure(message: "\(mistake)", kind: .wrongUsage)
      }
      guard let city = index.matches(named: text).first?.city else {
        throw Failure(
          message: "there is no city named \(text)",
          hint: "Type names of cities, or positions such as 52.4,13.06.", kind: .wrongUsage)
      }
      return Place(coordinate: city.coordinate, city: city, isPosition: false)
    }
  }

  /// Makes a document with the track. The interval of the fixes is a second, or as long as it has to be.
  ///
  /// - Throws: ``Failure`` for a place that is no city and no position, or a track that cannot be made.
  package func document(in index: CityIndex) throws(Failure) -> GPXDocument {
    let places = try places(in: index)
    var maker = TrackMaker(places.map { ($0.coordinate, $0.name) }, distance: distance)
    maker.means = means
    if let first = places.first, Set(places.map(\.name)).count == 1 {
      maker.name = "Around \(first.name)"
    }
    do {
      do throws(TrackMakerError) {
        return try maker.document()
      } catch TrackMakerError.tooManyFixes(_, let least) {
        maker.interval = least
        return try maker.document()
      }
    } catch {
      throw Failure(message: error.localizedDescription, kind: .wrongUsage)
    }
  }

  /// Makes the track.
  ///
  /// - Throws: ``Failure`` for a place that is no city and no position, or a track that cannot be made.
  package func track(in index: CityIndex) throws(Failure) -> Track {
    Track(try document(in: index))
  }
}

extension TrackMaker {
  /// The maker of a way through places, or around the only one, that is called after them.
  ///
  /// - Parameter distance: the meters around the only place; `nil` for a way through several.
  package init(_ places: [(coordinate: Coordinate, name: String)], distance: Double?) {
    if let distance {
      self.init(
        around: places[0].coordinate, distance: distance, name: "Around \(places[0].name)")
    } else {
      // The names of many places would be no name.
      let named = places.count > 4 ? [places[0], places[places.count - 1]] : places
      self.init(
        through: places.map(\.coordinate), name: named.map(\.name).joined(separator: " to "))
    }
  }
}

extension Track {
  /// A document in memory.
  fileprivate init(_ document: GPXDocument) {
    let name = document.tracks.first?.name
    self.init(.bytes(Array(document.data(creator: "faketrack")), name: name), name: name)
  }
}

extension Coordinate {
  /// The position of a text such as `52.4,13.06`; `nil` for any other text.
  package init?(text: String) {
    guard let (latitude, longitude) = Self.numbers(in: text),
      let coordinate = try? Coordinate(latitude: latitude, longitude: longitude)
    else { return nil }
    self = coordinate
  }

  /// The error of a text with two numbers that are not a position.
  package static func mistake(in text: String) -> InvalidCoordinate? {
    guard let (latitude, longitude) = numbers(in: text) else { return nil }
    do {
      _ = try Coordinate(latitude: latitude, longitude: longitude)
      return nil
    } catch {
      return error
    }
  }

  private static func numbers(in text: String) -> (latitude: Double, longitude: Double)? {
    let numbers = text.split(separator: ",").map { Double($0.filter { !$0.isWhitespace }) }
    guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1] else {
      return nil
    }
    return (latitude, longitude)
  }
}
