/// The pixels of a picture.
package struct PictureSize: Hashable, Sendable {
  package let width: Int
  package let height: Int

  /// `nil` for lengths other than 1 ... 65,535.
  package init?(width: Int, height: Int) {
    guard (1...65_535).contains(width), (1...65_535).contains(height) else { return nil }
    (self.width, self.height) = (width, height)
  }

  /// The width divided by the height.
  package var ratio: Double { Double(width) / Double(height) }

  /// The size after a quarter turn.
  var turned: PictureSize {
    // The lengths are within their limits.
    PictureSize(width: height, height: width) ?? self
  }
}

extension PictureSize {
  /// The size in a segment of a JPEG file that begins a picture; `nil` for another segment.
  ///
  /// Source: ITU-T T.81, B.2.2.
  init?(_ segment: JPEGSegments.Element, _ file: PictureBytes) {
    let start = segment.range.lowerBound + 4
    guard JPEGHead.frames.contains(segment.marker), segment.range.count >= 10,
      let height = file.number(at: start + 1, bytes: 2),
      let width = file.number(at: start + 3, bytes: 2)
    else { return nil }
    self.init(width: width, height: height)
  }

  /// The size in a chunk of a WebP file; `nil` for another chunk.
  ///
  /// Sources: the WebP container specification; RFC 6386, 9.1; the WebP lossless specification, 2.
  init?(webPChunk type: String, at start: Int, _ file: PictureBytes) {
    func number(_ position: Int, _ count: Int) -> Int? {
      file.bytes(at: start + position, count: count).map {
        $0.reversed().reduce(0) { $0 << 8 | Int($1) }
      }
    }
    switch type {
    case "VP8X":
      guard let width = number(4, 3), let height = number(7, 3) else { return nil }
      self.init(width: width + 1, height: height + 1)
    case "VP8 ":
      // The sign of a key frame, then 14 bits of each length below 2 bits of its scale.
      guard number(3, 3) == 0x2A_019D, let width = number(6, 2), let height = number(8, 2) else {
        return nil
      }
      self.init(width: width & 0x3FFF, height: height & 0x3FFF)
    case "VP8L":
      guard number(0, 1) == 0x2F, let bits = number(1, 4) else { return nil }
      self.init(width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)
    default: return nil
    }
  }
}
