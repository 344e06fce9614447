import FaketrackServices
import Foundation
import Testing

@testable import PhotoSearch

@Suite struct CommonsAnswerTests {
  private func page(
    _ parts: String..., license: LicenseFilter = .any
  ) throws -> PhotoPage {
    var pages = CommonsPages()
    for part in parts { pages.merge(try CommonsAnswer(json: Data(part.utf8))) }
    let query = PhotoQuery(center: Spot.potsdam, radius: 500, license: license)
    return pages.page(for: query, isLast: true)
  }

  @Test func readsImagesInTheServicesOrder() throws {
    let photos = try page(CommonsFixtures.mixed).photos
    #expect(photos.map(\.id) == ["304", "301", "305"])
    #expect(
      photos[1]
        == Photo(
          id: "301", title: "Sanssouci von Süden", owner: "Änne Müller & Söhne",
          license: PhotoLicense(
            name: "CC BY-SA 4.0",
            url: URL(string: "https://creativecommons.org/licenses/by-sa/4.0"),
            terms: .creativeCommons),
          imageURL: URL(literal: "https://upload.wikimedia.org/thumb/a/aa/S.jpg/960px-S.jpg"),
          pageURL: URL(
            literal: "https://commons.wikimedia.org/wiki/File:Sanssouci_von_S%C3%BCden.jpg"),
          coordinate: Spot.at(52.40421, 13.03851), taken: PhotoDate("2015-06-07T12:34:56")))
  }

  @Test func leavesOutWhatIsNotKnown() throws {
    let photos = try page(CommonsFixtures.mixed).photos
    #expect(photos[0].title == "Old.view.1890")
    #expect(photos[0].owner == "Archive bot")
    #expect(photos[0].license?.terms == .publicDomain)
    #expect(photos[0].license?.url == nil)
    #expect(photos[0].pageURL == nil)
    #expect(photos[0].coordinate == Spot.at(52.41, 13.04))
    #expect(photos[0].taken?.description == "1890")
    #expect(photos[2].taken == nil)
    #expect(photos[2].owner == "Someone")
    #expect(photos[2].license == nil)
    #expect(photos[2].coordinate == nil)
  }

  @Test func mergesTheParts() throws {
    let first = try CommonsAnswer(json: Data(CommonsFixtures.firstPart.utf8))
    #expect(
      first.next == ["iistart": "20150101000000", "cocontinue": "402|7", "continue": "||"])
    #expect(!first.isBatchComplete)
    let photos = try page(CommonsFixtures.firstPart, CommonsFixtures.secondPart).photos
    #expect(photos.map(\.id) == ["401", "402"])
    #expect(photos.map(\.coordinate) == [Spot.at(1, 2), Spot.at(3, 4)])
    #expect(photos.map(\.imageURL.path) == ["/1.jpg", "/2.jpg"])
    #expect(
      photos[1].license?.url?.absoluteString
        == "https://creativecommons.org/publicdomain/zero/1.0/deed.en")
  }

  @Test(arguments: [
    (LicenseFilter.any, ["304", "301", "305"]), (.creativeCommons, ["301"]),
    (.commercial, ["304", "301"]),
    (.publicDomain, ["304"]),
  ])
  func filtersLicenses(filter: LicenseFilter, ids: [String]) throws {
    #expect(try page(CommonsFixtures.mixed, license: filter).photos.map(\.id) == ids)
  }

  @Test func nothingFoundIsAnEmptyPage() throws {
    #expect(try page(CommonsFixtures.empty) == PhotoPage(photos: [], isLast: true))
  }

  @Test(arguments: [
    ("ratelimited", true), ("maxlag", true), ("readonly", true),
    ("internal_api_error_DBQueryError", true), ("badvalue", false), ("toobig", false),
  ])
  func sortsFailuresInsideStatus200(code: String, isPassing: Bool) {
    let failure = AttemptFailure(
      .refused(code: code), "Something about it.", isRetryable: isPassing)
    #expect(throws: failure) { try page(CommonsFixtures.failure(code)) }
  }

  @Test(arguments: ["", "<html>", "{}", "[]", #"{"query":{}}"#, #"{"query":{"pages":[{"pageid""#])
  func isNothingElse(json: String) {
    #expect(throws: (any Error).self) { try page(json) }
  }

  @Test(
    arguments: [
      ("cc-by-sa-4.0", "CC BY-SA 4.0", PhotoLicense.Terms.creativeCommons),
      (nil, "CC BY 2.0 de", .creativeCommons), ("cc-by-nc-2.0", "x", .creativeCommonsNonCommercial),
      ("cc0", "CC0", .creativeCommonsZero), (nil, "CC-Zero", .creativeCommonsZero),
      ("pd", "Public domain", .publicDomain), (nil, "PD-old", .publicDomain),
      (nil, "No restrictions", .publicDomain), ("gfdl", "GFDL", .otherFree),
      (nil, "FAL", .otherFree),
      (nil, "OGL 3", .otherFree),
    ] as [(String?, String, PhotoLicense.Terms)])
  func knowsLicensesByTheirNames(code: String?, name: String, terms: PhotoLicense.Terms) {
    #expect(CommonsLicense.terms(code: code, name: name) == terms)
  }
}
