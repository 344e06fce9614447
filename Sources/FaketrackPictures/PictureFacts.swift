import FaketrackSupport
import Foundation
import Geodesy

/// The facts that a picture or video holds: its place, time, orientation, size and title.
package struct PictureFacts: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable {
    case jpeg, heic, png, webp, video
  }

  package var kind: Kind
  package var coordinate: Coordinate?
  /// The time by the receiver's clock.
  package var gpsTime: Date?
  /// The time by the camera's clock: seconds since the beginning of 2001, without a zone.
  package var cameraTime: Double?
  /// Seconds by which the camera's clock is ahead of UTC, if the file says so.
  package var offset: Double?
  /// The Exif orientation, 1 ... 8; 1 is upright.
  package var orientation = 1
  /// The size of the upright picture; `nil` if the file does not tell it, and for a video.
  package var size: PictureSize?
  package var artist: String?
  /// The title in the metadata of the picture; without a title, its description or caption.
  package var title: String?
  /// The make and model of the camera.
  package var camera: String?
  /// The values that could not be used.
  package var issues: [String] = []

  init(kind: Kind) {
    self.kind = kind
  }
}

/// A file that is not a readable picture.
package struct UnreadablePicture: Error, Hashable, Sendable {
  package let reason: String
}

extension PictureFacts {
  /// Reads a JPEG, HEIC, PNG or WebP file, or the creation time of an MP4 or MOV file.
  ///
  /// Reads the parts with metadata alone, usually a few kilobytes.
  ///
  /// - Throws: ``UnreadablePicture``.
  package init(contentsOf path: String) throws(UnreadablePicture) {
    let file = try PictureFile(path)
    try self.init(file.bytes)
  }

  /// - Throws: ``UnreadablePicture`` for bytes of another format.
  package init(_ file: PictureBytes) throws(UnreadablePicture) {
    if file.size == 0 { throw UnreadablePicture(reason: "the file is empty") }
    guard let container = PictureContainer(file) else {
      throw UnreadablePicture(reason: "it is not a JPEG, HEIC, PNG, WebP, MP4 or MOV file")
    }
    self.init(kind: container.kind)
    if let created = container.created {
      cameraTime = created.seconds
      offset = created.offset
    }
    coordinate = container.coordinate
    let exif = container.exif.flatMap(ExifBlock.init)
    if let exif {
      read(exif)
    } else if container.exif != nil {
      issues.append("its Exif data are damaged")
    }
    let packets = container.xmp.map(XMPPacket.init)
    for packet in packets { complete(with: packet) }
    let texts = packets.map(\.title) + packets.map(\.description) + [exif?.text(.image, 0x010E)]
    title = (texts.compactMap(\.self) + container.iptc).lazy.compactMap(PictureTitle.title).first
    // Of HEIC pictures, the format itself holds the turn.
    let isTurned = kind != .heic && orientation >= 5
    size = isTurned ? container.size?.turned : container.size
  }

  /// Adds the place, the time and the camera, where they are not known yet.
  mutating func complete(with packet: XMPPacket) {
    coordinate = coordinate ?? packet.coordinate
    gpsTime = gpsTime ?? packet.gpsTime
    if cameraTime == nil, let time = packet.cameraTime {
      (cameraTime, offset) = (time.seconds, time.offset)
    }
    camera = camera ?? packet.camera
  }

  private mutating func read(_ exif: ExifBlock) {
    orientation = exif.number(.image, 0x0112).flatMap { (1...8).contains($0) ? $0 : nil } ?? 1
    artist = exif.text(.image, 0x013B)
    let names = [exif.text(.image, 0x010F), exif.text(.image, 0x0110)].compactMap(\.self)
    camera = names.isEmpty ? nil : names.joined(separator: " ")
    readTimes(exif)
    readPosition(exif)
  }

