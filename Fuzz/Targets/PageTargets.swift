@testable import FaketrackFeatures
@testable import FaketrackWeb
import Foundation

extension FuzzTarget {
  /// URLs of screens; the URL of a route parses to that route.
  static let routes = FuzzTarget(name: "routes") { bytes in
    if let route = Route(address: String(decoding: bytes, as: UTF8.self)) {
      check(Route(address: route.address) == route, "\(route.address) is not \(route)")
      var router = Router(route)
      router.open(route.parent)
    }
    _ = FormFields(bytes)
  }

  /// Uploads: the first line is the type, the rest the body.
  static let multipart = FuzzTarget(name: "multipart") { bytes in
    let parts = bytes.split(
      separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
    let type = String(decoding: parts[0], as: UTF8.self)
    let body = parts.count > 1 ? Array(parts[1]) : []
    guard let files = try? MultipartFile.all(in: body, type: type) else { return }
    let total = files.reduce(0) { $0 + $1.bytes.count }
    check(total <= body.count, "files larger than their upload")
    for file in files {
      check(TrackUpload.shownName(of: file.name).count <= 80, "a long name")
    }
  }
}
