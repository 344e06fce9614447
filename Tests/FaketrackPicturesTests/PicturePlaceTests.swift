import FaketrackTestSupport
import Foundation
import Geodesy
import Testing

@testable import FaketrackPictures

/// The places and the times outside of Exif data: in XMP packets, in videos, and in files beside a picture.
@Suite struct PicturePlaceTests {
  private static let names = """
    xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" \
    xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:tiff="http://ns.adobe.com/tiff/1.0/"
    """

  private static func packet(_ attributes: String, _ elements: String = "") -> [UInt8] {
    Array(
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
      xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description \(names) \
      \(attributes)>\(elements)</rdf:Description></rdf:RDF></x:xmpmeta>
      """.utf8)
  }

  /// Seconds since the beginning of 2001.
  private static let noon = 799_329_600.0

  @Test(arguments: [
    (#"exif:GPSLatitude="52,24.156N" exif:GPSLongitude="13,1.74E""#, "", 52.4026, 13.029),
    (
      #"exif:GPSLatitude="52,24,9.36S""#, "<exif:GPSLongitude>13,1,44.4W</exif:GPSLongitude>",
      -52.4026, -13.029
    ),
    (#"exif:GPSLatitude="52.4026N" exif:GPSLongitude="13.029E""#, "", 52.4026, 13.029),
  ])
  func aPacketHasAPosition(
    attributes: String, elements: String, latitude: Double, longitude: Double
  ) throws {
    let place = try #require(XMPPacket(Self.packet(attributes, elements)).coordinate)
    #expect(abs(place.latitude - latitude) < 1e-9 && abs(place.longitude - longitude) < 1e-9)
  }

  @Test(arguments: [
    #"exif:GPSLatitude="52,24.156N""#, #"exif:GPSLatitude="0,0N" exif:GPSLongitude="0,0E""#,
    #"exif:GPSLatitude="95,0N" exif:GPSLongitude="13,0E""#,
    #"exif:GPSLatitude="52,24.1" exif:GPSLongitude="13,0E""#,
    #"exif:GPSLatitude="52,,1N" exif:GPSLongitude="13,0E""#,
    #"exif:GPSLatitude="-52,1N" exif:GPSLongitude="13,0E""#,
    #"exif:GPSLatitude="infN" exif:GPSLongitude="13,0E""#,
    #"exif:GPSLatitude="" exif:GPSLongitude="""#,
  ])
  func whatIsNoPositionIsLeftOut(attributes: String) {
    #expect(XMPPacket(Self.packet(attributes)).coordinate == nil)
  }

