import FaketrackFeatures
import FaketrackSupport
import FaketrackTestSupport
import Foundation
import Geodesy
import PhotoSearch
import Testing

@Suite struct NDJSONFormatTests {
  @Test func isTheRecordOfTheContract() throws {
    var visit = try Visits.full(1)
    visit.fix.horizontalAccuracy = 4.5
    visit.fix.isInterpolated = true
    visit.photo?.taken = PhotoDate("2013-05-04 10:02:11")
    let line = Output.text(.ndjson, [visit])
    #expect(
      line == """
        {"index":1,"time":"2026-05-01T08:01:15Z","latitude":52.4009,"longitude":13.0591,\
        "elevation":35.2,"distance":100.0,"elapsed":75.0,"speed":1.31,"course":87.2,"horizontalAccuracy":4.5,\
        "interpolated":true,\
        "city":{"id":2852458,"name":"Potsdam","country":"DE","region":null,\
        "population":null,"distance":312.41},\
        "photo":{"id":"17","title":"Bridge","owner":"Ada","license":"CC BY 2.0",\
        "url":"https://image.example/17.jpg","page":"https://page.example/17",\
        "latitude":52.4009,"longitude":13.0591,"distance":0.0,"taken":"2013-05-04T10:02:11",\
        "placedBy":null,"source":"commons"},"error":null}

        """)
  }

  @Test func everyKeyIsThereWhateverIsKnown() throws {
    let bare = Output.text(.ndjson, [try Visits.bare(4)])
    #expect(
      bare == """
        {"index":4,"time":null,"latitude":52.4009,"longitude":13.0591,"elevation":null,\
        "distance":null,"elapsed":null,"speed":null,"course":null,"horizontalAccuracy":null,\
        "interpolated":false,"city":null,"photo":null,"error":null}

        """)
  }

  @Test(arguments: [(nil, #"{"event":"#), ("a", #"{"track":"a","event":"#)])
  func aChangeIsARecord(track: String?, opening: String) {
    var renderer = OutputFormat.ndjson.renderer(track)
    var text = TextBuffer()
    for change in WalkEvent.Change.allCases {
      renderer.append(WalkEvent(change: change, time: Visits.start, distance: 12), to: &text)
    }
    renderer.append(WalkEvent(change: .denied), to: &text)
    let place = #""time":"2026-05-01T08:00:00Z","distance":12.0}"#
    let names = [
      "authorized", "denied", "restricted", "not-determined", "signal-lost", "signal-restored",
    ]
    #expect(
      text.string.split(separator: "\n").map(String.init)
        == names.map { "\(opening)\"\($0)\",\(place)" }
        + [opening + #""denied","time":null,"distance":null}"#])
  }

  @Test func aPhotoWithoutAPositionHasNoDistance() throws {
    var visit = try Visits.bare()
    visit.photo = Visits.photo()
    let line = Output.text(.ndjson, [visit])
    #expect(line.contains(#""latitude":null,"longitude":null,"distance":null,"taken":null,"#))
  }

  @Test func aFailedSearchTellsItsReason() throws {
    var visit = try Visits.bare()
    visit.error = "Flickr: HTTP 502\nafter 4 tries"
    let line = Output.text(.ndjson, [visit])
    #expect(line.hasSuffix(#""photo":null,"error":"Flickr: HTTP 502\nafter 4 tries"}"# + "\n"))
  }

  @Test func isOneLineWhateverTheTextHolds() throws {
    let visit = try Visits.full(title: "a\nb\r\u{85}\u{2028}\u{1B}[2J", owner: "\u{202E}x")
    let line = Output.text(.ndjson, [visit])
    #expect(line.unicodeScalars.filter { $0.properties.isWhitespace && $0 != " " } == ["\n"])
    #expect(!line.unicodeScalars.dropLast().contains { $0.properties.generalCategory == .control })
    let read = try #require(
      JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    let photo = try #require(read["photo"] as? [String: Any])
    #expect(photo["title"] as? String == "a\nb\r\u{85}\u{2028}\u{1B}[2J")
  }

  @Test(arguments: [(359.996, "0.0"), (359.99, "359.99"), (0, "0.0"), (87.125, "87.13")])
  func aCourseStaysBelowAFullTurn(course: Double, text: String) throws {
    var visit = try Visits.bare()
    visit.fix.course = course
    #expect(Output.text(.ndjson, [visit]).contains("\"course\":\(text),"))
  }

  @Test func isALineForEachVisit() throws {
    let lines = Output.text(.ndjson, try (0..<5).map { try Visits.full($0) }).split(separator: "\n")
    let indices = try lines.map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return object?["index"] as? Int
    }
    #expect(indices == [0, 1, 2, 3, 4])
    #expect(Output.text(.ndjson, []).isEmpty)
  }

  @Test func metersAreRoundedToTheMillimeter() throws {
    var visit = try Visits.bare()
    visit.fix.distance = 1_234.567_89
    visit.fix.elapsed = .seconds(75.123_45)
    visit.fix.elevation = -0.000_4
    visit.fix.speed = .nan
    let line = Output.text(.ndjson, [visit])
    #expect(line.contains(#""elevation":-0.0,"distance":1234.568,"elapsed":75.123,"speed":null,"#))
  }
}
