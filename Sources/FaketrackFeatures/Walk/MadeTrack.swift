import Cities
import FaketrackSupport
import Foundation
import GPX
import Geodesy

/// The words for a track that is made: `Potsdam to Berlin`, `Potsdam 5km`, `Berlin to Hamburg by car`.
package struct MadeTrack: Sendable {
  private let places: [String]
  /// Meters around the only place.
  private let distance: Double?
  private let means: TrackMaker.Means

  /// Reads the words; `nil` for words that name no way.
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

  /// Makes the track. The interval of the fixes is a second, or as long as it has to be.
  ///
  /// - Throws: ``Failure`` for a place that is no city and no position, or a track that cannot be made.
  package func track(in index: CityIndex) throws(Failure) -> Track {
    let named = try places.map { place throws(Failure) in
      if let coordinate = Coordinate(text: place) { return (coordinate: coordinate, name: place) }
      guard let city = index.matches(named: place).first?.city else {
        throw Failure(
          message: "there is no city named \(place)",
          hint: "Type names of cities, or positions such as 52.4,13.06.")
      }
      // The country shows which of several cities it is.
      let name = [city.name, city.country].compactMap(\.self).joined(separator: ", ")
      return (coordinate: city.coordinate, name: name)
    }
    var maker = TrackMaker(named, distance: distance)
    maker.means = means
    do {
      do throws(TrackMakerError) {
        return Track(try maker.document())
      } catch TrackMakerError.tooManyFixes(_, let least) {
        maker.interval = least
        return Track(try maker.document())
      }
    } catch {
      throw Failure(message: error.localizedDescription, kind: .wrongUsage)
    }
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
      self.init(
        through: places.map(\.coordinate), name: places.map(\.name).joined(separator: " to "))
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
