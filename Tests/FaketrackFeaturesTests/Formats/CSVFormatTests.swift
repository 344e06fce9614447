import FaketrackTestSupport
import Foundation
import PhotoSearch
import Testing

@testable import FaketrackFeatures

@Suite struct CSVFormatTests {
  @Test func hasAColumnForEachLeafOfTheRecord() throws {
    let rows = try Self.rows(of: [try Visits.full(3)])
    let record = Dictionary(uniqueKeysWithValues: zip(rows[0], rows[1]))
    #expect(rows[0].count == rows[1].count)
    #expect(rows[0].first == "index")
    #expect(rows[0].last == "error")
    #expect(record["index"] == "3")
    #expect(record["time"] == "2026-05-01T08:03:45Z")
    #expect(record["city_name"] == "Potsdam")
    #expect(record["city_distance"] == "312.41")
    #expect(record["photo_url"] == "https://image.example/17.jpg")
    #expect(record["photo_distance"] == "0.0")
    #expect(record["error"]?.isEmpty == true)
  }

  @Test func theCellsAreTheLeavesOfTheRecordInTheirOrder() throws {
    var full = try Visits.full(7)
    full.fix.horizontalAccuracy = 4.5
    full.photo?.taken = PhotoDate("2013-05-04")
    for visit in [full, try Visits.bare()] {
      var record = Output.text(.ndjson, [visit])[...]
      let leaves = Self.leaves(of: &record)
      let rows = try Self.rows(of: [visit])
      if visit.photo != nil {
        // The table of the reference names the keys and the columns, in their order.
        #expect(leaves.map(\.name) == RecordField.all.map(\.path))
        #expect(rows[0] == RecordField.all.map(\.column))
      }
      for (name, value) in leaves where value != "null" {
        let column = try #require(RecordField.all.firstIndex { $0.path == name })
        #expect(rows[1][column] == value)
      }
      #expect(rows[1].count { !$0.isEmpty } == leaves.count { $0.value != "null" })
    }
  }

  /// The leaves of a JSON object with their values, named by the path to them; there are no arrays,
  /// and no commas or quotes in strings.
  private static func leaves(of object: inout Substring) -> [(name: String, value: String)] {
    var leaves: [(name: String, value: String)] = []
    while object.first == "{" || object.first == "," {
      let name = String(object.dropFirst(2).prefix { $0 != "\"" })
      object = object.dropFirst(name.count + 4)
      if object.first == "{" {
        leaves += Self.leaves(of: &object).map { ("\(name).\($0.name)", $0.value) }
      } else {
        let value = object.prefix { $0 != "," && $0 != "}" }
        object = object.dropFirst(value.count)
        leaves.append((name, value.filter { $0 != "\"" }))
      }
    }
    object = object.dropFirst()
    return leaves
  }

