import Foundation
import Geodesy
import PhotoSearch

/// Made-up answers in the shape of Flickr's, with everything that a search asks for.
struct Answers {
  static let photosPerPage = 250
  private var random: UInt64

  init(seed: UInt64) {
    random = seed
  }

  private static let words = [
    "Alte", "Brücke", "in", "the", "evening", "Schloss", "Garden", "No. 4", "winter", "la", "plage",
    "S-Bahn", "Café", "morning light", "IMG", "2473", "über", "the river", "東京", "🌇",
  ]
  private static let names = [
    "Anna K.", "j_m_walker", "Örjan", "Photo Club West", "mk", "L. da Vila",
  ]

  private mutating func next(_ bound: Int) -> Int {
    random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((random >> 33) % UInt64(bound))
  }

  private mutating func pick(_ list: [String]) -> String { list[next(list.count)] }

  /// An answer with photos up to `radius` meters from a place.
  mutating func json(around center: Coordinate, radius: Double) -> Data {
    let hits = (0..<Self.photosPerPage).map { _ in hit(around: center, radius: radius) }
    let text = #"""
      {"photos":{"page":1,"pages":17,"perpage":250,"total":"4211","photo":[
      """#
    return Data((text + hits.joined(separator: ",") + #"]},"stat":"ok"}"#).utf8)
  }

  private mutating func hit(around center: Coordinate, radius: Double) -> String {
    let id = 50_000_000_000 + next(2_000_000_000)
    let secret = String((1 << 36) + next(1 << 31), radix: 16)
    let owner = "\(10_000_000 + next(90_000_000))@N0\(next(9))"
    let spot = center.destination(
      distance: radius * Double(next(1_000)) / 1_000, bearing: Double(next(360)))
    let title = (0...(1 + next(6))).map { _ in pick(Self.words) }.joined(separator: " ")
    let date = String(
      format: "20%02d-%02d-%02d %02d:%02d:%02d", 8 + next(17), 1 + next(12), 1 + next(28), next(24),
      next(60), next(60))
    let sizes = [("s", "_m", 240), ("m", "", 500), ("z", "_z", 640), ("l", "_b", 1_024)]
    let links = sizes.map { letter, suffix, width in
      #""url_\#(letter)":"https:\/\/live.staticflickr.com\/65535\/\#(id)_\#(secret)\#(suffix).jpg","#
        + #""height_\#(letter)":\#(width * 3 / 4),"width_\#(letter)":\#(width)"#
    }.joined(separator: ",")
    return #"""
      {"id":"\#(id)","owner":"\#(owner)","secret":"\#(secret)","server":"65535","farm":66,
      "title":"\#(Self.escaped(title))","ispublic":1,"isfriend":0,"isfamily":0,
      "license":"\#(next(11))","datetaken":"\#(date)","datetakengranularity":"0",
      "datetakenunknown":"0","ownername":"\#(Self.escaped(pick(Self.names)))",
      "latitude":"\#(String(format: "%.6f", spot.latitude))",
      "longitude":"\#(String(format: "%.6f", spot.longitude))","accuracy":"16","context":0,
      "place_id":"","woeid":"\#(600_000 + next(99_999))","geo_is_public":1,"geo_is_contact":0,
      "geo_is_friend":0,"geo_is_family":0,\#(links)}
      """#.replacingOccurrences(of: "\n", with: "")
  }

  /// Text as PHP writes it into JSON: everything beyond ASCII as UTF-16 escapes.
  private static func escaped(_ text: String) -> String {
    text.utf16.map { unit in
      unit < 128 ? String(UnicodeScalar(UInt8(unit))) : String(format: "\\u%04x", unit)
    }.joined()
  }
}
