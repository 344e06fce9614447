import Cities
import FaketrackFeatures
import FaketrackTerminal
import FaketrackTestSupport
import Foundation
import Testing

@Suite struct ListFormatTests {
  @Test func isALineForReading() throws {
    var format = OutputFormat.list(TerminalStyle()).renderer(nil)
    #expect(
      format.text(for: try Visits.full(12))
        == "  1.2 km  10:15 CEST  Potsdam       https://image.example/17.jpg  © Ada, CC BY 2.0\n")
  }

  @Test func isTheListWordForWord() throws {
    var lost = try Visits.bare(2)
    lost.error = "Flickr answered HTTP 502"
    let spaces = String(repeating: " ", count: 12)
    #expect(
      Output.text(.list(TerminalStyle()), [try Visits.full(1), lost, try Visits.hostile()])
        == "  0.1 km  10:01 CEST  Potsdam       https://image.example/17.jpg  © Ada, CC BY 2.0\n"
        + "        " + spaces + "  " + String(repeating: " ", count: 12)
        + "  Flickr answered HTTP 502\n"
        + "        " + spaces + "  Pots [2J,dam  https://image.example/17.jpg"
        + "  © Ada  <b>, CC BY 2.0\n")
  }

  @Test func saysWhyThereIsNoPhoto() throws {
    var format = OutputFormat.list(TerminalStyle()).renderer(nil)
    var visit = try Visits.full()
    visit.photo = nil
    #expect(format.text(for: visit).hasSuffix("  no photo\n"))
    visit.error = "Flickr: HTTP 502"
    #expect(format.text(for: visit).hasSuffix("  Flickr: HTTP 502\n"))
  }

  @Test func columnsAlignWhateverIsKnown() throws {
    var format = OutputFormat.list(TerminalStyle()).renderer(nil)
    var foreign = try Visits.full(99)
    foreign.city = NearbyCity(city: try Visits.potsdam(named: "東京"), distance: 5)
    var bare = try Visits.bare()
    bare.photo = Visits.photo()
    let columns = [try Visits.full(1), foreign, bare].map { visit in
      let line = format.text(for: visit)
      return line.range(of: "https://").map { String(line[..<$0.lowerBound]).columns }
    }
    #expect(columns == [36, 36, 36])
  }

  @Test(arguments: [
    (Clocks.local, "Europe/Berlin" as String?, "10:00 CEST"),
    (.local, "Asia/Kathmandu", "13:45 GMT+5:45"), (.local, nil, "08:00 UTC "),
    (.utc, "Europe/Berlin", "08:00 UTC "),
  ])
  func timesAreThoseOfTheCityOrUTC(clocks: Clocks, zone: String?, time: String) throws {
    var format = OutputFormat.list(TerminalStyle(clocks: clocks)).renderer(nil)
    var visit = try Visits.full()
    var city = try Visits.potsdam()
    city.timezone = zone
    visit.city = NearbyCity(city: city, distance: 5)
    #expect(format.text(for: visit).hasPrefix("  0.0 km  \(time)  Potsdam  "))
    visit.city = nil
    let filling = String(repeating: " ", count: time.count - 9)
    #expect(format.text(for: visit).hasPrefix("  0.0 km  08:00 UTC\(filling)   "))
  }

  @Test func theDateStandsWhereItChangesAndAFarZoneIsMarked() throws {
    var format = OutputFormat.list(TerminalStyle()).renderer(nil)
    let lines = try [0.0, 60, 57_600, 57_660].map { seconds in
      var visit = try Visits.bare()
      visit.fix.time = Visits.start.addingTimeInterval(seconds)
      visit.otherCity = try Visits.potsdam()
      return format.text(for: visit).dropFirst(10).replacing(#/ +no photo\n/#, with: "")
    }
    #expect(
      lines == [
        "10:00 ~CEST", "10:01 ~CEST", "2026-05-02 02:00 ~CEST", "           02:01 ~CEST",
      ])
  }

  @Test func aLongNameWidensTheColumnUpToALimit() throws {
    var format = OutputFormat.list(TerminalStyle()).renderer(nil)
    var visit = try Visits.full()
    let name = "Llanfairpwllgwyngyllgogerychwyrndrobwll"
    visit.city = NearbyCity(city: try Visits.potsdam(named: name), distance: 5)
    #expect(format.text(for: visit).contains("  Llanfairpwllgwyngyllgog…  https://"))
    #expect(
      format.text(for: try Visits.full()).contains("  Potsdam                   https://"))
  }

  @Test(arguments: [40, 60, 81, 82])
  func fitsTheTerminalWithItsAddressesWhole(width: Int) throws {
    var format = OutputFormat.list(TerminalStyle(width: width)).renderer(nil)
    var failed = try Visits.bare()
    failed.error = "Wikimedia Commons cannot be reached: the connection was refused (4 attempts)"
    for visit in [try Visits.full(12), failed, try Visits.bare()] {
      let lines = format.text(for: visit).split(separator: "\n")
      #expect(lines.allSatisfy { String($0).columns <= width }, "\(lines)")
      if let url = visit.photo?.imageURL {
        #expect(lines.contains { $0.hasSuffix(url.absoluteString) || $0.contains("\(url)  ") })
      }
    }
    #expect(
      format.text(for: try Visits.full(12)).split(separator: "\n").count == (width < 82 ? 2 : 1))
  }

  @Test func colorsAreOnlyForTerminals() throws {
    var plain = OutputFormat.list(TerminalStyle()).renderer(nil)
    var colored = OutputFormat.list(TerminalStyle(hasColor: true)).renderer(nil)
    let visit = try Visits.full()
    let text = colored.text(for: visit)
    #expect(text.contains("\u{1B}[36mPotsdam     \u{1B}[0m"))
    #expect(text.replacing(#/\u{1B}\[\d+m/#, with: "") == plain.text(for: visit))
  }

  @Test func namesCannotSteerTheTerminal() throws {
    var format = OutputFormat.list(TerminalStyle()).renderer(nil)
    var visit = try Visits.full(owner: "\u{1B}[2J\u{202E}Ada\n")
    visit.city = NearbyCity(city: try Visits.potsdam(named: "Pots\u{7}dam"), distance: 5)
    let line = format.text(for: visit)
    #expect(line.contains("Pots dam"))
    #expect(line.hasSuffix("©  [2JAda , CC BY 2.0\n"))
  }
}

@Suite struct TextFormatTests {
  @Test func isTheAddressAndNothingElse() throws {
    #expect(Output.text(.text, [try Visits.full()]) == "https://image.example/17.jpg\n")
    #expect(Output.text(.text, []).isEmpty)
  }

  @Test func aLocationWithoutAPhotoPrintsNothing() throws {
    var visit = try Visits.bare()
    #expect(Output.text(.text, [visit]).isEmpty)
    visit.error = "Flickr: HTTP 502"
    #expect(Output.text(.text, [visit]).isEmpty)
  }

  @Test func aPhotoThatWasDownloadedIsItsPath() throws {
    var visit = try Visits.full()
    visit.file = "photos/0000-17.jpg"
    #expect(Output.text(.text, [visit]) == "photos/0000-17.jpg\n")
    visit.file = "pho\u{1B}[2Jtos/\n.jpg"
    #expect(Output.text(.text, [visit]) == "pho [2Jtos/ .jpg\n")
  }

  @Test func aPhotoThatCouldNotBeDownloadedPrintsNothing() throws {
    var visit = try Visits.full()
    visit.error = "the photo's server answered HTTP 404"
    #expect(Output.text(.text, [visit]).isEmpty)
  }
}
