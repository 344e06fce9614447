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
      url: URL(literal: "https://i.example/2.jpg"), page: URL(string: "https://p.example/ü?x#y"),
      coordinate: Spot.potsdam, taken: PhotoDate("2019-05-04T15:44:01")),
    .plain("10"),
    Photo(
      id: "", title: "", owner: "",
      license: PhotoLicense(name: "", terms: .unknown), url: URL(literal: "relative.jpg"),
      coordinate: Spot.at(-90, -180), taken: PhotoDate("0001")),
    Photo(
      id: "a longer id than fits into a small string", title: "\0", owner: "\u{FFFD}",
      license: PhotoLicense(
        name: "CC0", url: URL(string: "https://c.example/0"), terms: .creativeCommonsZero),
      url: URL(literal: "https://i.example/x.jpg"), taken: PhotoDate("2020-02")),
  ]

  @Test func givesBackItsPhotos() {
    let page = PhotoPage(photos: Self.photos, isLast: false)
    #expect(Array(page.photos) == Self.photos)
    #expect(page.photos.count == 4 && page.photos[0] == Self.photos[0])
    #expect(page.photos.last == Self.photos.last)
    #expect(page.photos.licenses.count == 2)
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
      { $0.url = URL(literal: "https://i.example/3.jpg") }, { $0.page = nil },
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

  @Test(arguments: [false, true]) func isTheSameInCompactForm(isLast: Bool) {
    for photos in [[], Self.photos, Array(Self.photos.prefix(1))] {
      let page = PhotoPage(photos: photos, isLast: isLast)
      #expect(PhotoPage(compactForm: page.compactForm) == page)
    }
  }

  @Test func partOfACompactFormIsNone() {
    let form = PhotoPage(photos: Self.photos, isLast: true).compactForm
    for length in 0..<form.count { #expect(PhotoPage(compactForm: form.prefix(length)) == nil) }
    #expect(PhotoPage(compactForm: form + [0]) == nil)
    #expect(PhotoPage(compactForm: form.dropFirst()) == nil)
  }

  /// Numbers that claim too much, and texts in the wrong place: whatever can be read is a page.
  @Test func aDamagedCompactFormIsNoneOrAPage() {
    let form = PhotoPage(photos: Self.photos, isLast: true).compactForm
    var random = SplitMix64(seed: 5)
    var pages = 0
    func read(_ form: Data) {
      guard let page = PhotoPage(compactForm: form) else { return }
      pages += 1
      let isWhole = page.photos.allSatisfy { !$0.url.absoluteString.isEmpty }
      guard isWhole, PhotoPage(compactForm: page.compactForm) == page else {
        Issue.record("\(page)")
        return
      }
    }
    for place in form.indices {
      for value in [0, 1, 0x7F, 0x80, 0xFE, 0xFF] as [UInt8] {
        var damaged = form
        damaged[place] = value
        read(damaged)
      }
    }
    for _ in 0..<2_000 {
      var damaged = form
      for _ in 0..<3 {
        damaged[random.index(below: form.count)] = UInt8(truncatingIfNeeded: random.next())
      }
      read(damaged)
    }
    #expect(pages > 100)
  }

  @Test(arguments: ["", "{", "photos 1", "photos 2\0", #"{"photos":[],"isLast":true}"#])
  func anythingElseIsNone(text: String) {
    #expect(PhotoPage(compactForm: Data(text.utf8)) == nil)
  }

  @Test func theSameIDTwiceIsNone() throws {
    let page = PhotoPage(photos: [.plain("a"), .plain("b")], isLast: true)
    var form = page.compactForm
    let id = try #require(form.firstRange(of: Data([1, 0, 0, 0, UInt8(ascii: "b")])))
    form[id.upperBound - 1] = UInt8(ascii: "a")
    #expect(PhotoPage(compactForm: form) == nil)
  }
}
