import FaketrackTestSupport
import Foundation
import Geodesy
import Testing

@testable import FaketrackPictures

/// Well-formed and damaged values in Exif data, with all facts of a file that holds them.
@Suite struct ExifTableTests {
  private static let original = "2026:05:01 10:02:11"

  private func check(_ tiff: [UInt8], _ change: (inout PictureFacts) -> Void) throws {
    try expectFacts(of: jpegFile(exifSegment(tiff)), .jpeg, change)
  }

  @Test(
    arguments: [
      (original, 799_322_531, false), ("2026-05-01T10:02:11", 799_322_531, false),
      ("2026:05:01 10:02:11.75", 799_322_531, false), ("2026/5/1 9:2:1", 799_318_921, false),
      ("2028:02:29 00:00:00", 857_088_000, false), ("0001:01:01 00:00:00", -63_113_904_000, false),
      ("9999:12:31 23:59:59", 252_423_993_599, false), ("0000:00:00 00:00:00", nil, false),
      ("    :  :     :  :  ", nil, false), ("", nil, false), ("2026:02:30 10:00:00", nil, true),
      ("2026:13:01 00:00:00", nil, true), ("2026:05:01 24:00:00", nil, true),
      ("2026:05:01 10:02:60", nil, true), ("2026:005:01 10:02:11", nil, true),
      ("0000:01:01 00:00:00", nil, true), ("26:05:01 10:02:11", nil, true),
      ("2026:05:01", nil, true), ("\u{1B}[31m2026", nil, true),
      (String(repeating: "1", count: 60), nil, true),
    ] as [(String, Double?, Bool)])
  func aTimeIsReadUnsetOrReported(_ text: String, seconds: Double?, isReported: Bool) throws {
    try check(exifData(photo: [.text(0x9003, text)])) {
      $0.cameraTime = seconds
      if isReported { $0.issues = ["its time \"\(text.prefix(40))\" is not a time"] }
    }
  }

  @Test func theSecondTimeReplacesAnUnsetOne() throws {
    let photo: [ExifValue] = [
      .text(0x9003, "0000:00:00 00:00:00"), .text(0x9011, "+02:00"), .text(0x9291, "5"),
      .text(0x9004, Self.original), .text(0x9012, "+01:00"), .text(0x9292, "25"),
    ]
    try check(exifData(photo: photo)) { ($0.cameraTime, $0.offset) = (799_322_531.25, 3_600) }
  }

  @Test(
    arguments: [
      ("+14:00", 50_400), ("-12:00", -43_200), ("+0530", 19_800), ("Z", 0), (" +02:00 ", 7_200),
      ("+15:00", nil), ("+02:60", nil), ("z", nil), ("02:00", nil), ("+02", nil), ("UTC", nil),
      ("\u{1B}[0m", nil), ("+14:01", nil), ("+-123", nil), ("--959", nil), ("+٠٢:٠٠", nil),
    ] as [(String, Double?)])
  func anOffsetIsReadOrReported(_ text: String, offset: Double?) throws {
    try check(exifData(photo: [.text(0x9003, Self.original), .text(0x9011, text)])) {
      ($0.cameraTime, $0.offset) = (799_322_531, offset)
      if offset == nil { $0.issues = ["its offset \"\(text)\" is not an offset"] }
    }
  }

  @Test func aBlankOffsetIsUnset() throws {
    try check(exifData(photo: [.text(0x9003, Self.original), .text(0x9011, "   :  ")])) {
      $0.cameraTime = 799_322_531
    }
  }

  @Test(arguments: [("25", 0.25), ("5  ", 0.5), ("-1", 0), ("1e3", 0), ("½", 0), ("0.5", 0)])
  func aFractionOfDigitsIsAdded(_ text: String, fraction: Double) throws {
    try check(exifData(photo: [.text(0x9003, Self.original), .text(0x9291, text)])) {
      $0.cameraTime = 799_322_531 + fraction
    }
  }

