import FaketrackSupport
import Foundation
import Geodesy
import PhotoSearch

/// Made-up inputs, the same in every run.
enum Inputs {
  /// 1 May 2026, 08:00 UTC.
  static let start = Date(timeIntervalSince1970: 1_777_622_400)

  /// A walk with turns, a fix a second.
  static func walk(_ count: Int) throws -> [Fix] {
    var random = SplitMix64(seed: 1)
    var here = try Coordinate(latitude: 52.4009, longitude: 13.0591)
    var course = 45.0
    return (0..<count).map { number in
      course += Double.random(in: -8...8, using: &random)
      here = here.destination(distance: .random(in: 1...1.6, using: &random), bearing: course)
      return Fix(
        here, time: start.addingTimeInterval(Double(number)),
        elevation: 35 + 20 * sin(Double(number) / 900))
    }
  }

  /// The walk as a recorder writes it.
  ///
  /// - Parameter hasExtensions: whether each point has a heart rate and a cadence, as Garmin's do.
  static func gpx(_ fixes: [Fix], hasExtensions: Bool) -> String {
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1" creator="cost" xmlns="http://www.topografix.com/GPX/1/1" \
      xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v1">
      <trk><name>cost</name><trkseg>

      """
    for (number, fix) in fixes.enumerated() {
      let seconds = 8 * 3_600 + number
      let time = [seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60].map(twoDigits)
      let day = twoDigits(1 + seconds / 86_400)
      text += """
              <trkpt lat="\(decimal(fix.coordinate.latitude, 8))" \
        lon="\(decimal(fix.coordinate.longitude, 8))">
                <ele>\(decimal(fix.elevation ?? 0, 2))</ele>
                <time>2026-05-\(day)T\(time.joined(separator: ":"))Z</time>

        """
      if hasExtensions {
        text += """
                  <extensions>
                    <gpxtpx:TrackPointExtension>
                      <gpxtpx:hr>\(90 + number % 60)</gpxtpx:hr>
                      <gpxtpx:cad>\(70 + number % 20)</gpxtpx:cad>
                    </gpxtpx:TrackPointExtension>
                  </extensions>

          """
      }
      text += "      </trkpt>\n"
    }
    return text + "</trkseg></trk></gpx>\n"
  }

  private static func decimal(_ number: Double, _ places: Int) -> String {
    DecimalText.fixed(number, places: places)
  }

  private static func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }

  /// Positions all over the Earth.
  static func anywhere(_ count: Int) throws -> [Coordinate] {
    var random = SplitMix64(seed: 2)
    return try (0..<count).map { _ in
      try Coordinate(
        latitude: asin(Double.random(in: -1...1, using: &random)) * 180 / .pi,
        longitude: .random(in: -180...180, using: &random))
    }
  }

  /// Rows of a GeoNames dump, each with some other names.
  static func geoNames(_ count: Int) throws -> String {
    try anywhere(count).enumerated().map { number, place in
      let name = "\(syllables(number))ton"
      return [
        "\(number + 1)", name, name, "\(syllables(number + 7))burg,Neu \(name)",
        decimal(place.latitude, 5), decimal(place.longitude, 5), "P", "PPL", "DE", "", "11", "", "",
        "", "\(500 + number * 37 % 100_000)", "", "40", "Europe/Berlin", "2026-01-01",
      ].joined(separator: "\t") + "\n"
    }.joined()
  }

  private static func syllables(_ number: Int) -> String {
    let parts = ["ba", "le", "mi", "no", "pu", "ra", "se", "ti", "vo", "wy"]
    return String(number).compactMap(\.wholeNumberValue).map { parts[$0] }.joined().capitalized
  }
}

/// Answers every request with the same body.
struct FixedService: HTTPFetching {
  let body: Data

  func fetch(_ request: ServiceRequest) async throws -> ServiceResponse {
    ServiceResponse(body: body)
  }

  /// A page of photos in Flickr's form.
  static func flickr(around center: Coordinate) -> FixedService {
    let hits = places(250, around: center).enumerated().map { number, place in
      """
      {"id":"5000\(number)","owner":"123\(number)@N06","secret":"5ec\(number)","server":"65535",\
      "farm":66,"title":"Alte Br\\u00fccke in the evening \(number)","ispublic":1,"license":"4",\
      "datetaken":"2019-05-04 15:44:01","datetakengranularity":"0","datetakenunknown":"0",\
      "ownername":"Photo Club West","latitude":"\(place.latitude)",\
      "longitude":"\(place.longitude)","accuracy":"16","context":0,\
      "url_z":"https:\\/\\/live.staticflickr.com\\/65535\\/5000\(number)_5ec_z.jpg"}
      """
    }
    return FixedService(
      body: Data(
        """
        {"photos":{"page":1,"pages":1,"perpage":250,"total":"250","photo":[\
        \(hits.joined(separator: ","))]},"stat":"ok"}
        """.utf8))
  }

  /// A page of photos in Wikimedia Commons' form.
  static func commons(around center: Coordinate) -> FixedService {
    let files = places(100, around: center).enumerated().map { number, place in
      """
      {"pageid":\(number + 1),"ns":6,"title":"File:Photo, \(number).jpg","index":\(number),\
      "coordinates":[{"lat":\(place.latitude),"lon":\(place.longitude),"primary":true}],\
      "imageinfo":[{"user":"Uploader","size":5242880,"width":4000,"height":3000,\
      "mime":"image/jpeg","thumburl":"https://upload.wikimedia.org/t/960px-\(number).jpg",\
      "url":"https://upload.wikimedia.org/\(number).jpg",\
      "descriptionurl":"https://commons.wikimedia.org/wiki/File:\(number).jpg",\
      "extmetadata":{"Artist":{"value":"<a href=\\"//example.org\\">\\u00c4nne &amp; \(number)</a>"},\
      "LicenseShortName":{"value":"CC BY-SA 4.0"},"License":{"value":"cc-by-sa-4.0"},\
      "LicenseUrl":{"value":"https://creativecommons.org/licenses/by-sa/4.0"},\
      "DateTimeOriginal":{"value":"2015-06-07 12:34:56"}}}]}
      """
    }
    return FixedService(
      body: Data(
        #"{"batchcomplete":true,"query":{"pages":[\#(files.joined(separator: ","))]}}"#.utf8))
  }

  private static func places(_ count: Int, around center: Coordinate) -> [Coordinate] {
    (0..<count).map { number in
      center.destination(distance: Double(number * 4), bearing: Double(number) * 137.508)
    }
  }
}
