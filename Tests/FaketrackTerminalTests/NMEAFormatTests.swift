import FaketrackFeatures
import FaketrackTerminal
import Foundation
import Geodesy
import Testing

@Suite struct NMEAFormatTests {
  @Test func aVisitIsTheTwoSentencesOfAReceiver() throws {
    #expect(
      NMEAFormat().text(for: try Visits.full(1)) == """
        $GPRMC,080115.00,A,5224.05400,N,01303.54600,E,2.55,87.2,010526,,,A*5A\r
        $GPGGA,080115.00,5224.05400,N,01303.54600,E,1,08,1.0,35.2,M,,M,,*44\r

        """)
  }

  @Test func whatIsNotKnownIsEmpty() throws {
    let lines = NMEAFormat().text(for: try Visits.bare(at: -33.5, -70.25)).split(separator: "\r\n")
    #expect(lines.first?.hasPrefix("$GPRMC,,A,3330.00000,S,07015.00000,W,,,,,,A*") == true)
    #expect(lines.last?.hasPrefix("$GPGGA,,3330.00000,S,07015.00000,W,1,08,1.0,,M,,M,,*") == true)
  }

  @Test(arguments: [
    (0.0, 0.0, "0000.00000,N,00000.00000,E"),
    (90, 180, "9000.00000,N,18000.00000,E"),
    (-90, -180, "9000.00000,S,18000.00000,W"),
    (52.999_999_99, 12.999_999_99, "5300.00000,N,01300.00000,E"),
    (-0.000_001, -0.000_001, "0000.00006,S,00000.00006,W"),
    (9.5, 9.016_666_666_666_667, "0930.00000,N,00901.00000,E"),
  ])
  func writesDegreesAndMinutes(latitude: Double, longitude: Double, text: String) throws {
    #expect(NMEAFormat().text(for: try Visits.bare(at: latitude, longitude)).contains(text))
  }

  @Test func everySentenceHasTheSumOfItsBytesAndFitsItsLength() throws {
    for step in 0..<200 {
      var visit = try Visits.bare(at: Double(step) * 0.899 - 89.9, Double(step) * 1.799 - 179.9)
      visit.fix.time = Visits.start.addingTimeInterval(Double(step) * 12_345.678)
      visit.fix.speed = Double(step) / 7
      visit.fix.course = Double(step) * 1.8
      visit.fix.elevation = Double(step) * 44 - 400
      for sentence in NMEAFormat().text(for: visit).components(separatedBy: "\r\n").dropLast() {
        #expect(sentence.utf8.count <= 80)
        let parts = sentence.dropFirst().split(separator: "*")
        try #require(parts.count == 2)
        var sum: UInt8 = 0
        for byte in parts[0].utf8 { sum ^= byte }
        #expect(UInt8(parts[1], radix: 16) == sum)
        #expect(parts[1].count == 2)
      }
    }
  }

  @Test(arguments: [
    (0.0, "080000.00", "010526"), (0.25, "080000.25", "010526"), (0.999, "080001.00", "010526"),
    (57_599.999, "000000.00", "020526"), (-28_800, "000000.00", "010526"),
  ])
  func writesHundredthsOfASecond(offset: Double, time: String, date: String) throws {
    var visit = try Visits.bare()
    visit.fix.time = Visits.start.addingTimeInterval(offset)
    let text = NMEAFormat().text(for: visit)
    #expect(text.hasPrefix("$GPRMC,\(time),A,"))
    #expect(text.contains(",\(date),,,A*"))
  }

  @Test func aCourseStaysBelowAFullTurn() throws {
    var visit = try Visits.bare()
    visit.fix.course = 359.97
    #expect(NMEAFormat().text(for: visit).contains(",E,,0.0,"))
  }
}
