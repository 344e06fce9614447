import Cities
import FaketrackFeatures
import FaketrackTerminal
import Geodesy
import PhotoSearch
import Testing

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

  @Test func theColumnsAreTheLeavesInTheirOrder() throws {
    var leaves: [String] = []
    func collect(_ value: JSONValue, _ prefix: String) {
      guard case .object(let members) = value else { return leaves.append(prefix) }
      for (key, member) in members {
        collect(member, prefix.isEmpty ? key : "\(prefix)_\(key)")
      }
    }
    collect(try Visits.full().json, "")
    #expect(try Self.rows(of: [])[0] == leaves)
  }

  @Test func whatIsNotKnownIsEmpty() throws {
    let rows = try Self.rows(of: [try Visits.bare()])
    let filled = zip(rows[0], rows[1]).filter { !$1.isEmpty }.map(\.0)
    #expect(filled == ["index", "latitude", "longitude"])
  }

  @Test(arguments: [
    "a, b", "say \"cheese\"", "\"", " leading", "trailing ", "a\"\"b,,", "東京", "=1+1", "'", "",
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
    let format = CSVFormat()
    let text = format.opening + format.text(for: try Visits.full()) + format.closing
    #expect(text.utf8.count { $0 == 0x0A } == 2)
    #expect(!text.utf8.contains(0x0D))
    #expect(text.utf8.last == 0x0A)
  }

  private static func rows(of visits: [Visit]) throws -> [[String]] {
    let format = CSVFormat()
    let text = format.opening + visits.map(format.text).joined() + format.closing
    return try RFC4180.rows(of: text)
  }
}

/// Reads CSV by the letter of RFC 4180, but for the ends of lines.
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
