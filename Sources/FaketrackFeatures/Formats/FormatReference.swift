/// The description of the output formats and their fields, for people who read the output.
package enum FormatReference {
  /// Returns lines of at most 79 columns, which the help does not wrap.
  package static func text(of formats: [OutputFormat]) -> String {
    """
    FORMATS
    \(lines(of: formats))

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
  }

  private static func lines(of formats: [OutputFormat]) -> String {
    formats.map { format in
      let name = format.name + String(repeating: " ", count: 10 - format.name.count)
      let indent = String(repeating: " ", count: 12)
      return "  \(name)\(format.summary.replacing("\n", with: "\n" + indent))"
    }.joined(separator: "\n")
  }

  private static let events = WalkEvent.Change.allCases.map(\.rawValue)
    .joined(separator: ", ").replacing(" signal-lost", with: "\n  signal-lost")

  private static let fields = RecordField.all.map { field in
    let name = field.path + String(repeating: " ", count: 20 - field.path.count)
    let type = field.type + String(repeating: " ", count: 28 - field.type.count)
    return field.null.map { "  \(name)\(type)null: \($0)" } ?? "  \(name)\(field.type)"
  }.joined(separator: "\n")
}
