import FaketrackPictures

extension FuzzTarget {
  /// Pictures and videos, and the metadata in them.
  static let exif = FuzzTarget(name: "exif") { bytes in
    guard let facts = try? PictureFacts(PictureBytes(bytes)) else { return }
    check((1...8).contains(facts.orientation), "orientation \(facts.orientation)")
    if let size = facts.size {
      let lengths = 1...65_535
      check(lengths.contains(size.width) && lengths.contains(size.height), "size \(size)")
      check(size.ratio > 0 && size.ratio.isFinite, "ratio \(size.ratio)")
    }
    if let title = facts.title {
      check((1...200).contains(title.count), "title of \(title.count) characters")
      check(!title.contains { $0.isNewline || $0 == "\0" }, "title on several lines")
      check(title.first != " " && title.last != " ", "title with spaces around it")
    }
  }
}
