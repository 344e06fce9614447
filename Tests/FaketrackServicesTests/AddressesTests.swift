import Foundation
import Testing

@testable import FaketrackServices

@Suite struct AddressesTests {
  @Test(arguments: [
    ("abcXYZ019-._~", "abcXYZ019-._~"), ("a b", "a%20b"), ("a+b", "a%2Bb"), ("a/b", "a%2Fb"),
    ("ü", "%C3%BC"), ("東", "%E6%9D%B1"), ("\u{1}\n", "%01%0A"), ("%", "%25"), ("", ""),
    ("&=?#", "%26%3D%3F%23"), ("🚶", "%F0%9F%9A%B6"),
  ])
  func encodesAllButUnreservedCharacters(text: String, encoded: String) {
    #expect(text.percentEncoded == encoded)
    #expect(encoded.removingPercentEncoding == text)
  }

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
