import FaketrackServices
import Foundation
import PhotoSearch

/// Sample photos on the page: the search names them by a host that does not exist, and the page
/// shows them under its own address, whatever that is.
package enum SamplePhotos {
  /// What the addresses of sample photos are to start with.
  package static let base = URL(literal: "https://page.faketrack.example/photos/sample")

  /// The path of a photo on the page; `nil` for one that is no sample.
  static func path(of url: URL?) -> URL? {
    guard let url, url.host == base.host else { return nil }
    return URL(string: url.path)
  }
}
