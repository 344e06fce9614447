import Foundation
import Testing

@testable import FaketrackServices

@Suite struct URLTests {
  @Test(arguments: [
    ("http://joe:pw@a.example:8080/b?c=1#d", "http://a.example:8080/b?c=1#d"),
    ("http://joe@a.example", "http://a.example"), ("https://a.example/", "https://a.example/"),
    ("file:///tmp/a", "file:///tmp/a"),
  ])
  func losesUserAndPassword(address: String, expected: String) throws {
    #expect(try #require(URL(string: address)).withoutUser.absoluteString == expected)
  }

  @Test func aLiteralIsAnAddress() {
    #expect(URL(literal: "https://a.example/b?c=%20").query == "c=%20")
  }

  @Test(arguments: [
    ("http://a.example", true), ("HTTPS://A.example:8080/b?c", true), ("https://[::1]/", true),
    ("http:///path", false), ("http:a", false), ("https", false), ("//a.example/b", false),
    ("/a/b", false), ("ftp://a.example/b", false), ("file:///tmp/a", false),
    ("javascript://a.example/%0Aalert(1)", false), ("", false),
  ])
  func knowsAddressesOfTheWeb(text: String, isOfWeb: Bool) {
    #expect(URL(webAddress: text)?.absoluteString == (isOfWeb ? text : nil))
    #expect((URL(string: text)?.isWebAddress ?? false) == isOfWeb)
  }
}
