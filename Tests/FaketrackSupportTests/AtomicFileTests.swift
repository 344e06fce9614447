import FaketrackSupport
import Foundation
import Testing

@Suite struct AtomicFileTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("faketrack-atomic-\(UUID().uuidString)")

  private func withFolder(_ body: () throws -> Void) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body()
  }

  @Test func replacesAFileAndLeavesNoOther() throws {
    try withFolder {
      let file = folder.appendingPathComponent("a.bin").path
      try AtomicFile.replace(file, with: Data("old".utf8))
      try AtomicFile.replace(file, with: [UInt8]("new".utf8))
      #expect(FileManager.default.contents(atPath: file) == Data("new".utf8))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.bin"])
    }
  }

  @Test func failsWithTheFileAndTheReason() throws {
    let file = folder.appendingPathComponent("missing/a.bin").path
    #expect {
      try AtomicFile.replace(file, with: Data())
    } throws: { error in
      let error = error as? FileError
      return error?.path == file && error?.code == ENOENT
        && error?.reason == "No such file or directory"
    }
  }

  @Test func leavesNoPartBehindWhenTheMoveFails() throws {
    try withFolder {
      // A folder cannot be replaced by a file.
      let target = folder.appendingPathComponent("taken")
      try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
      #expect(throws: FileError.self) { try AtomicFile.replace(target.path, with: Data([1])) }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["taken"])
    }
  }

  @Test func overwritesTheFileOfAKilledProcess() throws {
    try withFolder {
      let file = folder.appendingPathComponent("a.bin").path
      try Data(repeating: 1, count: 10_000).write(to: URL(fileURLWithPath: file + ".part"))
      try AtomicFile.replace(file, with: Data("new".utf8))
      #expect(FileManager.default.contents(atPath: file) == Data("new".utf8))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.bin"])
    }
  }

  @Test func writersOfOneFileTakeTurns() async throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("a.bin").path
    let contents = (0..<8).map { Data(repeating: $0, count: 100_000) }
    try await withThrowingTaskGroup { group in
      for content in contents {
        group.addTask { try AtomicFile.replace(file, with: content) }
      }
      try await group.waitForAll()
    }
    #expect(contents.contains(try #require(FileManager.default.contents(atPath: file))))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.bin"])
  }

  @Test func aPipeInItsPlaceIsAnError() throws {
    try withFolder {
      let file = folder.appendingPathComponent("a.bin").path
      try #require(mkfifo(file + ".part", 0o644) == 0)
      #expect(throws: FileError.self) { try AtomicFile.replace(file, with: Data("new".utf8)) }
    }
  }
}
