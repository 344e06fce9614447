import FaketrackSupport
import Foundation
import Testing

@testable import PhotoSearch

@Suite struct PhotoPageTests {
  private static let photos = [
    Photo(
      id: "2", title: "Brücke im Nebel, 東京 🌇", owner: "Änne",
      license: PhotoLicense(
        name: "CC0", url: URL(string: "https://c.example/0"), terms: .creativeCommonsZero),
      imageURL: URL(literal: "https://i.example/2.jpg"),
      pageURL: URL(string: "https://p.example/ü?x#y"),
      coordinate: Spot.potsdam, taken: PhotoDate("2019-05-04T15:44:01")),
    .plain("10"),
    Photo(
      id: "", title: "", owner: "",
      license: PhotoLicense(name: "", terms: .unknown), imageURL: URL(literal: "relative.jpg"),
      coordinate: Spot.at(-90, -180), taken: PhotoDate("0001")),
    Photo(
      id: "a longer id than fits into a small string", title: "\0", owner: "\u{FFFD}",
      license: PhotoLicense(
        name: "CC0", url: URL(string: "https://c.example/0"), terms: .creativeCommonsZero),
      imageURL: URL(literal: "https://i.example/x.jpg"), taken: PhotoDate("2020-02")),
  ]

  @Test func givesBackItsPhotos() {
    let page = PhotoPage(photos: Self.photos, isLast: false)
    #expect(page.photos == Self.photos)
    #expect(page.photos.count == 4 && page.photos[0] == Self.photos[0])
    #expect(page.photos.last == Self.photos.last)
    #expect(page == PhotoPage(photos: page.photos, isLast: false))
  }

  @Test func differsInAnyPart() {
    let page = PhotoPage(photos: Self.photos, isLast: false)
    var others = [
      PhotoPage(photos: Self.photos, isLast: true), PhotoPage(photos: [], isLast: false),
      PhotoPage(photos: Self.photos.dropLast(), isLast: false),
      PhotoPage(photos: Self.photos.reversed(), isLast: false),
    ]
    let changes: [(inout Photo) -> Void] = [
      { $0.id = "3" }, { $0.title = "" }, { $0.owner = "" }, { $0.license = nil },
      { $0.imageURL = URL(literal: "https://i.example/3.jpg") }, { $0.pageURL = nil },
      { $0.coordinate = nil }, { $0.taken = nil }, { $0.license?.terms = .unknown },
    ]
    for change in changes {
      var photos = Self.photos
      change(&photos[0])
      others.append(PhotoPage(photos: photos, isLast: false))
    }
    for other in others { #expect(other != page) }
  }

  @Test func anIDInTwoFormsOfUnicodeIsOne() {
    let photos: [Photo] = [.plain("e\u{301}"), .plain("\u{E9}"), .plain("e")]
    #expect(PhotoPage(photos: photos, isLast: true).photos.map(\.id) == ["\u{E9}", "e"])
  }

  @Test(arguments: [true, false])
  func isTheSameAfterEncoding(isLast: Bool) throws {
    for photos in [Self.photos, []] {
      let page = PhotoPage(photos: photos, isLast: isLast)
      let data = try JSONEncoder().encode(page)
      #expect(try JSONDecoder().decode(PhotoPage.self, from: data) == page)
    }
  }

  @Test func anyPartOfItsJSONIsNone() throws {
    let json = try JSONEncoder().encode(PhotoPage(photos: Self.photos, isLast: true))
    for length in 0..<json.count {
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(PhotoPage.self, from: json.prefix(length))
      }
    }
  }
}
