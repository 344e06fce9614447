import FaketrackServer
import Foundation
import PhotoSearch

/// The address of raster tiles for the map, with the placeholders `{z}`, `{x}` and `{y}`.
package struct TileTemplate: Sendable {
  package let text: String
  /// The attribution, with links such as to the license of the tiles.
  let credit: [HTMLText.Run]
  /// The scheme, host and port; `nil` for this server.
  let origin: String?
  /// The file whose tiles this server sends.
  let file: (any TileReading)?

  package var attribution: String { credit.map(\.text).joined() }

  /// The name of the site that sends the tiles, such as `openstreetmap.org`; empty for this server.
  var site: String {
    let host = origin.flatMap { URL(string: $0)?.host } ?? ""
    return host.hasPrefix("tile.") ? String(host.dropFirst("tile.".count)) : host
  }

  /// The default street map, which users can turn on.
  static let openStreetMap = TileTemplate(
    text: "https://tile.openstreetmap.org/{z}/{x}/{y}.png",
    credit: [
      HTMLText.Run(
        text: "© OpenStreetMap contributors",
        link: URL(string: "https://www.openstreetmap.org/copyright"))
    ],
    origin: "https://tile.openstreetmap.org", file: nil)
}

extension TileTemplate {
  package init?(_ text: String, attribution: String?) {
    guard ["{z}", "{x}", "{y}"].allSatisfy({ text.contains($0) }) else { return nil }
    let sample = ["{z}", "{x}", "{y}"].reduce(text) { $0.replacing($1, with: "0") }
    guard let url = URL(webAddress: sample), let host = url.host, let origin = url.origin,
      url.user == nil, url.password == nil,
      // The origin becomes part of the content policy, where these are special.
      !host.contains(where: { $0.isWhitespace || ";,'*".contains($0) })
    else { return nil }
    self.init(
      text: text, credit: [HTMLText.Run(text: attribution ?? "Tiles: \(host)")],
      origin: origin, file: nil)
  }

  /// The tiles of a file.
  ///
  /// - Parameter attribution: a text in place of the attribution in the file.
  package init(_ file: any TileReading, attribution: String?) {
    let own = file.attribution.map(HTMLText.runs) ?? []
    let isCredited = attribution == nil && !own.isEmpty
    self.init(
      text: "/tiles/{z}/{x}/{y}",
      credit: isCredited ? own : [HTMLText.Run(text: attribution ?? "Tiles: \(file.name)")],
      origin: nil, file: file)
  }
}

/// A file of raster tiles.
package protocol TileReading: Sendable {
  var name: String { get }
  /// The media type of all tiles, such as `image/png`.
  var mediaType: String { get }
  /// The lowest and the highest zoom with a tile.
  var zooms: ClosedRange<Int> { get }
  /// West, south, east and north in degrees, if known.
  var bounds: [Double]? { get }
  /// The attribution as HTML.
  var attribution: String? { get }

  /// Returns the picture of a tile, whose column and row are counted from the northwest; `nil` if the
  /// file lacks it.
  func tile(zoom: Int, column: Int, row: Int) async throws -> [UInt8]?
}

extension TileReading {
  /// The answer to a request for `/tiles/{z}/{x}/{y}`; `nil` if the file lacks the tile.
  ///
  /// - Parameter tag: identifies the file. Another file may have other tiles at the same address, so
  ///   browsers ask before they use a tile again.
  func answer(_ names: [Substring], _ request: WebRequest, tag: String) async -> WebResponse? {
    let place = names.dropFirst().map { Int($0) ?? -1 }
    guard place.count == 3 else { return nil }
    let headers: WebHeaders = [
      "Content-Type": mediaType, "ETag": "\"\(tag)\"", "Cache-Control": "no-cache",
    ]
    if request.headers["If-None-Match"] == "\"\(tag)\"" {
      return WebResponse(.notModified, headers: headers)
    }
    do {
      return try await tile(zoom: place[0], column: place[1], row: place[2]).map {
        WebResponse(.ok, headers: headers, body: .bytes($0))
      }
    } catch {
      return .text("The tile cannot be read.", status: .internalServerError)
    }
  }
}
