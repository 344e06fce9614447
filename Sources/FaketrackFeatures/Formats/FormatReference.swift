/// The description of the output formats and their fields, for people who read the output.
package enum FormatReference {
  /// Lines of at most 79 columns, which the help does not wrap.
  package static let text = """
    FORMATS
      text      A photo URL per line, or the path of your own and downloaded ones.
      list      A line per location for reading, in local time, with the date
                where it changes. ~ marks a time whose zone comes from a city
                beyond --max-city-distance, up to 500 km away.
      ndjson    A JSON object per line, one per location, with the fields below.
      csv       A header row and a row per location; names as city_name, photo_url,
                horizontal_accuracy. Unknown values are empty.
      geojson   A FeatureCollection with a Point per location; the properties are
                those of ndjson.
      gpx       A GPX 1.1 track. Photos are links, src is "interpolated" for
                interpolated points, and an extension holds the accuracy in meters.
      nmea      RMC, VTG, GSA and GGA each second; GST where the accuracy is known.
                Without a signal, RMC is V, GGA has quality 0, and both have no
                position. The number of satellites and the dilution of precision
                follow the accuracy; without one, the number is the fewest that
                a fix needs: 3, or 4 with an elevation.
      xcode     A GPX waypoint each second, with its time, for Xcode to play.
      simctl    A shell script that plays the walk in the iOS simulator at the
                recorded pace, in stretches of equal speed: sh walk.sh [UDID].
                A lost signal clears the location.
      adb       A shell script that plays the walk in an Android emulator at the
                recorded pace, a fix each second: sh walk.sh [emulator-5554].
      md        A report in Markdown: the figures, the cities, and the photos with
                their credits.
      html      The whole walk as a page in one file, which reads without a
                network: cover, chapters, map, figures, and the photos that are
                files. Those of a service are linked; --download puts them
                inside.

    FIELDS OF NDJSON, CSV AND GEOJSON
    \(fields)

      city is null without one within --max-city-distance, photo without a photo.
      Meters and meters per second have three decimals.
      placedBy is the rule that gave one of your own photos its place: position,
      gpsTime, offsetTime (camera time with an offset), trackZone (camera time in
      the zone of the nearest city) or looseTime (file name or date). A location
      with several of them has a record for each. source is flickr, commons,
      sample (made up), or folder for your own photos.

    OTHER RECORDS OF NDJSON
      With --events, each change of permission and signal:
        {"event":"denied","time":"2026-05-01T08:05:00Z","distance":400.0}
      The events are \(events).

      With several tracks, each record begins with "track" (csv: first column),
      and each track ends with one of:
        {"track":"a","end":true,"locations":92,"photos":92,"length":9412.3,
         "skipped":0}
        {"track":"b","error":"…"}
    """

  private static let events = WalkEvent.Change.allCases.map(\.rawValue)
    .joined(separator: ", ").replacing(" signal-lost", with: "\n  signal-lost")

  private static let fields = RecordField.all.map { field in
    let name = field.path + String(repeating: " ", count: 20 - field.path.count)
    let type = field.type + String(repeating: " ", count: 28 - field.type.count)
    return field.null.map { "  \(name)\(type)null: \($0)" } ?? "  \(name)\(field.type)"
  }.joined(separator: "\n")
}
