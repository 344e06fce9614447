import FaketrackCompression
import FaketrackServer
import Testing

@testable import FaketrackWeb

@MainActor @Suite struct CompressionTests {
  private func decoded(_ bytes: [UInt8]) throws -> [UInt8] {
    let decoder = try GzipDecoder()
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    return try bytes.withUnsafeBytes { input in
      decoder.setInput(input)
      let count = try buffer.withUnsafeMutableBytes { try decoder.decode(into: $0) }
      return Array(buffer.prefix(count))
    }
  }

  @Test(arguments: ["/", "/tracking", "/cities?q=pots"])
  func longAnswersAreCompressed(address: String) async throws {
    let website = Website.make()
    let plain = await website.get(address)
    let small = await website.get(address, headers: ["Accept-Encoding": "br, gzip"])
    #expect(plain["Content-Encoding"] == nil && small["Content-Encoding"] == "gzip")
    #expect(plain["Vary"] == "Accept-Encoding" && small["Vary"] == "Accept-Encoding")
    #expect(try small.bytes.count < plain.bytes.count / 2)
    #expect(try decoded(small.bytes) == plain.bytes)
    let head = await website.send("HEAD", address, headers: ["Accept-Encoding": "gzip"])
    #expect(try head["Content-Length"] == "\(small.bytes.count)" && head.bytes.isEmpty)
  }

  @Test(
    arguments: [
      ("gzip", true), ("GZIP", true), ("deflate, gzip;q=0.5", true), ("gzip;q=0", false),
      ("gzip; q=0.0", false), ("", false), ("identity", false), ("xgzip", false), ("br", false),
    ])
  func theBrowserDecides(accepted: String, isCompressed: Bool) async {
    let response = await Website.make().get("/", headers: ["Accept-Encoding": accepted])
    #expect((response["Content-Encoding"] == "gzip") == isCompressed)
  }

  @Test func shortAnswersAreNotCompressed() async throws {
    let response = await Website.make().get("/tracks/1", headers: ["Accept-Encoding": "gzip"])
    #expect(response["Content-Encoding"] == nil && response["Vary"] == nil)
    #expect(try response.bytes.count < 1_024)
  }

  /// The value is the check of CRC-32 in the catalog of G. Cook.
  @Test func checksumsOfPartsAreThoseOfTheWhole() {
    let text = Array("123456789".utf8)
    #expect(Gzip.checksum(text) == 0xCBF4_3926)
    #expect(Gzip.checksum(Array(text[4...]), from: Gzip.checksum(Array(text[..<4]))) == 0xCBF4_3926)
    #expect(Gzip.checksum([], from: 7) == 7)
  }

  @Test func thePageNamesItsScriptsAndItsTrackAhead() async throws {
    let page = try await Website.make().page("/tracking")
    for name in [
      "walk/tracking.mjs", "map/map.mjs", "map/track-line.mjs", "map/projection.mjs",
    ] {
      let address = PageResources.shared.address(of: name)
      #expect(page.contains("<link rel=\"modulepreload\" href=\"\(address)\">"))
    }
    #expect(
      page.contains(
        "<link rel=\"preload\" as=\"fetch\" crossorigin=\"anonymous\" href=\"/tracks/1\">"))
  }
}
