import FaketrackTestSupport
import Foundation
import GPX
import Testing

@Suite struct ReplayTests {
  private static let walk = Repository.walk.path

  private static func replay(_ arguments: String...) async throws -> ExecutableRun {
    try await ExecutableRun.run(.init(["replay", walk, "--photos", "sample"] + arguments))
  }

  @Test func printsAPhotoAddressForEveryHundredMetresAndNothingElse() async throws {
    let run = try await Self.replay()
    #expect(run.code == 0)
    #expect((80...110).contains(run.lines.count))
    #expect(Set(run.lines).count == run.lines.count)
    for line in run.lines {
      let url = try #require(URL(string: line))
      #expect(url.scheme == "https")
      #expect(url.host?.hasSuffix(".example") == true)
    }
    #expect(run.output.hasSuffix("\n"))
    #expect(run.errorLines.first?.hasPrefix("photos: the built-in sample") == true)
    #expect(run.errorLines.contains("walking: tracks of \(Self.walk)"))
    #expect(run.errorLines.last?.hasPrefix("\(run.lines.count) locations, 9.4 km, ") == true)
  }

  @Test func theSeedMakesTheChoice() async throws {
    async let first = Self.replay("--seed", "7")
    async let again = Self.replay("--seed", "7")
    async let other = Self.replay("--seed", "8")
    let (one, two, three) = try await (first, again, other)
    #expect(one.output == two.output)
    #expect(one.lines.count == three.lines.count)
    #expect(one.output != three.output)
  }

  @Test(arguments: ["text", "list", "ndjson", "csv", "geojson", "gpx"])
  func theOutputIsTheSameAtAnyConcurrency(format: String) async throws {
    let one = try await Self.replay("--format", format, "--concurrency", "1")
    let eight = try await Self.replay("--format", format, "--concurrency", "8")
    #expect(one.code == 0)
    #expect(one.outputData == eight.outputData)
    #expect(!one.outputData.isEmpty)
  }

  @Test func everyFixIsDeliveredWithoutADistanceFilter() async throws {
    let run = try await ExecutableRun.run(
      "replay", Self.walk, "--photos", "none", "--distance-filter", "0", "--format", "ndjson")
    #expect(run.code == 0)
    #expect(run.lines.count == 7_201)
    let (first, last) = (try Record(run.lines.first), try Record(run.lines.last))
    #expect(first.time == "2026-05-01T08:00:00Z")
    #expect(last.time == "2026-05-01T10:00:00Z")
    #expect(last.index == 7_200)
  }

  @Test func recordsAreInOrderAndNoneIsLost() async throws {
    let records = try await Self.replay("--format", "ndjson").lines.map(Record.init)
    #expect(records.map(\.index) == Array(0..<records.count))
    #expect(zip(records, records.dropFirst()).allSatisfy { $0.distance < $1.distance })
    #expect(Set(records.map(\.photo?.id)).count == records.count)
    #expect(records.allSatisfy { $0.city?.name == "Potsdam" && $0.error == nil })
    #expect(records.first?.speed == nil)
    #expect(records.dropFirst().allSatisfy { (0...3).contains($0.speed ?? -1) })
    #expect(records.allSatisfy { ($0.photo?.distance ?? 1e9) <= 500 })
  }

  @Test func csvHasARowForEachRecord() async throws {
    let csv = try await Self.replay("--format", "csv")
    let records = try await Self.replay("--format", "ndjson").lines.map(Record.init)
    let rows = csv.output.components(separatedBy: "\n")
    #expect(rows.count == records.count + 2)
    #expect(rows.last?.isEmpty == true)
    #expect(rows.first?.hasPrefix("index,time,latitude,longitude,elevation,") == true)
    for (row, record) in zip(rows.dropFirst(), records) {
      #expect(row.hasPrefix("\(record.index),\(record.time ?? ""),"))
      #expect(row.contains(",\(record.photo?.url ?? "?"),"))
    }
  }

