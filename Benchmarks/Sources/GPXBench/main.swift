import GPX
import Geodesy

// `GPXBench points|statistics FILE…`, which `gpx.sh` times.

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
    default:
      var count = 0
      var sum = 0.0
      try GPXFixes(input).read { event in
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
