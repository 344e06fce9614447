import Foundation
import Geodesy

/// Answers searches on a ``StubServer`` as Wikimedia Commons does: files in the order of page
/// numbers, in two parts, with authors as HTML and a sound among them; and serves their images.
package struct CommonsStub: Sendable {
  /// The start of the addresses of images.
  package static let imagePath = "/thumb/"

  /// The number of photos that a search finds.
  private static let filesPerSearch = 60

  private let image: @Sendable (StubRequest) async -> StubReply

  /// - Parameter image: answers the request of an image.
  package init(
    image: @escaping @Sendable (StubRequest) async -> StubReply = { .jpeg($0.path) }
  ) {
    self.image = image
  }

  /// The handler for ``StubServer``.
  package func callAsFunction(_ request: StubRequest) async -> StubReply {
    request.path.hasPrefix(Self.imagePath) ? await image(request) : search(request)
  }

  private func search(_ request: StubRequest) -> StubReply {
    let place = request.query["ggscoord"]?.split(separator: "|").compactMap { Double($0) } ?? []
    guard request.query["generator"] == "geosearch", place.count == 2,
      let center = try? Coordinate(latitude: place[0], longitude: place[1]),
      let radius = request.query["ggsradius"].flatMap({ Double($0) }), radius <= 10_000
    else {
      return .json(#"{"error":{"code":"badvalue","info":"Invalid coordinate."},"servedby":"mw1"}"#)
    }
    // Commons lets a client have the properties of some files first, of the others later.
    let isFirstPart = request.query["iistart"] == nil && request.query["continue"] == nil
    let files = (0..<Self.filesPerSearch).map { number in
      file(
        number, around: center, within: radius, request, hasImage: isFirstPart == (number % 2 == 0))
    }
    let sound =
      #"{"pageid":1,"ns":6,"title":"File:Bells.ogg","index":-1,"imageinfo":[{"mime":"application/ogg"}]}"#
    let head =
      isFirstPart
      ? #""continue":{"iistart":20150101000000,"continue":"||"},"# : #""batchcomplete":true,"#
    return .json("{\(head)\"query\":{\"pages\":[\(([sound] + files).joined(separator: ","))]}}")
  }

  /// A file on a spiral from the asked position to the radius.
  private func file(
    _ number: Int, around center: Coordinate, within radius: Double, _ request: StubRequest,
    hasImage: Bool
  ) -> String {
    let rank = Double(number) + 0.5
    let position = center.destination(
      distance: radius * (rank / Double(Self.filesPerSearch)).squareRoot(),
      bearing: (rank * 137.508).truncatingRemainder(dividingBy: 360))
    let place = Int((center.latitude + 90) * 1e4) * 3_600_000 + Int((center.longitude + 180) * 1e4)
    let id = place * 1_000 + number
    let host = request.header("Host") ?? "localhost"
    let image = #"""
      ,"imageinfo":[{"user":"Uploader","size":5242880,"width":4000,"height":3000,
       "mime":"image/jpeg","thumburl":"http://\#(host)\#(Self.imagePath)\#(id)/960px-\#(id).jpg",
       "url":"http://\#(host)/original/\#(id).jpg",
       "descriptionurl":"https://commons.wikimedia.org/wiki/File:\#(id).jpg",
       "extmetadata":{"Artist":{"value":"<a href=\"//commons.wikimedia.org/wiki/User:\#(number)\">Änne &amp; \#(number)</a>"},
       "LicenseShortName":{"value":"CC BY-SA 4.0"},"License":{"value":"cc-by-sa-4.0"},
       "LicenseUrl":{"value":"https://creativecommons.org/licenses/by-sa/4.0"},
       "DateTimeOriginal":{"value":"2015-06-07 12:34:56"}}}]
      """#
    return #"""
      {"pageid":\#(id),"ns":6,"title":"File:Photo, \#(number).jpg","index":\#(number),
       "coordinates":[{"lat":\#(position.latitude),"lon":\#(position.longitude),"primary":true}]
       \#(hasImage ? image : "")}
      """#
  }
}

extension StubReply {
  /// An answer that looks like an image until it is decoded.
  package static func jpeg(_ text: String) -> StubReply {
    .answer(
      headers: ["Content-Type": "image/jpeg"], body: Data([0xFF, 0xD8, 0xFF]) + Data(text.utf8))
  }
}