  @Test func geojsonIsACollectionOfTheLocations() async throws {
    let run = try await Self.replay("--format", "geojson")
    let collection = try #require(
      JSONSerialization.jsonObject(with: run.outputData) as? [String: Any])
    let features = try #require(collection["features"] as? [[String: Any]])
    #expect((80...110).contains(features.count))
    #expect(collection["type"] as? String == "FeatureCollection")
  }

  @Test func gpxIsATrackOfTheLocations() async throws {
    let run = try await Self.replay("--format", "gpx")
    let document = try GPXDocument(data: run.outputData, isStrict: true)
    #expect(document.tracks.count == 1)
    #expect((80...110).contains(document.fixes.count))
    #expect(document.fixes.allSatisfy { $0.time != nil && $0.elevation != nil })
  }

  @Test func nmeaIsAFixASecondWithoutPhotos() async throws {
    let run = try await ExecutableRun.run("replay", Self.walk, "--format", "nmea")
    #expect(run.code == 0)
    let sentences = run.output.components(separatedBy: "\r\n").dropLast()
    #expect(sentences.count == 2 * 7_201)
    #expect(sentences.first?.hasPrefix("$GPRMC,080000.00,A,5224.07") == true)
    #expect(sentences.last?.hasPrefix("$GPGGA,100000.00,") == true)
    #expect(!run.errors.contains("photos"))
  }

  @Test func nmeaKeepsToWhatItIsTold() async throws {
    let run = try await ExecutableRun.run(
      "replay", Self.walk, "--format", "nmea", "--interval", "60", "--distance-filter", "0")
    #expect(run.output.components(separatedBy: "\r\n").count == 2 * 121 + 1)
  }

  @Test func readsStandardInputAndGzip() async throws {
    let scratch = try Scratch()
    let bytes = try Data(contentsOf: Repository.walk)
    let plain = try await Self.replay()
    let piped = try await ExecutableRun.run("replay", "-", "--photos", "sample", input: bytes)
    #expect(piped.output == plain.output)
    #expect(piped.errors.contains("walking: tracks of standard input"))
    let packed = try await ExecutableRun.run(
      "replay", try scratch.file("walk.gpx.gz", bytes.gzipped), "--photos", "sample")
    #expect(packed.output == plain.output)
    let both = try await ExecutableRun.run(
      "replay", "-", "--photos", "sample", input: bytes.gzipped)
    #expect(both.output == plain.output)
  }

  @Test func standardInputCanBeWalkedSeveralTimes() async throws {
    let scratch = try Scratch()
    let file = try scratch.file("walk.gpx", Track.north(5))
    let arguments = ["--photos", "none", "--format", "ndjson", "--loop", "3"]
    let read = try await ExecutableRun.run(.init(["replay", file] + arguments))
    let piped = try await ExecutableRun.run(
      .init(["replay", "-"] + arguments, input: Data(Track.north(5).utf8)))
    #expect(read.code == 0)
    #expect(read.lines.count == 15)
    #expect(piped.code == 0)
    #expect(piped.output == read.output)
  }

  @Test func quietSaysNothingOfARunThatWentWell() async throws {
    let run = try await Self.replay("--quiet")
    #expect(run.errors.isEmpty)
    #expect((80...110).contains(run.lines.count))
  }

  @Test func timesThatAreMissingAreNotMadeUp() async throws {
    let scratch = try Scratch()
    let text = Track.north(4).replacing(#/<time>.*<\/time>/#, with: "")
    let run = try await ExecutableRun.run(
      "replay", try scratch.file("untimed.gpx", text), "--photos", "none", "--format", "ndjson")
    let records = try run.lines.map(Record.init)
    #expect(records.count == 4)
    #expect(records.allSatisfy { $0.time == nil && $0.speed == nil })
    #expect(run.errors.contains("note: 4 points without a time: walked to at 1.3 m/s"))
  }
}

/// What the tests look at in a line of ndjson.
struct Record: Decodable {
  struct City: Decodable {
    var name: String
  }
  struct Photo: Decodable {
    var id: String
    var url: String
    var distance: Double?
  }
  struct NoLine: Error {}

  var index: Int
  var time: String?
  var distance: Double
  var speed: Double?
  var city: City?
  var photo: Photo?
  var error: String?

  init(_ line: String?) throws {
    guard let line else { throw NoLine() }
    self = try JSONDecoder().decode(Record.self, from: Data(line.utf8))
  }
}
