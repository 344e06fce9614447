import FaketrackFeatures
import FaketrackSupport
import Foundation
import Testing

@testable import FaketrackWeb

/// Random input that is the same in every run, against what wrote it.
@Suite struct RoundTripTests {
  private static let alphabet = Array(
    "ab;\"\\=%&+' \t-_.*/?#<>äß東🚶\u{301}".unicodeScalars)

  private func text(_ random: inout SplitMix64, length: Int) -> String {
    var text = String.UnicodeScalarView()
    for _ in 0..<length { text.append(Self.alphabet[random.index(below: Self.alphabet.count)]) }
    return String(text)
  }

  private func bytes(_ random: inout SplitMix64, count: Int) -> [UInt8] {
    (0..<count).map { _ in
      // Mostly what boundaries are made of.
      [UInt8(ascii: "-"), UInt8(ascii: "X"), 13, 10, UInt8(truncatingIfNeeded: random.next())][
        random.index(below: 5)]
    }
  }

  private func quoted(_ text: String) -> String {
    // Scalar by scalar: an accent may stand on a quote.
    var quoted = "\"".unicodeScalars
    for scalar in text.unicodeScalars {
      if scalar == "\\" || scalar == "\"" { quoted.append("\\") }
      quoted.append(scalar)
    }
    quoted.append("\"")
    return String(quoted)
  }

  @Test(arguments: UInt64(0)..<200)
  func anyNameComesThroughQuotes(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let (name, other) = (
      text(&random, length: 1 + random.index(below: 30)), text(&random, length: 9)
    )
    let header = "form-data; name=\(quoted(other)); filename=\(quoted(name)); x=1"
    let parameters = HeaderParameters(header.utf8)
    // Compared as bytes: Swift takes different spellings of a letter for the same.
    #expect(parameters["filename"].map { Array($0.utf8) } == Array(name.utf8))
    #expect(parameters["name"].map { Array($0.utf8) } == Array(other.utf8))
    #expect(parameters["x"] == "1")
  }

  @Test(arguments: UInt64(0)..<100)
  func anyNameComesThroughExtendedText(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let name = text(&random, length: 20)
    let escaped = try #require(name.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
    #expect(
      HeaderParameters.extendedText("UTF-8'en'\(escaped)").map { Array($0.utf8) }
        == Array(name.utf8))
  }

  @Test(arguments: UInt64(0)..<100)
  func anyFileComesThroughAForm(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    // The reader takes whatever looks like the end for the end, as browsers make sure it does not.
    let separator = Array("\r\n--XbX".utf8)
    let content = bytes(&random, count: random.index(below: 400))
    let name = text(&random, length: 12)
    let head =
      "--XbX\r\nContent-Disposition: form-data; name=\"file\"; filename=\(quoted(name))\r\n\r\n"
    let body = Array(head.utf8) + content + separator + Array("--\r\n".utf8)
    let file = try #require(
      try MultipartFile.all(in: body, type: "multipart/form-data; boundary=XbX").first)
    #expect(file.bytes == content)
    #expect(Array(file.name.utf8) == Array(name.utf8))
  }

  @Test(arguments: UInt64(0)..<100)
  func anyFieldComesThroughAForm(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let values = (0..<5).map { _ in text(&random, length: random.index(below: 20)) }
    let body = values.enumerated().map { number, value in
      let escaped = value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
      return "f\(number)=" + escaped.replacing("%20", with: "+")
    }
    let fields = FormFields(Array(body.joined(separator: "&").utf8))
    for (number, value) in values.enumerated() {
      #expect(fields["f\(number)"].map { Array($0.utf8) } == Array(value.utf8))
    }
  }

  @Test(arguments: UInt64(0)..<300)
  func anyBytesAreReadWithoutBreaking(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let body = bytes(&random, count: random.index(below: 600))
    let file = try? MultipartFile.all(in: body, type: "multipart/form-data; boundary=X").first
    #expect((file?.bytes.count ?? 0) <= body.count)
    #expect(FormFields(body)["never"] == nil)
    #expect(HeaderParameters(body)["never"] == nil)
  }

  /// A browser that looks now and then, loses its connection and comes back with its last id, has every
  /// photo in order and none twice.
  @Test(arguments: UInt64(0)..<60)
  func aBrowserMissesNothingHoweverOftenItIsCutOff(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var state = try Walks.state()
    var messages = TrackingMessages(generation: "e", after: nil)
    var cursor: TrackingCursor?
    var seen: [Int] = []
    var count = 0
    for _ in 0..<60 {
      let step = random.index(below: 40)
      if step > 0 { try Walks.add(count + 1...count + step, to: &state) }
      count += step
      switch random.index(below: 4) {
      case 0: messages = TrackingMessages(generation: "e", after: cursor)
      case 1: continue
      default: break
      }
      guard let text = messages.next(for: state) else { continue }
      let (pins, id, isReset) = try read(text)
      seen = isReset ? pins : seen + pins
      cursor = TrackingCursor(id)
      #expect(cursor?.photo == count)
      #expect(seen.last ?? 0 == count)
      #expect(zip(seen, seen.dropFirst()).allSatisfy { $1 == $0 + 1 })
    }
    #expect(seen.first == 1)
  }

  /// The numbers of the pins, the newest id, and whether the browser starts over.
  private func read(_ text: String) throws -> ([Int], String, Bool) {
    let id = try #require(text.matches(of: /\nid: (\S+)\n/).last).1
    guard let pins = text.firstMatch(of: /"pins":\[([^\]]*)\]/) else {
      return ([], String(id), false)
    }
    let numbers = pins.1.split(separator: ",").compactMap { Double($0) }
    let photos = stride(from: 0, to: numbers.count, by: 4).map { Int(numbers[$0]) }
    return (photos, String(id), text.contains("event: reset\n"))
  }
}
