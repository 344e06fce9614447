import FaketrackTestSupport
import Foundation
import GPX
import Testing

/// The formats of `replay`, byte for byte, for two locations, with photos and without.
@Suite struct ReplayFormatTests {
  struct Output: Sendable, CustomTestStringConvertible {
    let format: String
    let photos: String
    let text: String

    init(_ format: String, photos: String, _ text: String) {
      (self.format, self.photos, self.text) = (format, photos, text)
    }

    var testDescription: String { "\(format), photos: \(photos)" }
  }

  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
    try home.file("walk.gpx", Track.north(5))
  }

  private static let columns =
    "index,time,latitude,longitude,elevation,distance,elapsed,speed,course,horizontal_accuracy,"
    + "interpolated,city_id,city_name,city_country,city_region,city_population,city_distance,"
    + "photo_id,photo_title,photo_owner,photo_license,photo_url,photo_page,photo_latitude,"
    + "photo_longitude,photo_distance,photo_taken,photo_placed_by,photo_source,error\n"

  static let outputs = [
    Output(
      "text", photos: "sample",
      """
      https://photos.faketrack.example/s225441x188964_z.jpg
      https://photos.faketrack.example/s225443x188958_z.jpg

      """),
    Output("text", photos: "none", ""),
    Output(
      "list", photos: "sample",
      """
        0.0 km  10:00 CEST  Niedergörsdorf  https://photos.faketrack.example/s225441x188964_z.jpg  \
      © faketrack sample, CC0 1.0
        0.2 km  10:01 CEST  Niedergörsdorf  https://photos.faketrack.example/s225443x188958_z.jpg  \
      © faketrack sample, CC0 1.0

      """),
    Output(
      "list", photos: "none",
      """
        0.0 km  10:00 CEST  Niedergörsdorf  no photo
        0.2 km  10:01 CEST  Niedergörsdorf  no photo

      """),
    Output("ndjson", photos: "sample", first + "\n" + second + "\n"),
    Output(
      "ndjson", photos: "none",
      """
      {"index":0,"time":"2026-05-01T08:00:00Z","latitude":52.0,"longitude":13.0,\
      "elevation":null,"distance":0.0,"elapsed":0.0,"speed":null,"course":null,\
      "horizontalAccuracy":null,"interpolated":false,\
      "city":{"id":2863401,"name":"Niedergörsdorf","country":"DE","region":"Brandenburg",\
      "population":7197,"distance":2498.587},\
      "photo":null,"error":null}
      {"index":1,"time":"2026-05-01T08:01:00Z","latitude":52.00135,"longitude":13.0,\
      "elevation":null,"distance":150.211,"elapsed":60.0,"speed":2.504,"course":0.0,\
      "horizontalAccuracy":null,"interpolated":false,\
      "city":{"id":2863401,"name":"Niedergörsdorf","country":"DE","region":"Brandenburg",\
      "population":7197,"distance":2636.866},\
      "photo":null,"error":null}

      """),
    Output(
      "csv", photos: "sample",
      columns + """
        0,2026-05-01T08:00:00Z,52.0,13.0,,0.0,0.0,,,,false,2863401,Niedergörsdorf,DE,\
        Brandenburg,7197,2498.587,\
        s225441x188964,"Sample photo at 51.999954, 13.001314",faketrack sample,CC0 1.0,\
        https://photos.faketrack.example/s225441x188964_z.jpg,\
        https://photos.faketrack.example/sample/s225441x188964,51.999954,13.001314,90.388,,,sample,
        1,2026-05-01T08:01:00Z,52.00135,13.0,,150.211,60.0,2.504,0.0,,false,2863401,Niedergörsdorf,DE,\
        Brandenburg,7197,2636.866,s225443x188958,"Sample photo at 52.001237, 13.000727",faketrack sample,CC0 1.0,\
        https://photos.faketrack.example/s225443x188958_z.jpg,\
        https://photos.faketrack.example/sample/s225443x188958,52.001237,13.000727,51.486,,,sample,

        """),
    Output(
      "csv", photos: "none",
      columns + """
        0,2026-05-01T08:00:00Z,52.0,13.0,,0.0,0.0,,,,false,2863401,Niedergörsdorf,DE,\
        Brandenburg,7197,2498.587,,,,,,,,,,,,,
        1,2026-05-01T08:01:00Z,52.00135,13.0,,150.211,60.0,2.504,0.0,,false,2863401,Niedergörsdorf,DE,\
        Brandenburg,7197,2636.866,,,,,,,,,,,,,

        """),
    Output(
      "geojson", photos: "sample",
      """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","geometry":{"type":"Point","coordinates":[13.0,52.0]},"properties":\(first)},
      {"type":"Feature","geometry":{"type":"Point","coordinates":[13.0,52.00135]},"properties":\
      \(second)}
      ]}

      """),
    Output(
      "gpx", photos: "sample",
      """
      \(gpxOpening)
            <trkpt lat="52" lon="13"><time>2026-05-01T08:00:00Z</time>\
      <link href="https://photos.faketrack.example/s225441x188964_z.jpg">\
      <text>Sample photo at 51.999954, 13.001314, © faketrack sample, CC0 1.0</text></link></trkpt>
            <trkpt lat="52.00135" lon="13"><time>2026-05-01T08:01:00Z</time>\
      <link href="https://photos.faketrack.example/s225443x188958_z.jpg">\
      <text>Sample photo at 52.001237, 13.000727, © faketrack sample, CC0 1.0</text></link>\
      \(gpxSpeed)</trkpt>
      \(gpxClosing)

      """),
    Output(
      "gpx", photos: "none",
      """
      \(gpxOpening)
            <trkpt lat="52" lon="13"><time>2026-05-01T08:00:00Z</time></trkpt>
            <trkpt lat="52.00135" lon="13"><time>2026-05-01T08:01:00Z</time>\(gpxSpeed)</trkpt>
      \(gpxClosing)

      """),
  ]

  private static let first = """
    {"index":0,"time":"2026-05-01T08:00:00Z","latitude":52.0,"longitude":13.0,"elevation":null,\
    "distance":0.0,"elapsed":0.0,"speed":null,"course":null,\
    "horizontalAccuracy":null,"interpolated":false,\
    "city":{"id":2863401,"name":"Niedergörsdorf","country":"DE","region":"Brandenburg",\
    "population":7197,"distance":2498.587},\
    "photo":{"id":"s225441x188964","title":"Sample photo at 51.999954, 13.001314",\
    "owner":"faketrack sample","license":"CC0 1.0",\
    "url":"https://photos.faketrack.example/s225441x188964_z.jpg",\
    "page":"https://photos.faketrack.example/sample/s225441x188964","latitude":51.999954,\
    "longitude":13.001314,"distance":90.388,"taken":null,"placedBy":null,"source":"sample"},\
    "error":null}
    """
  private static let second = """
    {"index":1,"time":"2026-05-01T08:01:00Z","latitude":52.00135,"longitude":13.0,\
    "elevation":null,"distance":150.211,"elapsed":60.0,"speed":2.504,"course":0.0,\
    "horizontalAccuracy":null,"interpolated":false,\
    "city":{"id":2863401,"name":"Niedergörsdorf","country":"DE","region":"Brandenburg",\
    "population":7197,"distance":2636.866},\
    "photo":{"id":"s225443x188958","title":"Sample photo at 52.001237, 13.000727",\
    "owner":"faketrack sample","license":"CC0 1.0",\
    "url":"https://photos.faketrack.example/s225443x188958_z.jpg",\
    "page":"https://photos.faketrack.example/sample/s225443x188958","latitude":52.001237,\
    "longitude":13.000727,"distance":51.486,"taken":null,"placedBy":null,"source":"sample"},\
    "error":null}
    """
  private static let gpxOpening = """
    <?xml version="1.0" encoding="UTF-8"?>
    <gpx version="1.1" creator="faketrack" xmlns="http://www.topografix.com/GPX/1/1" \
    xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">
      <trk>
        <trkseg>
    """
  private static let gpxClosing = """
        </trkseg>
      </trk>
    </gpx>
    """
  private static let gpxSpeed =
    "<extensions><gpxtpx:TrackPointExtension><gpxtpx:speed>2.503516</gpxtpx:speed>"
    + "<gpxtpx:course>0</gpxtpx:course></gpxtpx:TrackPointExtension></extensions>"

  @Test(arguments: outputs)
  func isExactly(output: Output) async throws {
    let run = try await home.run(
      "replay", "walk.gpx", "--interval", "off", "--to", "1min", "--photos", output.photos,
      "--format", output.format)
    #expect(run.code == 0)
    #expect(run.output == output.text)
  }

  @Test func textIsTheDefault() async throws {
    let run = try await home.run(
      "replay", "walk.gpx", "--interval", "off", "--to", "1min", "--photos", "sample")
    #expect(run.output == Self.outputs[0].text)
    #expect(
      run.errors == """
        photos: the built-in sample, made up; --photos commons for real ones, \
        FLICKR_API_KEY for Flickr
        walking: tracks of walk.gpx
        2 locations, 150 m, 2 photos

        """)
  }

  @Test func xcodeIsAWaypointASecond() async throws {
    let run = try await home.run("replay", "walk.gpx", "--format", "xcode", "--to", "2s")
    #expect(run.code == 0)
    let document = try GPXDocument(data: run.outputData, isStrict: true)
    #expect(document.tracks.isEmpty)
    let start = try Date("2026-05-01T08:00:00Z", strategy: .iso8601)
    #expect(
      document.waypoints.map { $0.fix.time?.timeIntervalSince(start) } == [0, 1, 2])
    #expect(!run.output.contains("<extensions>"))
  }

  @Test func nmeaIsAFixASecondWithoutPhotos() async throws {
    let run = try await home.run("replay", "walk.gpx", "--format", "nmea", "--to", "2s")
    #expect(run.code == 0)
    #expect(
      run.output.components(separatedBy: "\r\n") == [
        "$GPRMC,080000.00,A,5200.00000,N,01300.00000,E,,,010526,,,A*53",
        "$GPVTG,,T,,M,,N,,K,A*23",
        "$GPGSA,A,2,,,,,,,,,,,,,,,*1D",
        "$GPGGA,080000.00,5200.00000,N,01300.00000,E,1,03,,,M,,M,,*7C",
        "$GPRMC,080001.00,A,5200.00135,N,01300.00000,E,4.87,0.0,010526,,,A*6E",
        "$GPVTG,0.0,T,,M,4.87,N,9.01,K,A*0E",
        "$GPGSA,A,2,,,,,,,,,,,,,,,*1D",
        "$GPGGA,080001.00,5200.00135,N,01300.00000,E,1,03,,,M,,M,,*7A",
        "$GPRMC,080002.00,A,5200.00270,N,01300.00000,E,4.87,0.0,010526,,,A*6F",
        "$GPVTG,0.0,T,,M,4.87,N,9.01,K,A*0E",
        "$GPGSA,A,2,,,,,,,,,,,,,,,*1D",
        "$GPGGA,080002.00,5200.00270,N,01300.00000,E,1,03,,,M,,M,,*7B",
        "",
      ])
    #expect(run.errors == "walking: tracks of walk.gpx\n3 locations, 5 m\n")
  }

  @Test func nmeaTellsEachSecondOfAnOutage() async throws {
    let run = try await home.run(
      "replay", "walk.gpx", "--format", "nmea", "--outage", "2s-4s", "--to", "6s")
    let sentences = run.output.components(separatedBy: "\r\n").dropLast()
    let states = sentences.map { $0.split(separator: ",", omittingEmptySubsequences: false) }
      .filter { $0[0] == "$GPRMC" }.map { "\($0[1]) \($0[2])" }
    #expect(
      states == zip(0..., "AAVVVAA").map { "08000\($0).00 \($1)" })
    #expect(sentences.count == 4 * 7)
  }

  @Test func eventsAreRecordsAmongTheLocations() async throws {
    try home.file("permission", "100m denied\n200m authorized\n")
    let run = try await home.run(
      "replay", "walk.gpx", "--photos", "none", "--format", "ndjson", "--events",
      "--permission-script", "permission", "--outage", "400m-500m", "--distance-filter", "0")
    #expect(
      run.lines.map { $0.hasPrefix("{\"event\"") ? $0 : String($0.prefix(10)) } == [
        "{\"index\":0",
        #"{"event":"denied","time":"2026-05-01T08:00:39.943827Z","distance":100.0}"#,
        #"{"event":"authorized","time":"2026-05-01T08:01:19.88765Z","distance":200.0}"#,
        "{\"index\":1",
        #"{"event":"signal-lost","time":"2026-05-01T08:02:39.775277Z","distance":400.0}"#,
        #"{"event":"signal-restored","time":"2026-05-01T08:04:00Z","distance":600.844}"#,
        "{\"index\":2",
      ])
  }

  @Test(
    arguments: [
      ("", 241), ("--interval 60", 5), ("--distance-filter 301", 2),
      ("--interval 120 --distance-filter 0", 3),
    ])
  func nmeaKeepsToWhatItIsTold(options: String, count: Int) async throws {
    let run = try await home.run(
      ["replay", "walk.gpx", "--format", "nmea"] + options.split(separator: " ").map(String.init))
    let sentences = run.output.components(separatedBy: "\r\n").dropLast()
    #expect(sentences.count == 4 * count)
  }

  /// The walk through Potsdam, read back from the output.
  @Test func theFormatsTellTheSame() async throws {
    let walk = ["replay", "faketrack.gpx", "--photos", "sample", "--format"]
    let records = try await home.run(walk + ["ndjson"]).records
    #expect((80...110).contains(records.count))

    let csv = try await home.run(walk + ["csv"]).lines
    #expect(csv.count == records.count + 1)
    for (row, record) in zip(csv.dropFirst(), records) {
      #expect(row.hasPrefix("\(record.index),\(record.time ?? ""),\(record.latitude),"))
      #expect(row.contains(",\(record.photo?.url ?? "?"),"))
    }

    let collection = try await home.run(walk + ["geojson"]).object
    #expect(collection["type"] as? String == "FeatureCollection")
    let features = try #require(collection["features"] as? [[String: Any]])
    let points = features.compactMap {
      ($0["geometry"] as? [String: Any])?["coordinates"] as? [Double]
    }
    #expect(points.map { Array($0.prefix(2)) } == records.map { [$0.longitude, $0.latitude] })

    let gpx = try await home.run(walk + ["gpx"])
    let document = try GPXDocument(data: gpx.outputData, isStrict: true)
    #expect(document.tracks.count == 1)
    #expect(document.fixes.map(\.coordinate.latitude) == records.map(\.latitude))
    #expect(document.fixes.allSatisfy { $0.time != nil && $0.elevation != nil })

    let text = try await home.run(walk + ["text"])
    #expect(text.lines == records.compactMap { $0.photo?.url })

    let list = try await home.run(walk + ["list"]).lines
    #expect(list.count == records.count)
    for (line, record) in zip(list, records) {
      #expect(line.contains("  Potsdam "))
      #expect(line.contains("  \(record.photo?.url ?? "?")  © "))
    }
  }

  @Test func namesCannotSteerTheTerminal() async throws {
    try home.file(
      "cities.json",
      #"[{"_id":7,"name":"Evil\u001b[2JCity","country":"DE","coord":{"lat":52.0,"lon":13.0}}]"#)
    _ = try await home.run("cities", "import", "cities.json")
    let run = try await home.run(
      "replay", "walk.gpx", "--photos", "none", "--to", "0s", "--format", "list")
    #expect(run.output.contains("Evil"))
    #expect(!run.output.contains("\u{1B}"))
  }

  @Test func gpxSaysOnceWhatItLeavesOut() async throws {
    let sensors =
      "<name>n</name><sat>9</sat><hdop>1</hdop><extensions><x:hr>9</x:hr></extensions></trkpt>"
    let text =
      Track.opening + Track.point(0)
      + Track.point(1).replacingOccurrences(of: "</trkpt>", with: sensors) + Track.closing
    try home.file("a/1.gpx", text)
    try home.file("a/2.gpx", text.replacingOccurrences(of: "x:hr", with: "x:cad"))
    let all = "note: the output leaves out what the input has: names of points, heart rate"
    for (path, format, expected) in [
      ("a/1.gpx", "gpx", [all + ", sat, hdop"]), ("a", "gpx", [all + ", cadence, sat, hdop"]),
      ("walk.gpx", "gpx", []), ("a/1.gpx", "csv", []),
    ] {
      let run = try await home.run("replay", path, "--photos", "none", "--format", format)
      #expect(run.code == 0)
      #expect(run.errorLines.filter { $0.contains("leaves out") } == expected)
    }
  }
}