  @Test(
    arguments: [
      ("2026:05:01", [8, 1, 2, 1, 9, 1], 799_315_329),
      ("2026:05:01", [8, 1, 2, 1, 95, 10], 799_315_329.5),
      ("2026:05:01 10:02:11", [8, 1, 2, 1, 9, 1], 799_315_329),
      ("2026:05:01", [23, 1, 59, 1, 60, 1], 799_372_800), ("2026:05:01", [24, 1, 0, 1, 0, 1], nil),
      ("2026:05:01", [8, 1, 60, 1, 0, 1], nil), ("2026:05:01", [8, 1, 0, 1, 61, 1], nil),
      ("2026:05:01", [8, 1, 0, 0, 0, 1], nil), ("2026:05:01", [8, 1, 2, 1], nil),
      ("2026:02:30", [8, 1, 2, 1, 9, 1], nil), ("", [8, 1, 2, 1, 9, 1], nil),
    ] as [(String, [Int], Double?)])
  func aTimeOfTheReceiverIsReadOrLeftOut(day: String, time: [Int], seconds: Double?) throws {
    try check(exifData(gps: [.text(0x001D, day), .fractions(0x0007, time)])) {
      $0.gpsTime = seconds.map { Date(timeIntervalSinceReferenceDate: $0) }
    }
  }

  /// Thousands of unknown tags can share the same bytes.
  @Test func unknownTagsAreNotKept() throws {
    let tiff = exifData(image: [.text(0x4000, "made up"), .shorts(0x0112, [6])])
    let block = try #require(ExifBlock(tiff))
    #expect(block.has(.image, 0x0112) && !block.has(.image, 0x4000))
  }

  // MARK: Positions

  private static let north = [52, 1, 30, 1, 0, 1]
  private static let east = [13, 1, 15, 1, 0, 1]
  private static let zero = [0, 1, 0, 1, 0, 1]
  private static let n = ExifValue.text(0x0001, "N")
  private static let latitude = ExifValue.fractions(0x0002, north)
  private static let e = ExifValue.text(0x0003, "E")
  private static let longitude = ExifValue.fractions(0x0004, east)

  private static func gps(
    _ sign: String, _ latitude: [Int], _ otherSign: String, _ longitude: [Int]
  ) -> [ExifValue] {
    let values: [ExifValue] = [.text(0x0001, sign), .fractions(0x0002, latitude)]
    return values + [.text(0x0003, otherSign), .fractions(0x0004, longitude)]
  }

  static let positions: [(String, [ExifValue], Double, Double)] = [
    ("degrees", gps("N", [52, 1], "E", [13, 1]), 52, 13),
    ("minutes", gps("N", [52, 1, 30, 1], "E", [13, 1, 15, 1]), 52.5, 13.25),
    ("seconds", gps("N", [52, 1, 30, 1, 5_625, 100], "E", east), 52.515625, 13.25),
    ("fractions", gps("N", [525, 10], "E", [1_325, 100, 0, 1, 0, 1]), 52.5, 13.25),
    ("60 minutes", gps("N", [51, 1, 90, 1, 0, 1], "E", [12, 1, 60, 1, 0, 1]), 52.5, 13),
    ("south and west", gps("S", north, "W", east), -52.5, -13.25),
    ("words", gps("north", north, "East", east), 52.5, 13.25),
    ("equator", gps("N", zero, "E", east), 0, 13.25),
    ("limits", gps("N", [90, 1], "E", [180, 1]), 90, 180),
    ("largest numbers", gps("N", [0xFFFF_FFFF, 0xFFFF_FFFF], "E", zero), 1, 0),
  ]

  @Test(arguments: positions) func aPositionIsRead(
    _ name: String, gps: [ExifValue], latitude: Double, longitude: Double
  ) throws {
    let coordinate = try Coordinate(latitude: latitude, longitude: longitude)
    try check(exifData(gps: gps)) { $0.coordinate = coordinate }
  }

  static let noPositions: [(String, [ExifValue])] = [
    ("latitude 91", gps("N", [91, 1], "E", east)), ("X", gps("X", north, "E", east)),
    ("above the pole", gps("N", [90, 1, 0, 1, 1, 100], "E", east)),
    ("longitude 181", gps("N", north, "W", [181, 1])), ("empty", gps("", north, "E", east)),
    ("largest number", gps("N", [0xFFFF_FFFF, 1], "E", east)),
    ("no sign", [latitude, e, longitude]), ("no other sign", [n, latitude, longitude]),
    ("no signs", [latitude, longitude]), ("swapped signs", gps("E", north, "N", east)),
    ("no latitude", [n, e, longitude]), ("no longitude", [n, latitude, e]),
    ("denominator 0", gps("N", [52, 1, 30, 0, 0, 1], "E", east)),
    ("0 / 0", gps("N", [0, 0, 0, 0, 0, 0], "E", [0, 0, 0, 0, 0, 0])),
    ("four numbers", gps("N", [52, 1, 0, 1, 0, 1, 0, 1], "E", east)),
    ("signed numbers", [n, latitude.with(type: 10), e, longitude]),
    ("shorts", [n, .shorts(0x0002, [52, 30, 0]), e, longitude]),
    ("text", [n, .text(0x0002, "52.5"), e, longitude]),
    ("no numbers", [n, latitude.with(count: 0), e, longitude]),
    ("beyond the end", [n, latitude.with(position: 5_000), e, longitude]),
    ("negative", [n, latitude.with(position: -1), e, longitude]),
  ]

