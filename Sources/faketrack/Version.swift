import FaketrackServices

enum Version {
  static let current = Product.version
}
