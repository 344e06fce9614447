import Foundation
import Geodesy
import Receivers
import Testing

@Suite struct NMEAReaderTests {
  private func position(_ lines: String...) -> Fix? {
    var reader = NMEAReader()
    var found: Fix?
    for line in lines {
      if case .fix(let fix) = reader.read(Array(line.utf8)) { found = fix }
    }
    return found
  }

  @Test func readsPositionTimeAndSpeed() throws {
    let fix = try #require(
      position(
        "$GPGGA,080005.25,5224.0540,N,01303.5460,E,1,08,0.9,35.2,M,,M,,*4B",
        "$GPGST,080005.25,,,,,3.0,4.0,5.0*5F",
        "$GPRMC,080005.25,A,5224.0540,N,01303.5460,W,010.0,084.4,010526,003.1,W\r"))
    #expect(abs(fix.coordinate.latitude - 52.4009) < 1e-9)
    #expect(abs(fix.coordinate.longitude + 13.0591) < 1e-9)
    #expect(fix.time == Date(timeIntervalSince1970: 1_777_622_405.25))
    #expect(abs(try #require(fix.speed) - 5.144) < 0.001 && fix.course == 84.4)
    #expect(fix.horizontalAccuracy == 5)
  }

  @Test(arguments: [
    "$GPRMC,080005,A,5224.0540,N,01303.5460,E,,,010526,,*00", "$GPRMC,080005", "nonsense", "",
    "$GPGSV,3,1,11,03,03,111,00", "$,,,,,,,,,,,,,,",
  ])
  func leavesOutOtherSentences(line: String) {
    var reader = NMEAReader()
    #expect(reader.read(Array(line.utf8)) == nil)
  }

  @Test(arguments: ["1e0030", "999999", "080060", "infinity", "nan", "0800", "", "٠٨٠٠٠٥"])
  func aTimeThatIsNoneIsLeftOut(time: String) throws {
    let fix = try #require(position("$GPRMC,\(time),A,5224.0540,N,01303.5460,E,,,010526,,"))
    #expect(fix.time == nil)
  }

  @Test(arguments: ["310226", "000526", "011326", "99", String(repeating: "9", count: 40)])
  func aDateThatIsNoneIsLeftOut(date: String) throws {
    let fix = try #require(position("$GPRMC,080005,A,5224.0540,N,01303.5460,E,,,\(date),,"))
    #expect(fix.time == nil)
  }

  @Test(arguments: [
    "$GPRMC,080005,V,,,,,,,010526,,", "$GPRMC,080005,A,9224.0540,N,01303.5460,E,,,010526,,",
    "$GPRMC,080005,A,5224.0540,X,01303.5460,E,,,010526,,",
  ])
  func tellsThatThereIsNoFix(line: String) {
    var reader = NMEAReader()
    #expect(reader.read(Array(line.utf8)) == .noFix)
  }
}
