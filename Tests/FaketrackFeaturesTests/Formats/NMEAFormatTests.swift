import FaketrackSupport
import FaketrackTestSupport
import Foundation
import Testing

@testable import FaketrackFeatures

@Suite struct NMEAFormatTests {
  @Test func aVisitIsTheSentencesOfAReceiver() throws {
    #expect(
      Output.text(.nmea, [try Visits.full(1)]) == """
        $GPRMC,080115.00,A,5224.05400,N,01303.54600,E,2.55,87.2,010526,,,A*5A\r
        $GPVTG,87.2,T,,M,2.55,N,4.72,K,A*33\r
        $GPGSA,A,3,,,,,,,,,,,,,,,*1C\r
        $GPGGA,080115.00,5224.05400,N,01303.54600,E,1,04,,35.2,M,,M,,*67\r

        """)
  }

  @Test func withoutASignalThereIsATimeAndNoPosition() {
    var renderer = OutputFormat.nmea.renderer(nil)
    var text = TextBuffer()
    for change in WalkEvent.Change.allCases {
      renderer.append(WalkEvent(change: change, time: Visits.start, distance: 7), to: &text)
    }
    #expect(
      text.string.split(separator: "\r\n") == [
        "$GPRMC,080000.00,V,,,,,,,010526,,,N*75", "$GPVTG,,T,,M,,N,,K,N*2C",
        "$GPGSA,A,1,,,,,,,,,,,,,,,*1E", "$GPGGA,080000.00,,,,,0,00,,,M,,M,,*40",
      ])
    #expect(OutputFormat.nmea.repeatsLoss)
  }

  @Test func theAccuracyIsASentenceAndADilutionOfPrecision() throws {
    var visit = try Visits.full(1)
    visit.fix.horizontalAccuracy = 15.096
    let sentences = Output.text(.nmea, [visit]).split(separator: "\r\n")
    #expect(sentences.contains("$GPGST,080115.00,,,,,10.00,10.00,*74"))
    #expect(sentences[2] == "$GPGSA,A,3,,,,,,,,,,,,,,3.0,*31")
    #expect(sentences.last?.contains(",1,09,3.0,35.2,M,,M,,*") == true)
  }

  @Test(arguments: [
    (0.0, "12,0.5"), (3.9, "12,0.8"), (4, "11,0.8"), (10, "10,2.0"), (30, "05,6.0"),
    (33, "04,6.6"), (1e9, "04,99.9"),
  ])
  func noiseTakesSatellites(accuracy: Double, fields: String) throws {
    var visit = try Visits.full(1)
    visit.fix.horizontalAccuracy = accuracy
    #expect(Output.text(.nmea, [visit]).contains(",1,\(fields),35.2,"))
  }

  @Test func theTimeNeverDescends() throws {
    let visits = try [10.0, 5, nil, 11].enumerated().map { index, offset in
      var visit = try Visits.bare(index)
      visit.fix.time = offset.map { Visits.start.addingTimeInterval($0) }
      return visit
    }
    let sentences = Output.text(.nmea, visits).split(separator: "\r\n")
    #expect(
      sentences.filter { $0.hasPrefix("$GPRMC") || $0.hasPrefix("$GPGGA") }
        .map { $0.split(separator: ",")[1] }
        == ["10", "10", "10", "10", "10", "10", "11", "11"].map { "0800\($0).00" })
  }

  @Test func whatIsNotKnownIsEmpty() throws {
    let lines = Output.text(.nmea, [try Visits.bare(at: -33.5, -70.25)]).split(separator: "\r\n")
    #expect(lines.first?.hasPrefix("$GPRMC,,A,3330.00000,S,07015.00000,W,,,,,,A*") == true)
    #expect(lines.last?.hasPrefix("$GPGGA,,3330.00000,S,07015.00000,W,1,03,,,M,,M,,*") == true)
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
    #expect(Output.text(.nmea, [try Visits.bare(at: latitude, longitude)]).contains(text))
  }

  @Test func everySentenceHasTheSumOfItsBytesAndFitsItsLength() throws {
    for step in 0..<200 {
      var visit = try Visits.bare(at: Double(step) * 0.899 - 89.9, Double(step) * 1.799 - 179.9)
      visit.fix.time = Visits.start.addingTimeInterval(Double(step) * 12_345.678)
      visit.fix.speed = Double(step) / 7
      visit.fix.course = Double(step) * 1.8
      visit.fix.elevation = Double(step) * 44 - 400
      for sentence in Output.text(.nmea, [visit]).components(separatedBy: "\r\n").dropLast() {
        #expect(sentence.utf8.count <= 80)
        let parts = sentence.dropFirst().split(separator: "*")
        try #require(parts.count == 2)
        #expect(UInt8(parts[1], radix: 16) == Self.checksum(parts[0]))
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
    let text = Output.text(.nmea, [visit])
    #expect(text.hasPrefix("$GPRMC,\(time),A,"))
    #expect(text.contains(",\(date),,,A*"))
  }

  @Test func aCourseStaysBelowAFullTurn() throws {
    var visit = try Visits.bare()
    visit.fix.course = 359.97
    #expect(Output.text(.nmea, [visit]).contains(",E,,0.0,"))
  }

  /// Sentences whose sums receivers have printed, so that the sum of the tests is right as well.
  @Test(
    arguments: [
      ("GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,", 0x47),
      ("GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230394,003.1,W", 0x6A),
    ] as [(String, UInt8)])
  func theSumIsThatOfTheStandard(body: String, sum: UInt8) {
    #expect(Self.checksum(body[...]) == sum)
    #expect(sentence(body) == "$\(body)*\(String(sum, radix: 16, uppercase: true))\r\n")
  }

  @Test func aSmallSumHasTwoDigits() {
    #expect(sentence("AB") == "$AB*03\r\n")
    #expect(sentence("") == "$*00\r\n")
  }

  private func sentence(_ body: String) -> String {
    var text = TextBuffer()
    text.appendSentence { $0.append(contentsOf: body) }
    return text.string
  }

  @Test func isAFixEverySecondWithoutPhotos() {
    #expect(!OutputFormat.nmea.showsPhotos)
    #expect(OutputFormat.nmea.distanceFilter == 0)
    #expect(OutputFormat.nmea.interval == 1)
  }

  @Test func aTimeThatIsNoneIsEmpty() throws {
    var visit = try Visits.bare()
    visit.fix.time = Date(timeIntervalSinceReferenceDate: .infinity)
    #expect(Output.text(.nmea, [visit]).hasPrefix("$GPRMC,,A,"))
  }

  @Test func aTimeBeforeTheReferenceDateCountsBackward() throws {
    var visit = try Visits.bare()
    // 31 December 2000, 23:59:59.5 UTC.
    visit.fix.time = Date(timeIntervalSinceReferenceDate: -0.5)
    let text = Output.text(.nmea, [visit])
    #expect(text.hasPrefix("$GPRMC,235959.50,A,"))
    #expect(text.contains(",311200,,,A*"))
  }

  /// The exclusive or of all bits, bit by bit.
  private static func checksum(_ body: Substring) -> UInt8 {
    (0..<8).reduce(UInt8(0)) { sum, bit in
      let ones = body.utf8.count { $0 & (1 << bit) != 0 }
      return ones.isMultiple(of: 2) ? sum : sum | 1 << bit
    }
  }

  @Test(arguments: [1e300, -.greatestFiniteMagnitude, .infinity, 1e6])
  func valuesThatNoReceiverHasAreEmptyFields(number: Double) throws {
    var visit = try Visits.full(1)
    (visit.fix.elevation, visit.fix.speed, visit.fix.horizontalAccuracy) = (
      number, number, .infinity
    )
    #expect(
      Output.text(.nmea, [visit]) == """
        $GPRMC,080115.00,A,5224.05400,N,01303.54600,E,,87.2,010526,,,A*46\r
        $GPVTG,87.2,T,,M,,N,,K,A*30\r
        $GPGSA,A,2,,,,,,,,,,,,,,,*1D\r
        $GPGGA,080115.00,5224.05400,N,01303.54600,E,1,03,,,M,,M,,*7A\r

        """)
  }
}
