import Foundation
import Geodesy
import Testing

@testable import GPX

@Suite struct GPXInputTests {
  @Test func readsAFile() throws {
    try withTemporaryFile(Array(walk(700).utf8)) { path in
      #expect(Recording(.file(path)).trackPoints.count == 700)
    }
  }

  @Test func readsADescriptorFromWhereItStandsAndLeavesItOpen() throws {
    let garbage = Array("garbage".utf8)
    try withTemporaryFile(garbage + Array(walk(3).utf8)) { path in
      let descriptor = open(path, O_RDONLY)
      defer { close(descriptor) }
      lseek(descriptor, off_t(garbage.count), SEEK_SET)
      #expect(Recording(.descriptor(descriptor, name: "-")).trackPoints.count == 3)
      #expect(fcntl(descriptor, F_GETFD) >= 0)
    }
  }

  @Test func deliversBeforeALiveSourcePauses() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    let (input, output) = (ends[0], ends[1])
    defer { close(input) }
    let bytes = Array(walk(400).utf8)
    // The reader and the writer share this thread: if the reader waited for the rest before it
    // delivered anything, the rest would never be written.
    let half = bytes.count / 2
    #expect(write(output, Array(bytes[..<half]), half) == half)
    var delivered = 0
    var isComplete = false
    try GPXReader(.descriptor(input, name: "-")).read { event in
      guard case .points(let points) = event else { return }
      #expect(points.fraction == nil)
      delivered += points.fixes.count
      if !isComplete, delivered > 180 {
        isComplete = true
        #expect(write(output, Array(bytes[half...]), bytes.count - half) == bytes.count - half)
        close(output)
      }
    }
    #expect(isComplete)
    #expect(delivered == 400)
  }

  @Test func readsBytesThatComeOneByOne() {
    let recording = Recording(dribbling: Array(walk(500).utf8))
    #expect(recording.error == nil)
    #expect(recording.trackPoints.count == 500)
    let wide = walk(500).replacingOccurrences(of: "UTF-8", with: "UTF-16").utf16.flatMap {
      [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)]
    }
    #expect(Recording(dribbling: [0xFF, 0xFE] + wide).trackPoints.count == 500)
  }

  @Test func printsNothingOnStandardError() throws {
    // An error of conversion is raised outside of any document, where libxml2 prints it.
    let head = "<?xml version='1.0' encoding='EUC-JP'?><gpx><wpt lat='1' lon='2'/>"
    let bytes = Array(head.utf8) + [0xFF, 0xFF, 0xFF, 0xFF] + Array("</gpx>".utf8)
    let printed = try standardError {
      let recording = Recording(bytes)
      #expect(
        recording.error?.cause == .notWellFormed("bytes that the encoding does not have"))
    }
    // The tests beside this one may print, but not this.
    #expect(!printed.contains("input conversion failed"))
  }

  private func standardError(_ body: () throws -> Void) throws -> String {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    let saved = dup(2)
    let file = open(path, O_RDWR | O_CREAT, 0o600)
    defer {
      close(file)
      close(saved)
      unlink(path)
    }
    dup2(file, 2)
    defer { dup2(saved, 2) }
    try body()
    return try String(contentsOfFile: path, encoding: .utf8)
  }
}

/// Runs `body` with the path of a file that holds the bytes and is gone afterwards.
func withTemporaryFile(_ bytes: [UInt8], _ body: (String) throws -> Void) throws {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
  try Data(bytes).write(to: url)
  defer { try? FileManager.default.removeItem(at: url) }
  try body(url.path)
}

/// Runs `body` with the path of a file that exists meanwhile.
func withTemporaryFile(_ bytes: [UInt8], _ body: (String) async throws -> Void) async throws {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
  try Data(bytes).write(to: url)
  defer { try? FileManager.default.removeItem(at: url) }
  try await body(url.path)
}
