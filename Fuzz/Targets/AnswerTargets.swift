@testable import FaketrackFeatures
import Foundation
import Geodesy
@testable import PhotoSearch

extension FuzzTarget {
  private static let place = Coordinate.clamped(latitude: 52.4, longitude: 13.06)

  /// Flickr responses, and their stored form.
  static let flickr = FuzzTarget(name: "flickr") { bytes in
    let query = PhotoQuery(center: place, radius: 500)
    guard let page = try? FlickrAnswer(json: Data(bytes)).page(for: query, size: 250) else {
      return
    }
    checkStored(page)
  }

  /// Commons responses, and their stored form.
  static let commons = FuzzTarget(name: "commons") { bytes in
    guard let answer = try? CommonsAnswer(json: Data(bytes)) else { return }
    var pages = CommonsPages()
    pages.merge(answer)
    checkStored(pages.page(for: PhotoQuery(center: place, radius: 500), isLast: true))
  }

  /// Stored responses.
  static let storedSearch = FuzzTarget(name: "stored-search") { bytes in
    let page = try? JSONDecoder().decode(PhotoPage.self, from: Data(bytes))
    if let page { checkStored(page) }
  }

  private static func checkStored(_ page: PhotoPage) {
    let stored = try? JSONDecoder().decode(PhotoPage.self, from: JSONEncoder().encode(page))
    check(stored == page, "stored, the answer is another")
  }

  /// Names of authors in HTML.
  static let html = FuzzTarget(name: "html") { bytes in
    let text = HTMLText.plain(String(decoding: bytes, as: UTF8.self))
    check(!text.contains { $0.isNewline }, "a line break in a name")
  }

  /// Wikipedia summaries.
  static let wikipedia = FuzzTarget(name: "wikipedia") { bytes in
    let page = try? JSONDecoder().decode(WikipediaPage.self, from: Data(bytes))
    _ = page?.summary(near: place)
  }

  /// List feeds.
  static let feed = FuzzTarget(name: "feed") { bytes in
    guard let feed = try? ListFeed(json: Data(bytes)) else { return }
    let count = feed.groups.reduce(0) { $0 + $1.items.count }
    for order in ListFeed.Order.allCases {
      let sorted = feed.sorted(by: order)
      check(sorted.groups.reduce(0) { $0 + $1.items.count } == count, "items are lost")
    }
  }
}
