import Foundation

/// A file format, with the size and the Exif data or the creation time in it.
struct PictureContainer {
  let kind: PictureFacts.Kind
  /// The size as the picture is stored or, for HEIC, shown.
  private(set) var size: PictureSize?
  /// The Exif data from their TIFF header on.
  private(set) var exif: [UInt8]?
  /// The creation time of a video: seconds since the beginning of 2001, UTC.
  private(set) var created: Double?

  /// The maximum number of parts of a file that are looked at.
  private static let limit = 65_536
  private static let exifHeader = Array("Exif\0\0".utf8)

  /// `nil` for another format.
  init?(_ file: PictureBytes) {
    let boxes = ["ftyp", "moov", "mdat", "wide", "free", "skip"]
    if file.bytes(at: 0, count: 3)?.elementsEqual([0xFF, 0xD8, 0xFF]) == true {
      kind = .jpeg
      readJPEG(file)
    } else if file.text(at: 1, count: 3) == "PNG", file.number(at: 4, bytes: 4) == 0x0D0A_1A0A {
      kind = .png
      readPNG(file)
    } else if file.text(at: 0, count: 4) == "RIFF", file.text(at: 8, count: 4) == "WEBP" {
      kind = .webp
      readWebP(file)
    } else if let type = file.text(at: 4, count: 4), boxes.contains(type) {
      let boxes = Self.boxes(of: file, in: 0..<file.size)
      let movie = boxes.first { $0.type == "moov" }
      guard let box = movie ?? boxes.first(where: { $0.type == "meta" }) else { return nil }
      kind = movie == nil ? .heic : .video
      if movie == nil {
        readHEIC(box, file)
      } else {
        created = Self.creationTime(ofMovie: box, file)
      }
    } else {
      return nil
    }
  }

  private mutating func readJPEG(_ file: PictureBytes) {
    for segment in JPEGSegments(file).prefix(JPEGSegments.limitBeforeScan) {
      let start = segment.range.lowerBound + 4
      // The picture itself begins with a scan.
      if segment.marker == 0xDA { return }
      size = size ?? PictureSize(segment, file)
      if segment.marker == 0xE1, exif == nil,
        let body = file.bytes(at: start, count: segment.range.upperBound - start),
        body.starts(with: Self.exifHeader)
      {
        exif = Array(body.dropFirst(Self.exifHeader.count))
      }
    }
  }

  private mutating func readPNG(_ file: PictureBytes) {
    if let width = file.number(at: 16, bytes: 4), let height = file.number(at: 20, bytes: 4) {
      size = PictureSize(width: width, height: height)
    }
    var position = 8
    for _ in 0..<Self.limit {
      guard let length = file.number(at: position, bytes: 4),
        let type = file.text(at: position + 4, count: 4)
      else { return }
      if type == "eXIf" {
        exif = file.bytes(at: position + 8, count: length).map(Array.init)
        return
      }
      position += 12 + length
    }
  }

  private mutating func readWebP(_ file: PictureBytes) {
    var position = 12
    for _ in 0..<Self.limit {
      guard let type = file.text(at: position, count: 4),
        let length = file.number(at: position + 4, bytes: 4).map({ UInt32($0).byteSwapped })
      else { return }
      size = size ?? PictureSize(webPChunk: type, at: position + 8, file)
      if type == "EXIF", let bytes = file.bytes(at: position + 8, count: Int(length)) {
        // Some writers add the header of JPEG.
        let header = Self.exifHeader
        exif = Array(bytes.starts(with: header) ? bytes.dropFirst(header.count) : bytes)
        return
      }
      position += 8 + Int(length) + Int(length % 2)
    }
  }
}

// MARK: Boxes (ISO/IEC 14496-12)

extension PictureContainer {
  private struct Box {
    let type: String
    let body: Range<Int>
  }

  private static func boxes(of file: PictureBytes, in range: Range<Int>) -> [Box] {
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

  private static func creationTime(ofMovie movie: Box, _ file: PictureBytes) -> Double? {
    guard let header = boxes(of: file, in: movie.body).first(where: { $0.type == "mvhd" }),
      let version = file.number(at: header.body.lowerBound, bytes: 1),
      let seconds = file.number(at: header.body.lowerBound + 4, bytes: version == 1 ? 8 : 4),
      // Cameras without a clock write zero.
      seconds > 0, seconds < 1 << 40
    else { return nil }
    // From 1 January 1904 to 1 January 2001.
    return Double(seconds - 3_061_152_000)
  }

  private mutating func readHEIC(_ meta: Box, _ file: PictureBytes) {
    exif = Self.exif(meta, file)
    size = Self.size(meta, file)
  }

  /// The size of the largest picture in the file, which is the whole one.
  private static func size(_ meta: Box, _ file: PictureBytes) -> PictureSize? {
    func parts(of body: Range<Int>, _ type: String) -> [Box] {
      boxes(of: file, in: body).filter { $0.type == type }
    }
    let body = min(meta.body.lowerBound + 4, meta.body.upperBound)..<meta.body.upperBound
    let properties = parts(of: body, "iprp").first.flatMap { parts(of: $0.body, "ipco").first }
    guard let properties = properties?.body else { return nil }
    let sizes = parts(of: properties, "ispe").compactMap { box -> PictureSize? in
      guard box.body.count >= 12,
        let width = file.number(at: box.body.lowerBound + 4, bytes: 4),
        let height = file.number(at: box.body.lowerBound + 8, bytes: 4)
      else { return nil }
      return PictureSize(width: width, height: height)
    }
    // The turn is in quarters.
    let isTurned = parts(of: properties, "irot").contains {
      file.number(at: $0.body.lowerBound, bytes: 1).map { $0 & 1 == 1 } ?? false
    }
    let size = sizes.max { $0.width * $0.height < $1.width * $1.height }
    return isTurned ? size?.turned : size
  }

  /// The Exif data of a picture: an item of this type, whose place is in the list of items.
  private static func exif(_ meta: Box, _ file: PictureBytes) -> [UInt8]? {
    let body = min(meta.body.lowerBound + 4, meta.body.upperBound)..<meta.body.upperBound
    let parts = boxes(of: file, in: body)
    guard let infos = parts.first(where: { $0.type == "iinf" }),
      let places = parts.first(where: { $0.type == "iloc" }),
      let item = exifItem(infos.body, file),
      let place = self.place(of: item, places.body, file)
    else { return nil }
    // The second way of giving a place counts from the data box.
    let data = parts.first { $0.type == "idat" }
    guard let base = place.method == 0 ? 0 : place.method == 1 ? data?.body.lowerBound : nil,
      place.offset <= file.size,
      let skipped = file.number(at: base + place.offset, bytes: 4),
      let bytes = file.bytes(at: base + place.offset, count: place.length),
      skipped <= bytes.count - 4
    else { return nil }
    return Array(bytes.dropFirst(4 + skipped))
  }

  private static func exifItem(_ body: Range<Int>, _ file: PictureBytes) -> Int? {
    guard let version = file.number(at: body.lowerBound, bytes: 1) else { return nil }
    let start = body.lowerBound + 4 + (version == 0 ? 2 : 4)
    guard start <= body.upperBound else { return nil }
    for box in boxes(of: file, in: start..<body.upperBound) where box.type == "infe" {
      guard let version = file.number(at: box.body.lowerBound, bytes: 1), version >= 2 else {
        continue
      }
      let width = version == 2 ? 2 : 4
      if file.text(at: box.body.lowerBound + 6 + width, count: 4) == "Exif" {
        return file.number(at: box.body.lowerBound + 4, bytes: width)
      }
    }
    return nil
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
