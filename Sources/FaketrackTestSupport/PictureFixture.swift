import Foundation

/// Picture files with the given metadata, for tests; the pictures in them are empty.
package struct PictureFixture: Sendable {
  package var original: String?
  package var offset: String?
  package var fraction: String?
  package var gpsDate: String?
  package var gpsTime: [Int] = []
  package var position: (latitude: Double, longitude: Double)?
  package var orientation = 1
  /// The size of the stored picture in PNG and WebP files.
  package var size = (width: 0, height: 0)
  package var artist: String?
  package var model: String?
  package var description: String?
  /// The XMP packet of a HEIC picture.
  package var xmp: String?
  /// The boxes with the properties of a HEIC picture.
  package var properties: [UInt8] = []

  package init(original: String? = nil, offset: String? = nil) {
    self.original = original
    self.offset = offset
  }

  private typealias Entry = (tag: Int, type: Int, count: Int, data: [UInt8])

  package static func big(_ number: Int, _ bytes: Int) -> [UInt8] {
    (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  private static func text(_ tag: Int, _ text: String?) -> [Entry] {
    text.map { [(tag, 2, $0.utf8.count + 1, Array($0.utf8) + [0])] } ?? []
  }

  private static func fractions(_ tag: Int, _ numbers: [(Int, Int)]) -> Entry {
    (tag, 5, numbers.count, numbers.flatMap { big($0.0, 4) + big($0.1, 4) })
  }

  private static func size(_ entries: [Entry]) -> Int {
    entries.reduce(6) { $0 + 12 + ($1.data.count > 4 ? $1.data.count : 0) }
  }

  private static func directory(_ entries: [Entry], at start: Int) -> [UInt8] {
    var (table, rest) = (big(entries.count, 2), [UInt8]())
    for entry in entries.sorted(by: { $0.tag < $1.tag }) {
      table += big(entry.tag, 2) + big(entry.type, 2) + big(entry.count, 4)
      if entry.data.count > 4 {
        table += big(start + 6 + 12 * entries.count + rest.count, 4)
        rest += entry.data
      } else {
        table += entry.data + [UInt8](repeating: 0, count: 4 - entry.data.count)
      }
    }
    return table + [0, 0, 0, 0] + rest
  }

  /// The Exif data from their TIFF header on.
  package var tiff: [UInt8] {
    typealias Me = PictureFixture
    let photo =
      Me.text(0x9003, original) + Me.text(0x9011, offset) + Me.text(0x9291, fraction)
    var gps = Me.text(0x001D, gpsDate)
    if !gpsTime.isEmpty { gps.append(Me.fractions(0x0007, gpsTime.map { ($0, 1) })) }
    if let position {
      gps += Me.text(0x0001, position.latitude < 0 ? "S" : "N")
      gps += Me.text(0x0003, position.longitude < 0 ? "W" : "E")
      for (tag, degrees) in [(0x0002, position.latitude), (0x0004, position.longitude)] {
        let millionths = Int((abs(degrees) * 1e6).rounded())
        gps.append(Me.fractions(tag, [(millionths, 1_000_000), (0, 1), (0, 1)]))
      }
    }
    var image = Me.text(0x013B, artist) + Me.text(0x0110, model) + Me.text(0x010E, description)
    image.append((0x0112, 3, 1, Me.big(orientation, 2)))
    let photoStart = 8 + Me.size(image) + 24
    let gpsStart = photoStart + Me.size(photo)
    image.append((0x8769, 4, 1, Me.big(photoStart, 4)))
    image.append((0x8825, 4, 1, Me.big(gpsStart, 4)))
    return Array("MM\0*".utf8) + Me.big(8, 4) + Me.directory(image, at: 8)
      + Me.directory(photo, at: photoStart) + Me.directory(gps, at: gpsStart)
  }

  package var jpeg: [UInt8] {
    let body = Array("Exif\0\0".utf8) + tiff
    return [0xFF, 0xD8, 0xFF, 0xE1] + Self.big(body.count + 2, 2) + body
      // A scan without a picture, which exiftool asks for.
      + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 0x3F, 0, 0, 0xFF, 0xD9]
  }

  /// A JPEG file with a picture that can be decoded.
  package func jpeg(width: Int, height: Int) -> [UInt8] {
    let body = Array("Exif\0\0".utf8) + tiff
    let segment = [0xFF, 0xE1] + Self.big(body.count + 2, 2) + body
    return [0xFF, 0xD8] + segment + Self.grayJPEG(0xC0, width, height).dropFirst(2)
  }

  /// A gray JPEG picture.
  ///
  /// - Parameters:
  ///   - marker: the second byte of the marker that begins the picture.
  ///   - sampling: the sampling factors of each color.
  ///   - scanned: the number of colors in the first scan; `nil` for all.
  package static func grayJPEG(
    _ marker: UInt8, _ width: Int, _ height: Int, sampling: [UInt8] = [0x11], scanned: Int? = nil
  ) -> [UInt8] {
    func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
      [0xFF, marker] + big(body.count + 2, 2) + body
    }
    let colors: [UInt8] = sampling.enumerated().flatMap { [UInt8($0 + 1), $1, 0] }
    let scan: [UInt8] = (0..<(scanned ?? sampling.count)).flatMap { [UInt8($0 + 1), 0] }
    let codes: [UInt8] = [1] + [UInt8](repeating: 0, count: 16)
    var bytes: [UInt8] = [0xFF, 0xD8]
    bytes += segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
    bytes += segment(
      marker, [8] + big(height, 2) + big(width, 2) + [UInt8(sampling.count)] + colors)
    bytes += segment(0xC4, [0x00] + codes)
    bytes += segment(0xC4, [0x10] + codes)
    bytes += segment(0xDA, [UInt8(scan.count / 2)] + scan + [0, marker == 0xC2 ? 0 : 63, 0])
    return bytes + [UInt8](repeating: 0, count: 64) + [0xFF, 0xD9]
  }

  package var png: [UInt8] {
    func chunk(_ type: String, _ body: [UInt8]) -> [UInt8] {
      Self.big(body.count, 4) + Array(type.utf8) + body + [0, 0, 0, 0]
    }
    let header = Self.big(size.width, 4) + Self.big(size.height, 4) + [0, 0, 0, 0, 0]
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + chunk("IHDR", header) + chunk("eXIf", tiff) + chunk("IEND", [])
  }

  package var webP: [UInt8] {
    func chunk(_ type: String, _ body: [UInt8]) -> [UInt8] {
      Array(type.utf8) + Self.big(body.count, 4).reversed() + body
        + (body.count % 2 == 0 ? [] : [0])
    }
    let lengths = [size.width, size.height].flatMap { Self.big($0, 2).reversed() }
    let picture = size.width == 0 ? [1, 2, 3] : [0x10, 0, 0, 0x9D, 1, 0x2A] + lengths
    let body = Array("WEBP".utf8) + chunk("VP8 ", picture) + chunk("EXIF", tiff)
    return Array("RIFF".utf8) + Self.big(body.count, 4).reversed() + body
  }

  package static func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
    big(body.count + 8, 4) + Array(type.utf8) + body
  }

  package var heic: [UInt8] {
    let exif = Self.big(6, 4) + Array("Exif\0\0".utf8) + tiff
    let packet = xmp.map { Array($0.utf8) } ?? []
    func file(at offset: Int) -> [UInt8] {
      var infos = Self.box("infe", [2, 0, 0, 0, 0, 7, 0, 0] + Array("Exif\0".utf8))
      var places = [0, 7, 0, 0, 0, 1] + Self.big(offset, 4) + Self.big(exif.count, 4)
      if xmp != nil {
        infos += Self.box(
          "infe", [2, 0, 0, 0, 0, 8, 0, 0] + Array("mime\0application/rdf+xml\0".utf8))
        places +=
          [0, 8, 0, 0, 0, 1] + Self.big(offset + exif.count, 4) + Self.big(packet.count, 4)
      }
      let count = UInt8(xmp == nil ? 1 : 2)
      infos = Self.box("iinf", [0, 0, 0, 0, 0, count] + infos)
      places = Self.box("iloc", [0, 0, 0, 0, 0x44, 0, 0, count] + places)
      let properties = Self.box("iprp", Self.box("ipco", properties))
      return Self.box("ftyp", Array("heic\0\0\0\0mif1".utf8))
        + Self.box("meta", [0, 0, 0, 0] + infos + places + properties)
    }
    return file(at: file(at: 0).count + 8) + Self.box("mdat", exif + packet)
  }

  /// A video that was created at a time.
  package static func video(_ date: Date) -> [UInt8] {
    let seconds = Int(date.timeIntervalSince1970) + 2_082_844_800
    let header = box("mvhd", [0, 0, 0, 0] + big(seconds, 4) + [UInt8](repeating: 0, count: 92))
    return box("ftyp", Array("isom\0\0\0\0mp42".utf8)) + box("mdat", [1, 2, 3])
      + box("moov", header)
  }
}
