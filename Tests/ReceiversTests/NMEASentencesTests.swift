import FaketrackSupport
import Foundation
import Geodesy
import Testing

@testable import Receivers

@Suite struct NMEASentencesTests {
  private func sentences(
    _ append: (inout NMEASentences, inout TextBuffer) -> Void, hasSatellites: Bool = true
  ) -> [String] {
    var (sentences, text) = (NMEASentences(hasSatellites: hasSatellites), TextBuffer())
    append(&sentences, &text)
    return text.string.split(separator: "\r\n").map(String.init)
  }

  private func fix(accuracy: Double?) -> Fix {
    Fix(
      Coordinate(validLatitude: 52, longitude: 13), time: Date(timeIntervalSince1970: 0),
      elevation: 30, horizontalAccuracy: accuracy)
  }

  /// GGA has the number of satellites, GSA their numbers, and GSV the same with their directions.
  @Test(arguments: [(3.0, 12, 3), (20, 7, 2), (100, 4, 1), (nil, 4, 1)] as [(Double?, Int, Int)])
  func theSatellitesOfAllSentencesAgree(accuracy: Double?, count: Int, parts: Int) throws {
    let lines = sentences { $0.append(fix(accuracy: accuracy), to: &$1) }
    let gga = try #require(lines.last { $0.hasPrefix("$GPGGA") }).split(
      separator: ",", omittingEmptySubsequences: false)
    #expect(Int(gga[7]) == count)
    let gsa = try #require(lines.first { $0.hasPrefix("$GPGSA") }).split(
      separator: ",", omittingEmptySubsequences: false)
    #expect(gsa[3..<15].filter { !$0.isEmpty }.compactMap { Int($0) } == Array(1...count))
    let gsv = lines.filter { $0.hasPrefix("$GPGSV") }
    #expect(gsv.count == parts)
    var numbers: [Int] = []
    for (index, line) in gsv.enumerated() {
      let fields = line.prefix { $0 != "*" }.split(separator: ",").map(String.init)
      #expect(fields[1...3] == ["\(parts)", "\(index + 1)", count < 10 ? "0\(count)" : "\(count)"])
      for start in stride(from: 4, to: fields.count, by: 4) {
        numbers.append(try #require(Int(fields[start])))
        #expect((0...90).contains(try #require(Int(fields[start + 1]))))
        #expect((0..<360).contains(try #require(Int(fields[start + 2]))))
        #expect((1...99).contains(try #require(Int(fields[start + 3]))))
      }
    }
    #expect(numbers == Array(1...count))
    #expect(lines.allSatisfy { $0.utf8.count <= 80 })
  }

  @Test func withoutAPositionNoSatelliteIsInView() {
    let lines = sentences { $0.appendLoss(at: nil, to: &$1) }
    #expect(lines.contains("$GPGSV,1,1,00*79"))
  }

  @Test func aFileHasNoSatellites() {
    let lines = sentences({ $0.append(fix(accuracy: 3), to: &$1) }, hasSatellites: false)
    #expect(!lines.contains { $0.hasPrefix("$GPGSV") })
  }
}