  @Test(arguments: [
    (
      #"exif:DateTimeOriginal="2026-05-01T12:00:00+02:00""#,
      CameraTime.Zoned(seconds: noon, offset: 7_200)
    ),
    (#"exif:DateTimeOriginal="2026-05-01T12:00:00.5""#, CameraTime.Zoned(seconds: noon + 0.5)),
    (#"photoshop:DateCreated="2026-05-01T12:00:00Z""#, CameraTime.Zoned(seconds: noon, offset: 0)),
    (
      #"xmp:CreateDate="2026-05-01T12:00:00" exif:DateTimeOriginal="2026-05-01""#,
      CameraTime.Zoned(seconds: noon)
    ),
    (#"xmp:CreateDate="2026-05-01T12:61:00""#, nil), (#"xmp:CreateDate="May""#, nil), ("", nil),
  ])
  func aPacketHasATime(attributes: String, time: CameraTime.Zoned?) {
    #expect(XMPPacket(Self.packet(attributes)).cameraTime == time)
  }

  @Test func aPacketHasAReceiversTimeAndACamera() {
    let packet = XMPPacket(
      Self.packet(
        #"exif:GPSTimeStamp="2026-05-01T12:00:00Z" tiff:Make="Canon" tiff:Model="EOS R6""#))
    #expect(packet.gpsTime == Date(timeIntervalSinceReferenceDate: Self.noon))
    #expect(packet.camera == "Canon EOS R6")
  }

  @Test func whatAPictureKnowsItselfStays() throws {
    var fixture = PictureFixture(original: "2026:05:01 11:00:00")
    fixture.position = (1, 2)
    var facts = try PictureFacts(PictureBytes(fixture.jpeg))
    facts.complete(
      with: XMPPacket(
        Self.packet(
          #"exif:DateTimeOriginal="2026-05-01T12:00:00+02:00" exif:GPSLatitude="52,0N" exif:GPSLongitude="13,0E""#
        )))
    #expect(facts.coordinate == (try Coordinate(latitude: 1, longitude: 2)))
    #expect(facts.cameraTime == Self.noon - 3_600)
    #expect(facts.offset == nil)
  }

  // MARK: Videos

  private static func box(_ type: [UInt8], _ body: [UInt8]) -> [UInt8] {
    PictureFixture.big(body.count + 8, 4) + type + body
  }

  private static func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
    box(Array(type.utf8), body)
  }

  private static func movie(_ parts: [UInt8]) -> [UInt8] {
    box("ftyp", Array("qt  \0\0\0\0".utf8)) + box("moov", parts)
  }

  private static func metadata(_ values: [(String, String)], version: [UInt8] = []) -> [UInt8] {
    let keys = values.flatMap { box("mdta", Array($0.0.utf8)) }
    let items = values.enumerated().flatMap { number, value in
      box(
        PictureFixture.big(number + 1, 4),
        box("data", PictureFixture.big(1, 4) + [0, 0, 0, 0] + Array(value.1.utf8)))
    }
    return box(
      "meta",
      version + box("keys", [0, 0, 0, 0] + PictureFixture.big(values.count, 4) + keys)
        + box("ilst", items))
  }

  private static func user(_ text: String, length: Int? = nil) -> [UInt8] {
    let body = PictureFixture.big(length ?? text.utf8.count, 2) + [0x15, 0xC7] + Array(text.utf8)
    return box("udta", box([0xA9, 0x78, 0x79, 0x7A], body))
  }

  private static let place = ("com.apple.quicktime.location.ISO6709", "+52.4026+013.0290+035.100/")
  private static let date = ("com.apple.quicktime.creationdate", "2026-05-01T12:00:00+0200")

  @Test(arguments: [
    user("+52.4026+013.0290/"), user("+52.4026+013.0290+035.1/"), metadata([place]),
    metadata([date, place]),
    metadata([place], version: [0, 0, 0, 0]), user("+01.0000+001.0000/") + metadata([place]),
  ])
  func aVideoHasAPosition(parts: [UInt8]) throws {
    let facts = try PictureFacts(PictureBytes(Self.movie(parts)))
    #expect(facts.coordinate == (try Coordinate(latitude: 52.4026, longitude: 13.029)))
  }

  @Test(arguments: [
    user("+52.4026/"), user("+00.0000+000.0000/"), user("+95.0000+013.0290/"),
    user("+5224.1+01301.7/"),
    user("+52.4026+013.0290/", length: 60), user("", length: 0),
    box("udta", box([0xA9, 0x78, 0x79, 0x7A], [])),
    metadata([("com.apple.quicktime.make", "Apple")]), box("meta", []),
    box("meta", box("ilst", [])),
    Array(metadata([place]).dropLast(12)),
    box("meta", box("keys", [0, 0, 0, 0, 0, 0, 0, 9]) + box("ilst", box([0, 0, 0, 9], []))),
  ])
  func aVideoWithADamagedPositionHasNone(parts: [UInt8]) throws {
    #expect(try PictureFacts(PictureBytes(Self.movie(parts))).coordinate == nil)
  }

  @Test func theLocalTimeOfAVideoTakesPrecedence() throws {
    let header = Self.box(
      "mvhd",
      [0, 0, 0, 0] + PictureFixture.big(Int(Self.noon) + 3_061_152_000, 4)
        + PictureFixture.big(0, 12))
    let plain = try PictureFacts(PictureBytes(Self.movie(header)))
    #expect((plain.cameraTime, plain.offset) == (Self.noon, 0))
    let local = try PictureFacts(PictureBytes(Self.movie(header + Self.metadata([Self.date]))))
    #expect((local.cameraTime, local.offset) == (Self.noon, 7_200))
  }

  // MARK: Sidecars

  @Test(arguments: [
    ("IMG_1.jpg", "IMG_1.xmp"), ("IMG_1.jpg", "IMG_1.jpg.xmp"), ("IMG_1.JPG", "IMG_1.XMP"),
    ("IMG_1.jpg", "IMG_1.jpg.json"), ("IMG_1.jpg", "IMG_1.jpg.supplemental-metadata.json"),
    ("IMG_1.jpg", "IMG_1.jpg.supplemental-meta.json"), ("IMG_1(2).jpg", "IMG_1.jpg(2).json"),
    ("IMG_1(2).jpg", "IMG_1.jpg.supplemental-metadata(2).json"),
    (
      "PXL_20260501_100000000.PORTRAIT-01.COVER.jpg",
      "PXL_20260501_100000000.PORTRAIT-01.COVER.jpg.s.json"
    ),
    (
      "Screenshot_20260501-100000_An-application-with-a-name.jpg",
      "Screenshot_20260501-100000_An-application-with.json"
    ),
  ])
  func aSidecarIsFoundByItsName(picture: String, sidecar: String) {
    #expect(PictureSidecar.isSidecar(sidecar))
    #expect(PictureSidecar.names(of: picture).contains(sidecar))
  }

  @Test(
    arguments: [
      (
        #"{"photoTakenTime":{"timestamp":"1777636800"},"geoData":{"latitude":1.5,"longitude":2.5,"altitude":0}}"#,
        1.5, noon
      ),
      (
        #"{"geoData":{"latitude":9,"longitude":9},"geoDataExif":{"latitude":1.5,"longitude":2.5}}"#,
        1.5, nil
      ),
      (
        #"{"photoTakenTime":{"timestamp":"1777636800"},"geoData":{"latitude":0.0,"longitude":0.0}}"#,
        nil, noon
      ),
      (#"{"title":"album"}"#, nil, nil), (#"{"photoTakenTime":{"timestamp":"9e99"}}"#, nil, nil),
    ] as [(String, Double?, Double?)])
  func anArchiveHasPositionsAndTimes(json: String, latitude: Double?, time: Double?) throws {
    let home = try TemporaryHome()
    try home.file("a.jpg.json", Data(json.utf8))
    var facts = try PictureFacts(PictureBytes(PictureFixture().jpeg))
    facts.complete(withSidecar: home.path("a.jpg.json"))
    #expect(facts.coordinate?.latitude == latitude)
    #expect(facts.cameraTime == time)
    #expect(facts.offset == time.map { _ in 0 })
    #expect(facts.issues.isEmpty)
  }

  @Test func aSidecarThatCannotBeReadIsToldAndTheOthersCount() throws {
    let home = try TemporaryHome()
    try home.file("a.json", Data("[".utf8))
    try home.file(
      "a.xmp", Data(Self.packet(#"exif:GPSLatitude="52,0N" exif:GPSLongitude="13,0E""#)))
    var facts = try PictureFacts(PictureBytes(PictureFixture().jpeg))
    try home.file("b.xmp", Data("<x:xmpmeta".utf8))
    for name in ["a.json", "none.xmp", "b.xmp", "a.xmp"] {
      facts.complete(withSidecar: home.path(name))
    }
    #expect(
      facts.issues == [
        "a.json has no facts of a picture", "none.xmp can't be read: No such file or directory",
        "b.xmp has no facts of a picture",
      ])
    #expect(facts.coordinate == (try Coordinate(latitude: 52, longitude: 13)))
  }
}
