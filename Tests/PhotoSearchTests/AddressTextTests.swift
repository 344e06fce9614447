import FaketrackServices
import FaketrackSupport
import Foundation
import Testing

@testable import PhotoSearch

@Suite struct AddressTextTests {
  @Test(arguments: [
    "https://live.staticflickr.com/65535/50_s1_m.jpg", "http://a.example",
    "https://a.example/", "https://www.flickr.com/photos/26083317@N06/14602336094",
    "https://commons.wikimedia.org/wiki/File:Sanssouci_von_S%C3%BCden,_(1).jpg",
    "https://a.example/b?c=d&e=f%20g",
  ])
  func commonOnesAreTakenAsTheyAre(text: String) {
    #expect(AddressText.isCommon(text))
    #expect(AddressText(text)?.text == text)
    #expect(AddressText(text)?.url == URL(string: text))
  }

  @Test(arguments: [
    "", "https://", "https:///a", "HTTPS://a.example/b", "https://a.example:8080/", "a.example/b",
    "https://a@b.example/", "https://a.example/b#c", "https://a.example/ü", "https://a.example/b c",
    "https://a.example/%", "https://a.example/%2", "https://a.example/%2x", "https://ü.example/",
    "ftp://a.example/", "javascript:alert(1)", "httpss://a.example", "http:/a.example",
    "https://a.example?b", "https://a_b.example/", #"https://a.example/\"#, "https://a.example/[",
    "https://a.example/\u{0}", "file:///etc/passwd", "https://a.example/\n",
  ])
  func allOthersGoByTheirURL(text: String) {
    #expect(!AddressText.isCommon(text))
    #expect(AddressText(text)?.url == URL(string: text))
    #expect(AddressText(web: text)?.url == URL(webAddress: text))
  }

  @Test func isTheSameAsTheURLOfAnyText() {
    var random = SplitMix64(seed: 9)
    let pieces = [
      "https://", "http://", "a", "Z9", ".", "-", "/", "?", "%41", "%", "@", ":", "=", "&", "+",
      "~",
      "_", ",", "(", "!", "#", " ", "ü", "[", "|", "//", "..", "xn--",
    ]
    var common = 0
    let texts = (0..<8_000).map { _ in
      ["https://", "http://", ""][random.index(below: 3)]
        + (0..<1 + random.index(below: 8)).map { _ in pieces[random.index(below: pieces.count)] }
        .joined()
    }
    let others = texts.filter { text in
      let url = URL(string: text)
      guard AddressText.isCommon(text) else { return AddressText(text)?.url != url }
      common += 1
      return url?.isWebAddress != true || url?.absoluteString != text
    }
    #expect(others == [])
    #expect(common > 100)
  }

  @Test func anAppsOwnURLsComeBack() {
    for url in [
      URL(literal: "https://a.example/b%20c?d#e"), URL(fileURLWithPath: "/tmp/ü x.jpg"),
      URL(literal: "relative/path"), URL(literal: "data:image/png;base64,AA=="),
    ] {
      #expect(AddressText(url).url == url)
    }
  }
}
