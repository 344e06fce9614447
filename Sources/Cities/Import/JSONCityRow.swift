#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An element of a JSON array of cities; what is missing or of another type is `nil`.
struct JSONCityRow: Decodable {
  private(set) var isObject = false
  private(set) var id: Int?
  private(set) var name: String?
  private(set) var country: String?
  private(set) var latitude: Double?
  private(set) var longitude: Double?

  private enum Key: String, CodingKey {
    case underscoredID = "_id"
    case id, name, country, coord
  }

  private enum PositionKey: CodingKey {
    case lat, lon
  }

  /// Never throws for an element that is not a city, so that one does not spoil the others.
  init(from decoder: any Decoder) throws {
    guard let row = try? decoder.container(keyedBy: Key.self) else { return }
    isObject = true
    id =
      (try? row.decode(Int.self, forKey: .underscoredID))
      ?? (try? row.decode(Int.self, forKey: .id))
    name = try? row.decode(String.self, forKey: .name)
    country = try? row.decode(String.self, forKey: .country)
    guard let position = try? row.nestedContainer(keyedBy: PositionKey.self, forKey: .coord) else {
      return
    }
    latitude = try? position.decode(Double.self, forKey: .lat)
    longitude = try? position.decode(Double.self, forKey: .lon)
  }

  /// The elements of an array, `nil` for those that are `null`.
  ///
  /// - Throws: ``CitiesError`` if the array is cut off or broken.
  static func array(_ bytes: [UInt8]) throws(CitiesError) -> [JSONCityRow?] {
    let last = bytes.last { $0 != 0x20 && !(0x09...0x0D).contains($0) }
    guard last == UInt8(ascii: "]") else { throw .truncatedInput(rows: 0) }
    do {
      return try JSONDecoder().decode([JSONCityRow?].self, from: Data(bytes))
    } catch let DecodingError.dataCorrupted(context) {
      let cause = context.underlyingError.map { ": \($0)" } ?? ""
      throw .malformedInput(reason: context.debugDescription + cause)
    } catch {
      throw .malformedInput(reason: "\(error)")
    }
  }
}
