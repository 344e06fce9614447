import FaketrackTestSupport
import Foundation
import Testing

@testable import FaketrackPictures

@Suite struct PictureTitleTests {
  private static func packet(_ properties: String, _ attributes: String = "") -> String {
    """
    <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
    <x:xmpmeta xmlns:x="adobe:ns:meta/">
     <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" \(attributes)>
       \(properties)
      </rdf:Description>
     </rdf:RDF>
    </x:xmpmeta>
    <?xpacket end="w"?>
    """
  }

  private static func alternatives(_ name: String, _ items: String) -> String {
    "<dc:\(name)><rdf:Alt>\(items)</rdf:Alt></dc:\(name)>"
  }

  private static let title = alternatives(
    "title", #"<rdf:li xml:lang="x-default">Sunset</rdf:li>"#)

  static let packets: [(packet: String, title: String?, description: String?)] = [
    (packet(title), "Sunset", nil),
    (
      packet(
        title + alternatives("description", #"<rdf:li xml:lang="x-default">At the sea</rdf:li>"#)),
      "Sunset", "At the sea"
    ),
    // The default language, or else the first one.
    (
      packet(
        alternatives(
          "title",
          #"<rdf:li xml:lang="de">Abend</rdf:li><rdf:li xml:lang="x-default">Sunset</rdf:li>"#)),
      "Sunset", nil
    ),
    (
      packet(
        alternatives(
          "title", #"<rdf:li xml:lang="de">Abend</rdf:li><rdf:li xml:lang="fr">Soir</rdf:li>"#)),
      "Abend", nil
    ),
    (packet("<dc:title>Plain</dc:title>"), "Plain", nil),
    (packet("", #"dc:title="Short &amp; sweet""#), "Short & sweet", nil),
    (
      packet(alternatives("title", "<rdf:li>A &lt;b&gt; &amp; &#x1F305;<![CDATA[ <c>]]></rdf:li>")),
      "A <b> & 🌅 <c>", nil
    ),
    // The file chooses the prefixes, and may leave out the outermost element.
    (
      """
      <r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <r:Description/><r:Description><t:title xmlns:t="http://purl.org/dc/elements/1.1/"><r:Alt>
      <r:li>Sunset</r:li></r:Alt></t:title></r:Description></r:RDF>\0\0
      """, "Sunset", nil
    ),
    (packet("<dc:title><rdf:Alt/></dc:title>"), nil, nil),
    (packet(#"<title xmlns="http://example.com/">Other</title>"#), nil, nil),
    (packet("<dc:creator><dc:title>Inner</dc:title></dc:creator>"), nil, nil),
    (String(packet(title).prefix(300)), nil, nil), ("", nil, nil), ("\0", nil, nil),
    (packet("<dc:title>&undeclared;</dc:title>"), nil, nil),
  ]

  @Test(arguments: packets)
  func readsPackets(_ row: (packet: String, title: String?, description: String?)) {
    let packet = XMPPacket(Array(row.packet.utf8))
    #expect(packet.title == row.title && packet.description == row.description)
  }

  @Test func documentTypesAreRefused() throws {
    let home = try TemporaryHome()
    try home.file("secret", Data("Secret".utf8))
    let entities = (1...9).map {
      #"<!ENTITY e\#($0) "\#(String(repeating: "&e\($0 - 1);", count: 10))">"#
    }
    let subsets = [
      "", #"SYSTEM "http://127.0.0.1:9/a.dtd""#, #"[<!ENTITY e9 "Bomb">]"#,
      #"[<!ENTITY e9 SYSTEM "file://\#(home.path("secret"))">]"#,
      #"[<!ENTITY % e SYSTEM "file://\#(home.path("secret"))"> %e;]"#,
      #"[<!ENTITY e0 "Bomb">\#(entities.joined())]"#,
    ]
    for subset in subsets {
      for text in ["<dc:title>&e9;</dc:title>", Self.title] {
        let packet = XMPPacket(Array("<!DOCTYPE x \(subset)>\(Self.packet(text))".utf8))
        #expect(packet.title == nil, "\(subset)")
      }
      let packet = XMPPacket(
        Array("<!DOCTYPE x \(subset)>\(Self.packet("", #"dc:title="&e9;""#))".utf8))
      #expect(packet.title == nil, "\(subset)")
    }
  }

  @Test func deepPacketsAndOtherEncodingsAreHarmless() throws {
    let deep = String(repeating: "<rdf:Alt>", count: 100_000)
    #expect(XMPPacket(Array(Self.packet("<dc:title>\(deep)").utf8)).title == nil)
    let wide = Array("\u{FEFF}\(Self.packet(Self.title))".utf16).flatMap {
      [UInt8($0 >> 8), UInt8($0 & 0xFF)]
    }
    #expect(XMPPacket(wide).title == "Sunset")
    #expect(XMPPacket(wide.dropLast(7) + [0xD8, 0]).title == nil)
    #expect(XMPPacket([0xFF, 0xFE, 0xFF]).title == nil)
    let declared = #"<?xml version="1.0" encoding="UTF-99"?>"# + "<a/>"
    #expect(XMPPacket(Array(declared.utf8)).title == nil)
  }

  @Test(
    arguments: [
      ("Sunset", "Sunset"), (" Sunset\n\tat  the\u{A0}sea \u{1} ", "Sunset at the sea"),
      ("Été 🌅", "Été 🌅"), ("🎉", "🎉"), ("東京", "東京"), ("", nil), (" \n", nil), ("---", nil),
      ("OLYMPUS DIGITAL CAMERA         ", nil), ("KODAK Digital Still Camera", nil),
      ("SONY DSC", nil), ("DCIM", nil), ("DIGITAL CAMERA", nil), ("Screenshot", nil),
      ("Screen Shot 2026-05-01 at 10.02.11 AM", nil),
      ("Screenshot of a map", "Screenshot of a map"),
      ("My new digital camera and I", "My new digital camera and I"),
      ("HDR", nil), ("Default", nil), ("Default route", "Default route"),
      (String(repeating: "ä", count: 200), String(repeating: "ä", count: 200)),
      (String(repeating: "ä", count: 201), String(repeating: "ä", count: 199) + "…"),
      (String(repeating: "ä ", count: 1 << 20), String(repeating: "ä ", count: 99) + "ä…"),
    ] as [(String, String?)])
  func titlesAreOnOneLineAndByPeople(_ text: String, title: String?) {
    #expect(PictureTitle.title(text) == title)
  }

  // MARK: Files

  private static func big(_ number: Int, _ bytes: Int) -> [UInt8] {
    PictureFixture.big(number, bytes)
  }

  private static func jpeg(
    xmp: String? = nil, exif: String? = nil, iptc: [UInt8]? = nil
  ) -> [UInt8] {
    var fixture = PictureFixture()
    fixture.description = exif
    func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
      [0xFF, marker] + big(body.count + 2, 2) + body
    }
    var parts: [UInt8] = []
    if let xmp {
      parts += segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(xmp.utf8))
    }
    if let iptc { parts += segment(0xED, Array("Photoshop 3.0\0".utf8) + iptc) }
    return fixture.jpeg.prefix(2) + parts + fixture.jpeg.dropFirst(2)
  }

  /// A resource of Photoshop with an odd name and odd data, and one with records.
  private static func iptc(_ records: [(number: UInt8, text: [UInt8])]) -> [UInt8] {
    func resource(_ id: Int, _ name: String, _ body: [UInt8]) -> [UInt8] {
      var bytes = Array("8BIM".utf8) + big(id, 2) + [UInt8(name.utf8.count)] + Array(name.utf8)
      if name.utf8.count % 2 == 0 { bytes.append(0) }
      bytes += big(body.count, 4) + body
      return bytes + [UInt8](repeating: 0, count: body.count % 2)
    }
    var body: [UInt8] = [0x1C, 1, 90, 0, 1, 7]
    for (number, text) in records { body += [0x1C, 2, number] + big(text.count, 2) + text }
    return resource(0x03ED, "a", [1, 2, 3]) + resource(0x0404, "", body)
      + resource(0x0425, "ab", [4])
  }

  private static let caption = iptc([
    (0, [0, 4]), (120, Array("Caption".utf8)), (5, Array("Name".utf8)),
  ])
  private static let described = packet(alternatives("description", "<rdf:li>At sea</rdf:li>"))

  static let jpegs: [(name: String, bytes: [UInt8], title: String?)] = [
    ("no title", jpeg(), nil),
    ("title", jpeg(xmp: packet(title), exif: "Exif", iptc: caption), "Sunset"),
    ("description", jpeg(xmp: described, exif: "Exif", iptc: caption), "At sea"),
    ("Exif", jpeg(xmp: packet(""), exif: "Exif", iptc: caption), "Exif"),
    ("camera's Exif", jpeg(exif: "OLYMPUS DIGITAL CAMERA         ", iptc: caption), "Caption"),
    ("spaces", jpeg(exif: "      "), nil),
    ("camera's XMP", jpeg(xmp: packet("<dc:title>DCIM</dc:title>"), exif: "Exif"), "Exif"),
    (
      "headline",
      jpeg(iptc: iptc([(120, Array("Caption".utf8)), (105, Array("Headline".utf8))])), "Headline"
    ),
    ("object name", jpeg(iptc: iptc([(5, Array("Name".utf8))])), "Name"),
    ("Latin 1", jpeg(iptc: iptc([(5, [0xC9, 0x74, 0xE9])])), "Été"),
    ("UTF-8", jpeg(iptc: iptc([(5, Array("Été".utf8))])), "Été"),
    ("long record", jpeg(iptc: iptc([(5, [])]) + [0x1C, 2, 5, 0x80, 4, 0, 0, 0, 1, 65]), nil),
    ("cut off record", jpeg(iptc: Array(caption.prefix(50))), nil),
  ]

  @Test(arguments: jpegs)
  func theBestTitleCounts(_ file: (name: String, bytes: [UInt8], title: String?)) throws {
    #expect(try PictureFacts(PictureBytes(file.bytes)).title == file.title, "\(file.name)")
  }

  private static func png(_ text: [UInt8]) -> [UInt8] {
    let png = PictureFixture().png
    let chunk = big(text.count, 4) + Array("iTXt".utf8) + text + [0, 0, 0, 0]
    return png.dropLast(12) + chunk + png.suffix(12)
  }

  private static var heic: [UInt8] {
    var fixture = PictureFixture()
    fixture.xmp = packet(title)
    return fixture.heic
  }

  private static var webP: [UInt8] {
    let body = Array(packet(title).utf8)
    return PictureFixture().webP + Array("XMP ".utf8) + big(body.count, 4).reversed() + body
  }

  static let files: [(name: String, bytes: [UInt8], title: String?)] = [
    ("PNG", png(Array("XML:com.adobe.xmp\0\0\0\0\0\(packet(title))".utf8)), "Sunset"),
    (
      "PNG, translated", png(Array("XML:com.adobe.xmp\0\0\0en\0XMP\0\(packet(title))".utf8)),
      "Sunset"
    ),
    ("PNG, compressed", png(Array("XML:com.adobe.xmp\0\u{1}\0\0\0\(packet(title))".utf8)), nil),
    ("PNG, other text", png(Array("Comment\0\0\0\0\0\(packet(title))".utf8)), nil),
    ("PNG, cut off", png(Array("XML:com.adobe.xmp\0\0\0".utf8)), nil),
    ("WebP", webP, "Sunset"), ("HEIC", heic, "Sunset"),
  ]

  @Test(arguments: files)
  func everyFormatHasATitle(_ file: (name: String, bytes: [UInt8], title: String?)) throws {
    #expect(try PictureFacts(PictureBytes(file.bytes)).title == file.title, "\(file.name)")
  }

  @Test(arguments: jpegs + files)
  func cutOffAndChangedFilesAreHarmless(_ file: (name: String, bytes: [UInt8], title: String?)) {
    for index in file.bytes.indices {
      var changed = file.bytes
      changed[index] ^= 0xFF
      for bytes in [Array(file.bytes.prefix(index)), changed] {
        let title = (try? PictureFacts(PictureBytes(bytes)))?.title
        #expect(title.map { !$0.isEmpty && $0.count <= 200 } ?? true)
      }
    }
  }
}
