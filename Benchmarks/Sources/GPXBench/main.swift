import GPX
import Geodesy

// `GPXBench points|statistics|counts FILE…`: `gpx.sh` times the first two, and `compare-gpxpy` of the
// GPX tests compares the counts.

var arguments = CommandLine.arguments.dropFirst()
let mode = arguments.popFirst() ?? "points"

for path in arguments {
  let input = GPXInput.file(path)
  do {
    switch mode {
    case "statistics":
      var overview = GPXOverview()
      try GPXReader(input, readsDetails: false).read { overview.receive($0) }
      print(overview.statistics.points, overview.statistics.length, overview.statistics.ascent)
    case "counts":
      let document = try GPXDocument(reading: input)
      print(
        document.fixes(from: .tracks).count, document.fixes(from: .routes).count,
        document.waypoints.count, document.issues.count, path)
    default:
      var count = 0
      var sum = 0.0
      try GPXFixReader(input).read { event in
        guard case .fixes(let fixes, _) = event else { return }
        count += fixes.count
        for fix in fixes { sum += fix.coordinate.latitude + (fix.elevation ?? 0) }
      }
      print(count, sum)
    }
  } catch {
    print("error:", error)
  }
}
