/// The boxes of HEIC pictures and videos.
///
/// Sources: ISO/IEC 14496-12 and 23008-12.
extension PictureContainer {
  struct Box {
    let type: String
    let body: Range<Int>
  }

  static func boxes(of file: PictureBytes, in range: Range<Int>) -> [Box] {
    var boxes: [Box] = []
    var position = range.lowerBound
    while boxes.count < 4_096, let size = file.number(at: position, bytes: 4),
      let type = file.text(at: position + 4, count: 4)
    {
      let header = size == 1 ? 16 : 8
      // 0 is the rest of the file, 1 announces a number of 8 bytes.
      let length = size == 1 ? file.number(at: position + 8, bytes: 8) : size == 0 ? nil : size
      if size == 1, length == nil { break }
      let rest = range.upperBound - position
      guard rest >= header, (header...rest).contains(length ?? rest) else { break }
      let end = position + (length ?? rest)
      boxes.append(Box(type: type, body: position + header..<end))
      position = end
    }
    return boxes
  }

  mutating func readHEIC(_ meta: Box, _ file: PictureBytes) {
    let body = min(meta.body.lowerBound + 4, meta.body.upperBound)..<meta.body.upperBound
    let parts = Self.boxes(of: file, in: body)
    func part(_ type: String) -> Box? { parts.first { $0.type == type } }
    size = part("iprp").flatMap { Self.size($0, file) }
    guard let infos = part("iinf"), let places = part("iloc") else { return }
    let data = part("idat")?.body
    func bytes(of item: Item) -> ArraySlice<UInt8>? {
      Self.bytes(of: item.id, places.body, data, file)
    }
    let items = Self.items(infos.body, file)
    exif = items.first { $0.type == "Exif" }.flatMap(bytes).flatMap { bytes in
      // The data follow the number of bytes in front of them.
      let skipped = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      return bytes.count > 4 + skipped ? Array(bytes.dropFirst(4 + skipped)) : nil
    }
    // A picture may have parts with metadata.
    xmp = items.lazy.filter { $0.type == "mime" }.prefix(Self.xmpLimit).compactMap(bytes).map(
      Array.init)
  }

  /// The maximum number of XMP packets.
  private static let xmpLimit = 8

  /// The size of the largest picture in the file, which is the whole one.
  private static func size(_ box: Box, _ file: PictureBytes) -> PictureSize? {
    let list = boxes(of: file, in: box.body).first { $0.type == "ipco" }
    let properties = list.map { boxes(of: file, in: $0.body) } ?? []
    let sizes = properties.compactMap { box -> PictureSize? in
      guard box.type == "ispe", box.body.count >= 12,
        let width = file.number(at: box.body.lowerBound + 4, bytes: 4),
        let height = file.number(at: box.body.lowerBound + 8, bytes: 4)
      else { return nil }
      return PictureSize(width: width, height: height)
    }
    // The turn is in quarters.
    let isTurned = properties.contains { box in
      box.type == "irot"
        && file.number(at: box.body.lowerBound, bytes: 1).map { $0 & 1 == 1 } ?? false
    }
    let size = sizes.max { $0.width * $0.height < $1.width * $1.height }
    return isTurned ? size?.turned : size
  }

  private struct Item {
    let id: Int
    let type: String
  }

  private static func items(_ body: Range<Int>, _ file: PictureBytes) -> [Item] {
    guard let version = file.number(at: body.lowerBound, bytes: 1) else { return [] }
    let start = body.lowerBound + 4 + (version == 0 ? 2 : 4)
    guard start <= body.upperBound else { return [] }
    return boxes(of: file, in: start..<body.upperBound).compactMap { box in
      guard box.type == "infe", let version = file.number(at: box.body.lowerBound, bytes: 1),
        version >= 2, case let width = version == 2 ? 2 : 4,
        let id = file.number(at: box.body.lowerBound + 4, bytes: width),
        let type = file.text(at: box.body.lowerBound + 6 + width, count: 4)
      else { return nil }
      return Item(id: id, type: type)
    }
  }

  /// The bytes of an item, whose place is in the list of places.
  ///
  /// - Parameter data: the box from which the second way of giving a place counts.
  private static func bytes(
    of item: Int, _ places: Range<Int>, _ data: Range<Int>?, _ file: PictureBytes
  ) -> ArraySlice<UInt8>? {
    guard let place = place(of: item, places, file),
      let base = place.method == 0 ? 0 : place.method == 1 ? data?.lowerBound : nil,
      place.offset <= file.size
    else { return nil }
    return file.bytes(at: base + place.offset, count: place.length)
  }

  private static func place(
    of item: Int, _ body: Range<Int>, _ file: PictureBytes
  ) -> (method: Int, offset: Int, length: Int)? {
    var position = body.lowerBound
    func next(_ count: Int) -> Int? {
      if count == 0 { return 0 }
      defer { position += count }
      return position + count <= body.upperBound ? file.number(at: position, bytes: count) : nil
    }
    guard let version = next(1), next(3) != nil, let sizes = next(2),
      let count = next(version < 2 ? 2 : 4)
    else { return nil }
    let widths = [12, 8, 4, 0].map { sizes >> $0 & 0xF }
    // Without any numbers the list would be endless.
    guard widths.allSatisfy({ [0, 4, 8].contains($0) }), widths[0] + widths[1] > 0 else {
      return nil
    }
    for _ in 0..<min(count, limit) {
      guard let id = next(version < 2 ? 2 : 4), let method = next(version == 0 ? 0 : 2),
        next(2) != nil, let base = next(widths[2]), let extents = next(2)
      else { return nil }
      for number in 0..<extents {
        guard next(version == 0 ? 0 : widths[3]) != nil, let offset = next(widths[0]),
          let length = next(widths[1])
        else { return nil }
        let (sum, overflows) = base.addingReportingOverflow(offset)
        if id == item, number == 0 { return overflows ? nil : (method & 0xF, sum, length) }
      }
    }
    return nil
  }
}