  private mutating func readTimes(_ exif: ExifBlock) {
    // DateTimeOriginal, or else DateTimeDigitized, with their offsets and fractions.
    for (tag, offsetTag, fractionTag) in [(0x9003, 0x9011, 0x9291), (0x9004, 0x9012, 0x9292)] {
      // Cameras whose clock is not set write spaces and zeros.
      guard cameraTime == nil, let text = exif.text(.photo, tag),
        text.contains(where: { ("1"..."9").contains($0) })
      else { continue }
      guard let seconds = CameraTime.seconds(text) else {
        issues.append("its time \"\(text.prefix(40))\" is not a time")
        continue
      }
      let fraction = exif.text(.photo, fractionTag)
        .flatMap { $0.allSatisfy(\.isNumber) ? Double("0.\($0)") : nil }
      cameraTime = seconds + (fraction ?? 0)
      guard let text = exif.text(.photo, offsetTag) else { continue }
      offset = CameraTime.offset(text)
      // A blank offset has a colon.
      if offset == nil, text.contains(where: { $0 != " " && $0 != ":" }) {
        issues.append("its offset \"\(text.prefix(40))\" is not an offset")
      }
    }
    if let day = exif.text(.gps, 0x001D), let parts = exif.rationals(.gps, 0x0007),
      parts.count == 3, let date = CameraTime.seconds("\(day.prefix(10)) 00:00:00"),
      (0..<24).contains(parts[0]), (0..<60).contains(parts[1]), (0..<61).contains(parts[2])
    {
      gpsTime = Date(
        timeIntervalSinceReferenceDate: date + parts[0] * 3_600 + parts[1] * 60 + parts[2])
    }
  }

  private mutating func readPosition(_ exif: ExifBlock) {
    guard exif.has(.gps, 0x0002) || exif.has(.gps, 0x0004) else { return }
    func degrees(_ tag: Int, _ reference: Int, _ signs: [Character: Double]) -> Double? {
      guard let parts = exif.rationals(.gps, tag), (1...3).contains(parts.count),
        let sign = exif.text(.gps, reference)?.uppercased().first.flatMap({ signs[$0] })
      else { return nil }
      return sign * zip(parts, [1, 60, 3_600]).reduce(0) { $0 + $1.0 / $1.1 }
    }
    if let latitude = degrees(0x0002, 0x0001, ["N": 1, "S": -1]),
      let longitude = degrees(0x0004, 0x0003, ["E": 1, "W": -1])
    {
      // Receivers without a position write zeros.
      if latitude == 0, longitude == 0 { return }
      coordinate = try? Coordinate(latitude: latitude, longitude: longitude)
    }
    if coordinate == nil { issues.append("its position is not a position") }
  }
}

extension Coordinate {
  /// The coordinate in metadata; `nil` for one that does not exist, and for zeros, which stand for none.
  init?(recorded latitude: Double, _ longitude: Double) {
    guard latitude != 0 || longitude != 0,
      let coordinate = try? Coordinate(latitude: latitude, longitude: longitude)
    else { return nil }
    self = coordinate
  }
}

/// The forms of times in Exif data.
package enum CameraTime {
  /// A time with or without its zone.
  struct Zoned: Hashable, Sendable {
    /// Seconds since the beginning of 2001 by the clock.
    var seconds: Double
    /// Seconds by which the clock is ahead of UTC, if known.
    var offset: Double?
  }

  /// Reads `2026:05:01 10:02:11`, also with other separators, as seconds since the beginning of
  /// 2001 without a zone; `nil` for a time that does not exist.
  package static func seconds(_ text: String) -> Double? {
    let numbers = text.utf8.split { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      .map { String(decoding: $0, as: UTF8.self) }
    guard numbers.count >= 6, numbers[0].count == 4,
      numbers[1..<6].allSatisfy({ $0.count <= 2 })
    else { return nil }
    return CivilDate.seconds(numbers.prefix(6).compactMap { Int($0) }).map(Double.init)
  }

  /// Reads `+02:00`, `-0330` or `Z` as seconds; `nil` for other text.
  static func offset(_ text: String) -> Double? {
    if text == "Z" { return 0 }
    let digits = text.dropFirst().filter { $0 != ":" }
    guard let sign = text.first.flatMap({ ["+": 1.0, "-": -1.0][$0] }),
      digits.count == 4, digits.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(digits),
      number <= 1_400, number % 100 < 60
    else { return nil }
    return sign * Double(number / 100 * 3_600 + number % 100 * 60)
  }
}

extension CameraTime.Zoned {
  /// Reads `2026-05-01T10:02:11.5+02:00`; the fraction and the zone may be missing.
  init?(_ text: String) {
    guard
      let (_, time, fraction, zone) = text.wholeMatch(
        of:
          #/([0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}:[0-9]{2})(\.[0-9]{1,9})?(Z|[-+][0-9]{2}:?[0-9]{2})?/#
      )?.output, let seconds = CameraTime.seconds(String(time))
    else { return nil }
    self.seconds = seconds + (fraction.flatMap { Double("0\($0)") } ?? 0)
    offset = zone.flatMap { CameraTime.offset(String($0)) }
  }
}
