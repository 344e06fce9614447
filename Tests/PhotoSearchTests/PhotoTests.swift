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
      url: URL(literal: "https://i.example/1.jpg"), page: URL(string: "https://p.example/1"),
      coordinate: Spot.potsdam, taken: "2019")
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

  @Test func aPageHasNoPhotoTwice() {
    #expect(PhotoPage.plain("a", "b", "a", "c", "b").photos.map(\.id) == ["a", "b", "c"])
  }

  @Test(arguments: [
    (0.0, 6, "0.000000"), (-0.0000001, 6, "0.000000"), (52.4009, 6, "52.400900"),
    (-13.05, 2, "-13.05"), (-0.5, 3, "-0.500"), (179.9999996, 6, "180.000000"), (854.4, 0, "854"),
    (0.0009, 3, "0.001"),
  ])
  func numbersHaveNoExponent(number: Double, places: Int, text: String) {
    #expect(number.decimal(places: places) == text)
  }

  @Test(
    arguments: [
      ("2019-05-04 15:44:01", "2019-05-04T15:44:01"),
      ("2019-05-04T15:44:01Z", "2019-05-04T15:44:01"),
      ("2019-05-04 15:44", "2019-05-04T15:44"), ("2019-05-04", "2019-05-04"),
      ("2019-05-04 before noon", "2019-05-04"), ("4 May 2019", nil), ("1890", nil), ("", nil),
    ] as [(String, String?)])
  func timesOfAPlaceAreRead(text: String, expected: String?) {
    #expect(LocalTime.normalized(text) == expected)
  }

  @Test func aKeyTellsSearchesApart() {
    let query = PhotoQuery(center: Spot.potsdam, radius: 854)
    let keys = [
      query, with(query) { $0.radius = 855 }, with(query) { $0.size = .b },
      with(query) { $0.license = .cc }, with(query) { $0.page = 2 },
      with(query) { $0.center = Spot.at(52.400901, 13.0591) },
    ].map { PhotoSearchKey(identity: "flickr", query: $0).text }
    #expect(keys[0] == "flickr|52.400900,13.059100|854|z|any|1")
    #expect(Set(keys).count == keys.count)
  }

  private func with(_ query: PhotoQuery, _ change: (inout PhotoQuery) -> Void) -> PhotoQuery {
    var query = query
    change(&query)
    return query
  }
}