  @Test(arguments: noPositions)
  func anImpossiblePositionIsReported(_ name: String, gps: [ExifValue]) throws {
    try check(exifData(gps: gps)) { $0.issues = ["its position is not a position"] }
  }

  @Test func aReceiverWithoutAPositionIsNoIssue() throws {
    try check(exifData(gps: Self.gps("N", Self.zero, "E", Self.zero))) { _ in }
    try check(exifData(gps: [Self.n, Self.e])) { _ in }
  }

  // MARK: Values and directories

  private static let turn = ExifValue.shorts(0x0112, [6])
  private static let turns = ExifValue.shorts(0x0112, [6, 1, 1])

  static let orientations: [(String, [ExifValue], Int)] = [
    ("1", [.shorts(0x0112, [1])], 1), ("8", [.shorts(0x0112, [8])], 8),
    ("0", [.shorts(0x0112, [0])], 1), ("9", [.shorts(0x0112, [9])], 1),
    ("65,535", [.shorts(0x0112, [0xFFFF])], 1), ("type 0", [turn.with(type: 0)], 1),
    ("bytes", [turn.with(type: 1)], 1), ("text", [turn.with(type: 2)], 1),
    ("long", [turn.with(type: 4)], 1), ("fraction", [turn.with(type: 5)], 1),
    ("type 13", [turn.with(type: 13)], 1), ("type 65,535", [turn.with(type: 0xFFFF)], 1),
    ("two numbers", [.shorts(0x0112, [6, 1])], 6), ("three numbers", [turns], 6),
    ("count 0", [turn.with(count: 0)], 1), ("count 3 in place", [turn.with(count: 3)], 1),
    ("large count", [turn.with(count: 0x8000_0000)], 1), ("count −1", [turn.with(count: -1)], 1),
    ("in the header", [turns.with(position: 0)], 1), ("in itself", [turns.with(position: 10)], 1),
    ("beyond the end", [turns.with(position: 5_000)], 1),
    ("far", [turns.with(position: 0x8000_0000)], 1), ("before", [turns.with(position: -1)], 1),
    ("two values", [turn, .shorts(0x0112, [3])], 6), ("loop", [turn, .long(0x8769, 8)], 6),
    ("loops", [turn, .long(0x8769, 8), .long(0x8825, 8), .long(0xA005, 8)], 6),
    ("directories in the header", [turn, .long(0x8769, 0), .long(0x8825, 0)], 6),
    ("directories beyond the end", [turn, .long(0x8769, 5_000), .long(0x8825, -1)], 6),
  ]

  @Test(arguments: orientations)
  func anOrientationIsReadOrUpright(_ name: String, values: [ExifValue], orientation: Int) throws {
    let image = [ExifValue.text(0x013B, "Ada")] + values
    // The next directory is the first one again, or is outside of the data.
    for next in [0, 2, 8, 5_000, 0x8000_0000, -1] {
      try check(exifData(image: image, next: next)) {
        ($0.artist, $0.orientation) = ("Ada", orientation)
      }
    }
  }

  private static let block = exifData(image: [turn])

  static let blocks: [(String, [UInt8], Bool)] = [
    ("no bytes", [], true), ("byte order", Array(block.prefix(2)), true),
    ("header", Array(block.prefix(8)), true), ("count", Array(block.prefix(10)), true),
    ("cut value", Array(block.prefix(21)), true), ("cut end", Array(block.prefix(22)), false),
    ("other order", block.changed(at: 0, to: [88, 88]), true), ("no values", exifData(), true),
    ("wrong order", block.changed(at: 0, to: [73, 73]), true),
    ("number 43", block.changed(at: 3, to: [43]), true),
    ("directory in the header", block.changed(at: 7, to: [0]), true),
    ("directory at the end", block.changed(at: 7, to: [26]), true),
    ("directory of one byte", block.changed(at: 7, to: [25]), true),
    ("negative directory", block.changed(at: 4, to: [255, 255, 255, 255]), true),
    ("65,535 values", block.changed(at: 8, to: [255, 255]), false),
  ]

