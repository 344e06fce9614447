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

  /// Other users may know the names of our files, and make links in a folder that all users may write.
  @Test(arguments: ["a.bin", "a.bin.part"], [true, false])
  func aLinkInItsPlaceIsNotFollowed(name: String, isSymbolic: Bool) throws {
    try withFolder {
      let (file, other) = (folder.appendingPathComponent("a.bin").path, folder.path + "/other")
      let place = folder.appendingPathComponent(name).path
      try write("theirs", to: other)
      #expect((isSymbolic ? symlink("other", place) : link(other, place)) == 0)
      try AtomicFile.replace(file, with: Data("new".utf8))
      #expect(FileManager.default.contents(atPath: other) == Data("theirs".utf8))
      var status = stat()
      #expect(lstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG)
      #expect(FileManager.default.contents(atPath: file) == Data("new".utf8))
    }
  }

  private func write(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
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
      try #require(mkfifo(file, 0o644) == 0)
      let error = #expect(throws: FileError.self) {
        try AtomicFile.replace(file, with: Data("new".utf8))
      }
      #expect(error?.reason == "it is not a regular file")
    }
  }

  @Test func makesAFolderAndThoseAboveItWithTheirPermissions() throws {
    try withFolder {
      let path = folder.appendingPathComponent("a/b//c/").path + "/"
      for _ in 0..<2 { try AtomicFile.makeFolder(path, mode: 0o700) }
      var status = stat()
      for part in ["a", "a/b", "a/b/c"] {
        #expect(stat(folder.path + "/" + part, &status) == 0 && status.st_mode & 0o777 == 0o700)
      }
      try write("", to: folder.path + "/file")
      for taken in ["file", "file/a/b"] {
        let path = folder.path + "/" + taken
        #expect(throws: FileError(path: path, code: ENOTDIR)) { try AtomicFile.makeFolder(path) }
      }
    }
  }
}
