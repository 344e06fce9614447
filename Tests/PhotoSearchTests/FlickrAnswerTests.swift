import FaketrackServices
import Foundation
import Testing

@testable import PhotoSearch

@Suite struct FlickrAnswerTests {
  private func page(
    _ json: String, size: PhotoSize = .pixels640, license: LicenseFilter = .any, number: Int = 1
  ) throws -> PhotoPage {
    let query = PhotoQuery(
      center: Spot.potsdam, radius: 500, size: size, license: license, page: number)
    return try FlickrAnswer(json: Data(json.utf8)).page(for: query, size: 250)
  }

  @Test func readsWanderingTypes() throws {
    let page = try page(FlickrFixtures.wandering)
    #expect(page.photos.map(\.id) == ["14602336094", "14602336095", "3", "6"])
    #expect(!page.isLast)
    let first = try #require(page.photos.first)
    #expect(
      first
        == Photo(
          id: "14602336094", title: "Neues Palais \u{1B}[31m & more", owner: "Änne Müller",
          license: PhotoLicense(
            name: "CC BY 2.0", url: URL(string: "https://creativecommons.org/licenses/by/2.0/"),
            terms: .creativeCommons),
          imageURL: URL(literal: "https://live.staticflickr.com/4843/14602336094_c9d2f1a7be_z.jpg"),
          pageURL: URL(literal: "https://www.flickr.com/photos/26083317@N06/14602336094"),
          coordinate: Spot.at(52.40125, 13.015833), taken: PhotoDate("2014-07-12T18:03:22")))
  }

  @Test func leavesOutWhatIsNotKnown() throws {
    let photos = try page(FlickrFixtures.wandering).photos
    #expect(
      photos.map(\.coordinate) == [
        Spot.at(52.40125, 13.015833), nil, Spot.at(52.5, 13.25), nil,
      ])
    #expect(photos.map(\.taken?.description) == ["2014-07-12T18:03:22", "1998", "2001-05", nil])
    #expect(photos.map(\.owner) == ["Änne Müller", "99@N00", "7@N07", "8@N08"])
    #expect(photos.map(\.title).suffix(2) == ["", ""])
    #expect(
      photos.map(\.license?.name) == [
        "CC BY 2.0", "All Rights Reserved", "CC BY-NC-ND 4.0", "Flickr license 77",
      ])
    #expect(
      photos.map(\.imageURL.lastPathComponent) == [
        "14602336094_c9d2f1a7be_z.jpg", "14602336095_aa11_z.jpg", "3_5e_z.jpg", "6_ab_z.jpg",
      ])
  }

  @Test func membersComeInAnyOrderAndWithEscapes() throws {
    let json = #"""
      {"stat":"ok","photos":{"photo":[{"x":[{"id":"0"}],"server":"1","secret":"a",
      "title":"\u004eeuer \"Garten\"","owner":null,"id":"7",
      "url_z":"https:\/\/live.staticflickr.com\/1\/7_a_z.jpg"}],"pages":1}}
      """#
    #expect(
      try page(json).photos.map(\.self) == [
        Photo(
          id: "7", title: #"Neuer "Garten""#, owner: "",
          imageURL: URL(literal: "https://live.staticflickr.com/1/7_a_z.jpg"))
      ])
  }

  @Test(arguments: [
    (PhotoSize.pixels640, ["50_s1_z.jpg", "51_s3.jpg", "52_s4_z.jpg"]),
    (.pixels1024, ["50_s2_b.jpg", "51_s3.jpg", "52_s4_b.jpg"]),
    (.pixels240, ["50_s1_m.jpg", "51_s3_m.jpg", "52_s4_m.jpg"]),
    (.pixels800, ["50_s1_z.jpg", "51_s3.jpg", "52_s4_c.jpg"]),
    (.pixels100, ["50_s1_t.jpg", "51_s3_t.jpg", "52_s4_t.jpg"]),
  ])
  func takesLinksThatAreSent(size: PhotoSize, files: [String]) throws {
    let page = try page(FlickrFixtures.linked, size: size, number: 3)
    #expect(page.photos.map(\.imageURL.lastPathComponent) == files)
    #expect(page.photos.allSatisfy { $0.imageURL.scheme == "https" })
    #expect(page.isLast)
  }

  @Test(arguments: [
    (LicenseFilter.any, ["50", "51", "52"]), (.creativeCommons, ["50"]),
    (.commercial, ["50", "51", "52"]),
    (.publicDomain, ["50", "51", "52"]),
  ])
  func filtersLicenses(filter: LicenseFilter, ids: [String]) throws {
    #expect(try page(FlickrFixtures.linked, license: filter).photos.map(\.id) == ids)
  }

  @Test(arguments: [
    (1, 1091, 15, 15, false), (1091, 1091, 15, 4, true), (1, 0, 250, 0, true),
    (16, 99, 250, 250, true),
    (15, 99, 250, 250, false), (2, 9, .max, 3, true), (.max, .max, 1, 1, true),
    (2, 9, .min, 3, false), (3_999, 9_999, 1, 1, false), (4_000, 9_999, 1, 1, true),
  ])
  func knowsTheLastPage(page: Int, pages: Int, size: Int, hits: Int, isLast: Bool) throws {
    let list = (0..<hits).map { #"{"id":"\#($0)","secret":"a","server":"1"}"# }
    let json = #"""
      {"photos":{"pages":\#(pages),"perpage":\#(size),"photo":[\#(list.joined(separator: ","))]},
      "stat":"ok"}
      """#
    #expect(try self.page(json, number: page).isLast == isLast)
  }

  @Test(arguments: [(249, true), (250, false)])
  func goesByTheNumberOfHitsWithoutACountOfPages(hits: Int, isLast: Bool) throws {
    let list = (0..<hits).map { #"{"id":"\#($0)","secret":"a","server":"1"}"# }
    let json = #"{"photos":{"photo":[\#(list.joined(separator: ","))]},"stat":"ok"}"#
    #expect(try page(json).isLast == isLast)
  }

  @Test(arguments: [
    (
      100, "Invalid API Key (Key has invalid format)",
      ServiceError.Reason.keyRejected(code: "100"), false
    ),
    (105, "Service currently unavailable", .refused(code: "105"), true),
    (10, "Sorry, search", .refused(code: "10"), true),
    (
      0, "Sorry, the Flickr API service is not currently available.", .refused(code: "0"), true
    ),
    (
      201, "Sorry, the Flickr API service is not currently available.", .refused(code: "201"), true
    ),
    (3, "Parameterless", .refused(code: "3"), false),
    (18, "Illogical arguments", .refused(code: "18"), false),
    (111, "Format", .refused(code: "111"), false), (112, "Method", .refused(code: "112"), false),
    (116, "Bad URL", .refused(code: "116"), false), (201, "Other", .refused(code: "201"), false),
  ])
  func sortsFailuresInsideStatus200(
    code: Int, message: String, reason: ServiceError.Reason, isRetryable: Bool
  ) throws {
    let failure = AttemptFailure(reason, message, isRetryable: isRetryable)
    #expect(throws: failure) { try page(FlickrFixtures.failure(code: code, message)) }
  }

  @Test(arguments: [
    "", "<html></html>", "{", #"{"stat":"ok"}"#, #"{"photos":{"photo":[]}}"#, "[]", "null",
    #"{"stat":"odd","photos":{"photo":[]}}"#, #"{"stat":"ok","photos":[]}"#,
    #"{"stat":"ok","photos":{"photo":{}}}"#, #"{"stat":"ok","photos":{"photo":[]}}}"#,
    #"{"stat":"ok","photos":{"photo":[{]}}"#, String(FlickrFixtures.wandering.prefix(900)),
  ])
  func isNothingElse(json: String) {
    #expect(throws: (any Error).self) { try page(json) }
  }
}