  @Test(arguments: blocks)
  func aBlockIsReadOrDamaged(_ name: String, block: [UInt8], isDamaged: Bool) throws {
    try check(block) {
      $0.orientation = isDamaged ? 1 : 6
      if isDamaged { $0.issues = ["its Exif data are damaged"] }
    }
  }

  // MARK: Texts

  @Test(
    arguments: [
      ("Ada\0", 2, "Ada"), ("Ada", 2, "Ada"), ("A\0B\0", 2, "A"), ("\0Ada", 2, nil),
      ("  Ada \0", 2, "Ada"), ("     \0", 2, nil), ("Ada\0", 1, nil), ("Ada\0", 7, nil),
      ("\u{C3}\u{84}nne", 2, "Änne"), ("\u{C4}nne", 2, "Änne"), ("\u{C3}(", 2, "Ã("),
      ("\u{1B}[31mAda\u{7}", 2, "\u{1B}[31mAda\u{7}"),
    ] as [(String, Int, String?)])
  func aTextEndsAtItsNull(latin1: String, type: Int, artist: String?) throws {
    let bytes = latin1.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    try check(exifData(image: [Self.turn, .bytes(0x013B, bytes, type: type)])) {
      ($0.artist, $0.orientation) = (artist, 6)
    }
  }

  @Test func aLongDescriptionIsCutOrLeftOut() throws {
    func described(_ count: Int) -> [UInt8] {
      let text = ExifValue.bytes(0x010E, []).with(count: count, position: 38)
      return join(exifData(image: [Self.turn, text]), [UInt8](repeating: 97, count: count))
    }
    let title = String(repeating: "a", count: 199) + "…"
    try check(described(60_000)) { ($0.title, $0.orientation) = (title, 6) }
    // libexif reads no more than a JPEG segment can hold; other formats can hold 1 MB.
    let chunk = join(PictureFixture.big(1_000_038, 4), Array("eXIf".utf8), described(1_000_000))
    let signature = Array(PictureFixture().png.prefix(33))
    try expectFacts(of: join(signature, chunk), .png) { $0.orientation = 6 }
  }

  @Test(arguments: [false, true])
  func bothByteOrdersAreReadAndDamageIsHarmless(isLittleEndian: Bool) throws {
    let block = exifData(
      image: [Self.turn, .text(0x010F, "Make"), .text(0x0110, "Model")],
      photo: [.text(0x9003, Self.original), .text(0x9011, "+02:00")],
      gps: Self.gps("S", Self.north, "W", Self.east), isLittleEndian: isLittleEndian)
    try check(block) {
      ($0.camera, $0.orientation) = ("Make Model", 6)
      ($0.cameraTime, $0.offset) = (799_322_531, 7_200)
      $0.coordinate = Coordinate(validLatitude: -52.5, longitude: -13.25)
    }
    readDamaged(jpegFile(exifSegment(block)))
  }
}

/// Checks all facts of a picture file.
///
/// - Parameter change: sets the facts that differ from the facts of an empty file.
func expectFacts(
  of bytes: [UInt8], _ kind: PictureFacts.Kind, _ change: (inout PictureFacts) -> Void
) throws {
  var expected = PictureFacts(kind: kind)
  change(&expected)
  #expect(try PictureFacts(PictureBytes(bytes)) == expected)
}

func expectNoPicture(_ bytes: [UInt8]) {
  let error = UnreadablePicture(reason: "it is not a JPEG, HEIC, PNG, WebP, MP4 or MOV file")
  #expect(throws: error) { try PictureFacts(PictureBytes(bytes)) }
}

/// Reads a file cut off at each length, and with each byte changed to 0x00 and 0xFF.
func readDamaged(_ file: [UInt8]) {
  for index in file.indices {
    let cut = Array(file.prefix(index))
    for bytes in [cut, file.changed(at: index, to: [0]), file.changed(at: index, to: [0xFF])] {
      let orientation = (try? PictureFacts(PictureBytes(bytes)))?.orientation ?? 1
      if !(1...8).contains(orientation) { Issue.record("byte \(index)") }
      _ = JPEGHead(PictureBytes(bytes))
    }
  }
}

