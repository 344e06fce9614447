import FaketrackPictures

extension FuzzTarget {
  /// Pictures and videos, and the Exif data in them.
  static let exif = FuzzTarget(name: "exif") { bytes in
    guard let facts = try? PictureFacts(PictureBytes(bytes)) else { return }
    check((1...8).contains(facts.orientation), "orientation \(facts.orientation)")
  }
}