  @Test func theReferenceHasALineForEachFieldAndFitsATerminal() {
    let text = FormatReference.text(of: OutputFormat.plain)
    let lines = text.split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= 79 })
    let names = lines.map { $0.dropFirst(2).prefix { $0 != " " } }
    for field in RecordField.all { #expect(names.count { $0 == field.path } == 1) }
    for format in OutputFormat.plain { #expect(names.contains { $0 == format.name }) }
    for change in WalkEvent.Change.allCases {
      #expect(text.contains(change.rawValue))
    }
  }

  @Test func whatIsNotKnownIsEmpty() throws {
    let rows = try Self.rows(of: [try Visits.bare()])
    let filled = zip(rows[0], rows[1]).filter { !$1.isEmpty }.map(\.0)
    #expect(filled == ["index", "latitude", "longitude", "interpolated"])
  }

  @Test(arguments: [
    "a, b", "say \"cheese\"", "\"", " leading", "trailing ", "a\"\"b,,", "東京", "=1+1", "'", "",
    "a quote\"\u{35D} under a bow", "\"\u{301}", ",\u{301}", " \u{301}",
  ])
  func textComesBackUnchanged(title: String) throws {
    let rows = try Self.rows(of: [try Visits.full(title: title)])
    let column = try #require(rows[0].firstIndex(of: "photo_title"))
    #expect(rows[1][column] == title)
  }

  @Test func lineBreaksInTextBecomeSpaces() throws {
    let rows = try Self.rows(of: [try Visits.full(title: "two\r\nlines")])
    #expect(rows.count == 2)
    #expect(rows[1].contains("two  lines"))
  }

  @Test func everyLineEndsAsLinesOfAPipeDo() throws {
    let text = Output.csv([try Visits.full()])
    #expect(text.utf8.count { $0 == 0x0A } == 2)
    #expect(!text.utf8.contains(0x0D))
    #expect(text.utf8.last == 0x0A)
  }

  @Test func isTheTableWordForWord() throws {
    var lost = try Visits.bare(2)
    lost.error = "Flickr answered HTTP 502, \"bad\" gateway"
    #expect(
      Output.csv([try Visits.full(1), lost, try Visits.hostile()]) == """
        index,time,latitude,longitude,elevation,distance,elapsed,speed,course,\
        horizontal_accuracy,interpolated,city_id,city_name,\
        city_country,city_region,city_population,city_distance,photo_id,photo_title,photo_owner,\
        photo_license,photo_url,photo_page,photo_latitude,photo_longitude,photo_distance,\
        photo_taken,photo_placed_by,photo_source,error
        1,2026-05-01T08:01:15Z,52.4009,13.0591,35.2,100.0,75.0,1.31,87.2,,false,2852458,Potsdam,DE,,,312.41,17,\
        Bridge,Ada,CC BY 2.0,https://image.example/17.jpg,https://page.example/17,52.4009,13.0591,\
        0.0,,,commons,
        2,,52.4009,13.0591,,,,,,,false,,,,,,,,,,,,,,,,,,,"Flickr answered HTTP 502, ""bad"" gateway"
        3,,52.4009,13.0591,,,,,,,false,2852458,"Pots [2J,dam",DE,,,1.0,17," ]0;""title"" ",Ada  <b>,\
        CC BY 2.0,https://image.example/17.jpg,https://page.example/17,,,,,,commons,

        """)
  }

  private static func rows(of visits: [Visit]) throws -> [[String]] {
    try RFC4180.rows(of: Output.csv(visits))
  }
}

@Suite struct PhotoCreditsTests {
  @Test func aLineCreditsAPhoto() throws {
    #expect(
      PhotoCredits.header
        == "file,place,latitude,longitude,title,author,license,license_url,page\n")
    var visit = try Visits.full(7, title: "Bridge, at night", owner: "Änne \"A\" M.")
    visit.photo?.license?.url = URL(string: "https://license.example/by/2.0")
    #expect(
      PhotoCredits.line(for: visit, file: "0007-17.jpg")
        == "0007-17.jpg,Potsdam,52.4009,13.0591,\"Bridge, at night\",\"Änne \"\"A\"\" M.\","
        + "CC BY 2.0,https://license.example/by/2.0,https://page.example/17\n")
  }

  @Test func aPhotoWithoutAPositionIsCreditedWhereTheVisitWas() throws {
    var visit = try Visits.bare(at: -33.5, 151.25)
    visit.photo = Visits.photo()
    visit.photo?.license = nil
    visit.photo?.pageURL = nil
    #expect(
      PhotoCredits.line(for: visit, file: "0000-17.jpg")
        == "0000-17.jpg,,-33.5,151.25,Bridge,Ada,,,\n")
  }

  @Test func aHostileTitleStaysInItsCell() throws {
    let title = "One\n0001-2.jpg,\"two\"\r\nthree\u{202E}"
    let line = PhotoCredits.line(for: try Visits.full(title: title), file: "0000-1.jpg")
    let rows = try RFC4180.rows(of: PhotoCredits.header + line)
    #expect(rows.count == 2)
    #expect(rows[0].count == rows[1].count)
    #expect(rows[1][4] == "One 0001-2.jpg,\"two\"  three")
  }
}

/// Parses CSV strictly by RFC 4180, except for line endings.
enum RFC4180 {
  struct Broken: Error {}

  static func rows(of text: String) throws -> [[String]] {
    var rows: [[String]] = []
    var row: [String] = []
    var scalars = Array(text.unicodeScalars)[...]
    while !scalars.isEmpty {
      var cell = String.UnicodeScalarView()
      if scalars.first == "\"" {
        scalars.removeFirst()
        while true {
          guard let next = scalars.popFirst() else { throw Broken() }
          if next != "\"" {
            cell.append(next)
          } else if scalars.first == "\"" {
            cell.append(scalars.removeFirst())
          } else {
            break
          }
        }
      } else {
        while let next = scalars.first, next != ",", next != "\n" {
          if next == "\"" || next == "\r" { throw Broken() }
          cell.append(scalars.removeFirst())
        }
      }
      row.append(String(cell))
      switch scalars.popFirst() {
      case ",": continue
      case "\n":
        rows.append(row)
        row = []
      default: throw Broken()
      }
    }
    return rows
  }
}