extension [UInt8] {
  func changed(at position: Int, to bytes: [UInt8]) -> [UInt8] {
    var result = self
    result.replaceSubrange(position..<position + bytes.count, with: bytes)
    return result
  }
}

func joined(_ parts: [[UInt8]]) -> [UInt8] { Array(parts.joined()) }

func join(_ parts: [UInt8]...) -> [UInt8] { joined(parts) }

func jpegFile(_ segments: [UInt8]...) -> [UInt8] { join([0xFF, 0xD8], joined(segments)) }

func jpegSegment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
  join([0xFF, marker], PictureFixture.big(body.count + 2, 2), body)
}

func exifSegment(_ block: [UInt8]) -> [UInt8] {
  jpegSegment(0xE1, join(Array("Exif\0\0".utf8), block))
}

/// A value in Exif data, whose parts may contradict each other.
struct ExifValue: Sendable {
  let tag: Int
  let type: Int
  let count: Int
  let numbers: [Int]
  /// The bytes of a number.
  let width: Int

  static func bytes(_ tag: Int, _ bytes: [UInt8], type: Int = 2) -> ExifValue {
    ExifValue(tag: tag, type: type, count: bytes.count, numbers: bytes.map { Int($0) }, width: 1)
  }

  static func text(_ tag: Int, _ text: String) -> ExifValue { bytes(tag, Array(text.utf8) + [0]) }

  static func shorts(_ tag: Int, _ numbers: [Int]) -> ExifValue {
    ExifValue(tag: tag, type: 3, count: numbers.count, numbers: numbers, width: 2)
  }

  static func long(_ tag: Int, _ number: Int) -> ExifValue {
    ExifValue(tag: tag, type: 4, count: 1, numbers: [number], width: 4)
  }

  /// - Parameter numbers: the numerators, each with its denominator behind it.
  static func fractions(_ tag: Int, _ numbers: [Int]) -> ExifValue {
    ExifValue(tag: tag, type: 5, count: numbers.count / 2, numbers: numbers, width: 4)
  }

  /// - Parameter position: a position in place of the numbers.
  func with(type: Int? = nil, count: Int? = nil, position: Int? = nil) -> ExifValue {
    ExifValue(
      tag: tag, type: type ?? self.type, count: count ?? self.count,
      numbers: position.map { [$0] } ?? numbers, width: position == nil ? width : 4)
  }
}

/// Exif data from their header on: the directory of the image, then the directories that it names.
///
/// - Parameter next: the position of the directory that follows the first one.
func exifData(
  image: [ExifValue] = [], photo: [ExifValue] = [], gps: [ExifValue] = [], next: Int = 0,
  isLittleEndian: Bool = false
) -> [UInt8] {
  func number(_ number: Int, _ width: Int) -> [UInt8] {
    let bytes = PictureFixture.big(number, width)
    return isLittleEndian ? Array(bytes.reversed()) : bytes
  }
  func directory(_ values: [ExifValue], at start: Int, next: Int = 0) -> [UInt8] {
    var (table, rest) = (number(values.count, 2), [UInt8]())
    for value in values {
      table += number(value.tag, 2) + number(value.type, 2) + number(value.count, 4)
      var bytes = value.numbers.flatMap { number($0, value.width) }
      if bytes.count > 4 {
        let position = start + 6 + 12 * values.count + rest.count
        rest += bytes
        bytes = number(position, 4)
      }
      table += bytes + [UInt8](repeating: 0, count: 4 - bytes.count)
    }
    return table + number(next, 4) + rest
  }
  let pointers = (photo.isEmpty ? 0 : 1) + (gps.isEmpty ? 0 : 1)
  let photoStart = 8 + directory(image, at: 8).count + 12 * pointers
  let photoBytes: [UInt8] = photo.isEmpty ? [] : directory(photo, at: photoStart)
  let gpsStart = photoStart + photoBytes.count
  let gpsBytes: [UInt8] = gps.isEmpty ? [] : directory(gps, at: gpsStart)
  var first = image
  if !photo.isEmpty { first.append(.long(0x8769, photoStart)) }
  if !gps.isEmpty { first.append(.long(0x8825, gpsStart)) }
  let order = Array((isLittleEndian ? "II" : "MM").utf8)
  let imageBytes = directory(first, at: 8, next: next)
  return join(order, number(42, 2), number(8, 4), imageBytes, photoBytes, gpsBytes)
}
