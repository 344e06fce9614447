import FaketrackSupport
import Foundation
import Geodesy
import Testing

@testable import GPX

@Suite struct GPXRecordingTests {
  private static let text = """
    <gpx version="1.1"><metadata><name>A day</name></metadata>
    <wpt lat="52" lon="13"><name>Inn</name></wpt>
    <trk><name>Morning</name><trkseg>
    <trkpt lat="52.1" lon="13"><ele>30.5</ele><time>2026-05-01T08:00:00.250Z</time></trkpt>
    <trkpt lat="52.2" lon="13"/>
    <trkpt lat="x" lon="13"/>
    </trkseg><trkseg>
    <trkpt lat="52.3" lon="13"><speed>1.5</speed><course>90</course></trkpt>
    </trkseg></trk></gpx>
    """

  private static func events(_ read: ((GPXEvent) throws -> Void) throws -> Void) rethrows
    -> [String]
  {
    var events: [String] = []
    try read { events.append("\($0)") }
    return events
  }

  @Test func itPassesOnWhatTheReaderDoes() throws {
    let input = GPXInput.bytes(Array(Self.text.utf8))
    var reader = GPXReader(input, readsDetails: false)
    reader.readsOutline = true
    let recording = GPXRecording(input, readsOutline: true)
    let expected = try Self.events(reader.read)
    #expect(
      expected.contains { $0.contains("Morning") } && expected.contains { $0.contains("Inn") })
    for _ in 0..<2 { #expect(try Self.events(recording.read) == expected) }
  }

  @Test func anErrorComesAfterWhatIsBeforeItsPlace() {
    let text = Self.text.replacingOccurrences(of: "</trk></gpx>", with: "</trkk>")
    let recording = GPXRecording(.bytes(Array(text.utf8)), readsOutline: false)
    for _ in 0..<2 {
      var fixes: [Fix] = []
      #expect(throws: GPXError.self) {
        try recording.read { if case .points(let points) = $0 { fixes += points.fixes } }
      }
      #expect(fixes.map(\.coordinate.latitude) == [52, 52.1, 52.2, 52.3])
      #expect(fixes.map(\.speed) == [nil, nil, nil, 1.5])
    }
  }

  @Test func aFileIsOpenedOnceForManyReaders() async throws {
    let pipe = Pipe()
    let recording = GPXRecording(
      .descriptor(pipe.fileHandleForReading.fileDescriptor, name: "pipe"), readsOutline: false)
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<3 {
        group.addTask {
          try await DispatchQueue(label: "reader").blocking {
            var count = 0
            try recording.read { if case .points(let points) = $0 { count += points.fixes.count } }
            return count
          }
        }
      }
      try pipe.fileHandleForWriting.write(contentsOf: Data(Self.text.utf8))
      try pipe.fileHandleForWriting.close()
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(counts == [4, 4, 4])
  }

  @Test func aPipeWithTooManyPointsIsAnError() throws {
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data(Self.text.utf8))
    try pipe.fileHandleForWriting.close()
    let input = GPXInput.descriptor(pipe.fileHandleForReading.fileDescriptor, name: "pipe")
    let recording = GPXRecording(input, readsOutline: false, limit: 3)
    let error = #expect(throws: GPXRecording.TooLong.self) { try recording.read { _ in } }
    #expect(error?.name == "pipe" && error?.limit == 3)
  }
}
