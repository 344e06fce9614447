import FaketrackSupport
import Foundation
import Testing

@Suite struct PercentEncodingTests {
  @Test(arguments: [
    ("abcXYZ019-._~", "abcXYZ019-._~"), ("a b", "a%20b"), ("a+b", "a%2Bb"), ("a/b", "a%2Fb"),
    ("ü", "%C3%BC"), ("東", "%E6%9D%B1"), ("\u{1}\n", "%01%0A"), ("%", "%25"), ("", ""),
    ("&=?#", "%26%3D%3F%23"), ("🚶", "%F0%9F%9A%B6"),
  ])
  func encodesAllButUnreservedCharacters(text: String, encoded: String) {
    #expect(text.percentEncoded == encoded)
    #expect(encoded.removingPercentEncoding == text)
  }

  @Test func encodesAllOfASCIIButLettersDigitsAndFourMarks() {
    let bytes = (0..<0x80).map { String(Unicode.Scalar(UInt8($0))) }
    let unreserved = bytes.filter { $0.percentEncoded == $0 }.joined()
    #expect(
      unreserved == "-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~")
  }
}
