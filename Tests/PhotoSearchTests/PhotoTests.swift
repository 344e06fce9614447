import FaketrackServices
import Foundation
import Testing

@testable import PhotoSearch

@Suite struct PhotoTests {
  @Test func isTheSameAfterEncoding() throws {
    let full = Photo(
      id: "1", title: "T", owner: "O",
      license: PhotoLicense(
        name: "CC0", url: URL(string: "https://c.example"), terms: .creativeCommonsZero),
      imageURL: URL(literal: "https://i.example/1.jpg"),
      pageURL: URL(string: "https://p.example/1"),
      coordinate: Spot.potsdam, taken: PhotoDate("2019"),
      source: "flickr")
    let page = PhotoPage(photos: [full, .plain("2")], isLast: false)
    let data = try JSONEncoder().encode(page)
    #expect(try JSONDecoder().decode(PhotoPage.self, from: data) == page)
  }

  @Test func anInvalidPositionDoesNotDecode() throws {
    let json =
      #"{"id":"1","title":"","owner":"","url":"https://a.example","latitude":99,"longitude":0}"#
    #expect(throws: (any Error).self) {
      try JSONDecoder().decode(Photo.self, from: Data(json.utf8))
    }
  }

  /// As versions before this one stored it.
  @Test func decodesWhatWasStoredEarlier() throws {
    let json = """
      {"photos":[{"id":"1","title":"T","owner":"O","url":"https://i.example/1.jpg","latitude":52.4,
      "longitude":13.1,"license":{"name":"CC0","terms":"creativeCommonsZero"},
      "taken":"2019-05-04T15:44:01"},
      {"id":"2","title":"","owner":"","url":"https://i.example/2.jpg","taken":"0000-00-00T00:00"}],
      "isLast":true}
      """
    let page = try JSONDecoder().decode(PhotoPage.self, from: Data(json.utf8))
    #expect(page.photos.map(\.taken?.description) == ["2019-05-04T15:44:01", nil])
    #expect(page.photos[0].coordinate == Spot.at(52.4, 13.1))
    #expect(page.photos[0].license?.terms == .creativeCommonsZero)
    #expect(page.photos[0].source == nil)
  }

  @Test(arguments: [
    #"{}"#, #"{"photos":[{"id":"1"}],"isLast":true}"#, #"{"photos":[],"isLast":"yes"}"#,
    #"{"photos":[{"id":"1","title":"","owner":"","url":"https://a.example","taken":5}],"isLast":true}"#,
    "", "null",
  ])
  func anythingElseIsAnErrorAndNoCrash(json: String) {
    #expect(throws: (any Error).self) {
      try JSONDecoder().decode(PhotoPage.self, from: Data(json.utf8))
    }
  }

  @Test(arguments: [
    (PhotoSize.square75, "s", 75), (.square150, "q", 150), (.pixels100, "t", 100),
    (.pixels240, "m", 240), (.pixels320, "n", 320), (.pixels400, "w", 400),
    (.pixels640, "z", 640), (.pixels800, "c", 800), (.pixels1024, "b", 1024),
  ])
  func aSizeHasALetterAndAWidth(size: PhotoSize, letter: String, pixels: Int) {
    #expect(size.rawValue == letter)
    #expect(PhotoSize(rawValue: letter) == size)
    #expect(size.pixels == pixels)
  }

  @Test func sizesAreListedInTheOrderOfTheCommandLine() {
    #expect(PhotoSize.allCases.map(\.rawValue).joined() == "sqtmnwzcb")
    #expect(PhotoSize(rawValue: "x") == nil)
  }

  @Test(
    arguments: [
      (.any, PhotoLicense.Terms.allCasesForTests),
      (.creativeCommons, [.creativeCommons, .creativeCommonsNonCommercial, .creativeCommonsZero]),
      (.commercial, [.creativeCommons, .creativeCommonsZero, .publicDomain, .otherFree]),
      (.publicDomain, [.creativeCommonsZero, .publicDomain]),
    ] as [(LicenseFilter, [PhotoLicense.Terms])])
  func aFilterAcceptsTerms(filter: LicenseFilter, accepted: [PhotoLicense.Terms]) {
    for terms in PhotoLicense.Terms.allCasesForTests {
      #expect(filter.accepts(terms) == accepted.contains(terms), "\(filter) \(terms)")
    }
  }

  @Test func aPageHasNoPhotoTwice() {
    #expect(PhotoPage.plain("a", "b", "a", "c", "b").photos.map(\.id) == ["a", "b", "c"])
  }

  @Test func aKeyTellsSearchesApart() {
    let query = PhotoQuery(center: Spot.potsdam, radius: 854)
    let keys = [
      query, with(query) { $0.radius = 855 }, with(query) { $0.size = .pixels1024 },
      with(query) { $0.license = .creativeCommons }, with(query) { $0.page = 2 },
      with(query) { $0.center = Spot.at(52.400901, 13.0591) },
    ].map { PhotoSearchKey(identity: "flickr", query: $0).text }
    #expect(keys[0] == "flickr|52.400900,13.059100|854|z|any|1")
    #expect(Set(keys).count == keys.count)
  }
}

extension PhotoLicense.Terms {
  fileprivate static let allCasesForTests: [PhotoLicense.Terms] = [
    .allRightsReserved, .creativeCommons, .creativeCommonsNonCommercial, .creativeCommonsZero,
    .publicDomain, .otherFree, .unknown,
  ]
}
