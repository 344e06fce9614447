import Foundation
import PhotoSearch

/// Prints what a search adds to the CPU time of the executable, from the socket to the store and for
/// an answer from the store, and how much of that is the network's.
func measureReplay(of executable: URL) throws {
  let directory = FileManager.default.temporaryDirectory
    .appendingPathComponent("search-bench-\(ProcessInfo.processInfo.processIdentifier)")
  try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: directory) }
  let server = try LoopbackServer(StubFlickr())
  let (few, many) = (10, 110)
  var times: [String: [Int: Double]] = [:]
  func record(_ name: String, _ count: Int, _ time: Double) {
    times[name, default: [:]][count] = min(time, times[name]?[count] ?? .infinity)
  }
  for count in [few, many] {
    let walk = directory.appendingPathComponent("\(count).gpx")
    try gpx(count).write(to: walk, atomically: true, encoding: .utf8)
    for round in 0..<5 {
      let home = directory.appendingPathComponent("\(count)-\(round)").path
      let replay = { () throws in
        try processorTime(
          of: executable, ["replay", walk.path, "--photos", "flickr", "--no-cities"],
          environment: [
            "HOME": home, "FLICKR_API_KEY": "0123456789abcdef0123456789abcdef",
            "FAKETRACK_FLICKR_URL": server.url.absoluteString,
          ])
      }
      record("search_from_socket", count, try replay())
      record("search_from_store", count, try replay())
      let bench = URL(fileURLWithPath: CommandLine.arguments[0])
      record(
        "socket_alone", count,
        try processorTime(of: bench, ["fetch", server.url.absoluteString, "\(count)"]))
    }
  }
  for (name, times) in times.sorted(by: { $0.key < $1.key }) {
    report(name, ((times[many] ?? .nan) - (times[few] ?? .nan)) / Double(many - few))
  }
}

/// Fetches as many answers as a walk of this length does, and does nothing with them.
func fetch(from address: String, count: Int) async throws {
  guard let url = URL(string: address) else { return }
  let fetcher = NetworkFetcher()
  for place in line(count) {
    let query = [QueryItem("lat", "\(place.latitude)"), QueryItem("lon", "\(place.longitude)")]
    _ = try await fetcher.fetch(ServiceRequest(url, query: query))
  }
}

/// The CPU time of a process in milliseconds.
private func processorTime(
  of executable: URL, _ arguments: [String], environment: [String: String]? = nil
) throws -> Double {
  let process = Process()
  process.executableURL = executable
  process.arguments = arguments
  if let environment { process.environment = environment }
  process.standardOutput = FileHandle.nullDevice
  process.standardError = FileHandle.nullDevice
  let start = processorTime(ofChildren: true)
  try process.run()
  process.waitUntilExit()
  guard process.terminationStatus == 0 else { fatalError("\(executable.path) failed") }
  return processorTime(ofChildren: true) - start
}

private func gpx(_ count: Int) -> String {
  let points = line(count).map { #"<trkpt lat="\#($0.latitude)" lon="\#($0.longitude)"/>"# }
  return """
    <gpx version="1.1" creator="bench" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>
    \(points.joined(separator: "\n"))
    </trkseg></trk></gpx>
    """
}
