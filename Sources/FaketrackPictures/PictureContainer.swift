import Foundation
import Geodesy

/// A file format, with the size and the metadata or the creation time in it.
struct PictureContainer {
  let kind: PictureFacts.Kind
  /// The size as the picture is stored or, for HEIC, shown.
  var size: PictureSize?
  /// The Exif data from their TIFF header on.
  var exif: [UInt8]?
  /// XMP packets; only HEIC files have several.
  var xmp: [[UInt8]] = []
  /// The texts in the records of IPTC, best first.
  private(set) var iptc: [String] = []
  /// The creation time of a video.
  private(set) var created: CameraTime.Zoned?
  /// The position of a video.
  private(set) var coordinate: Coordinate?

  /// The maximum number of parts of a file that are looked at.
  static let limit = 65_536
  /// The brands of HEIF pictures, and of sequences of them.
  private static let pictureBrands: Set = [
    "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1",
  ]
  private static let exifHeader = Array("Exif\0\0".utf8)
  private static let xmpHeader = Array("http://ns.adobe.com/xap/1.0/\0".utf8)

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
      let meta = boxes.first { $0.type == "meta" }
      // A sequence of pictures is a movie too.
      let isPicture = meta != nil && Self.pictureBrands.contains(file.text(at: 8, count: 4) ?? "")
      let movie = isPicture ? nil : boxes.first { $0.type == "moov" }
      guard let box = movie ?? meta else { return nil }
      kind = movie == nil ? .heic : .video
      if movie == nil {
        readHEIC(box, file)
      } else {
        let facts = MovieFacts(box, file)
        (created, coordinate) = (facts.created, facts.coordinate)
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
      guard segment.marker == 0xE1 || segment.marker == 0xED,
        let body = file.bytes(at: start, count: segment.range.upperBound - start)
      else { continue }
      if segment.marker == 0xED {
        if iptc.isEmpty { iptc = IPTCCaption.texts(inSegment: body) }
      } else if body.starts(with: Self.exifHeader) {
        exif = exif ?? Array(body.dropFirst(Self.exifHeader.count))
      } else if body.starts(with: Self.xmpHeader), xmp.isEmpty {
        xmp = [Array(body.dropFirst(Self.xmpHeader.count))]
      }
    }
  }

  private mutating func readPNG(_ file: PictureBytes) {
    var position = 8
    for _ in 0..<Self.limit {
      guard let length = file.number(at: position, bytes: 4),
        let type = file.text(at: position + 4, count: 4)
      else { return }
      switch type {
      case "IHDR" where size == nil && length >= 8:
        if let width = file.number(at: position + 8, bytes: 4),
          let height = file.number(at: position + 12, bytes: 4)
        {
          size = PictureSize(width: width, height: height)
        }
      case "eXIf": exif = exif ?? file.bytes(at: position + 8, count: length).map(Array.init)
      case "iTXt" where xmp.isEmpty:
        xmp = file.bytes(at: position + 8, count: length).flatMap(Self.xmp).map { [$0] } ?? []
      case "IEND": return
      default: break
      }
      position += 12 + length
    }
  }

  /// The XMP packet in a text of PNG: behind its name, two bytes for compression, and two more names.
  private static func xmp(inText text: ArraySlice<UInt8>) -> [UInt8]? {
    let name = Array("XML:com.adobe.xmp\0\0\0".utf8)
    guard text.starts(with: name) else { return nil }
    let parts = text.dropFirst(name.count).split(
      separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
    return parts.count == 3 ? Array(parts[2]) : nil
  }

  private mutating func readWebP(_ file: PictureBytes) {
    var position = 12
    for _ in 0..<Self.limit {
      guard let type = file.text(at: position, count: 4),
        let length = file.number(at: position + 4, bytes: 4).map({ UInt32($0).byteSwapped })
      else { return }
      size = size ?? PictureSize(webPChunk: type, at: position + 8, file)
      if type == "EXIF", exif == nil,
        let bytes = file.bytes(at: position + 8, count: Int(length))
      {
        // Some writers add the header of JPEG.
        let header = Self.exifHeader
        exif = Array(bytes.starts(with: header) ? bytes.dropFirst(header.count) : bytes)
      }
      if type == "XMP ", xmp.isEmpty {
        xmp = file.bytes(at: position + 8, count: Int(length)).map { [Array($0)] } ?? []
      }
      position += 8 + Int(length) + Int(length % 2)
    }
  }
}
