import FaketrackSupport
import Foundation
import Testing

@Suite struct OwnFolderTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("faketrack-own-\(UUID().uuidString)")

  private func withFolder(_ body: () throws -> Void) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body()
  }

  private func write(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  @Test func removesOnlyTheFilesOfKilledProcesses() throws {
    try withFolder {
      func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
      let name = { (digit: Int) in "faketrack-0123456789abcde\(digit).part" }
      let others = [
        "a.bin.part", "faketrack-0123.part", "faketrack-0123456789ABCDEF.part", name(1), name(2),
        name(3), name(4), "other",
      ]
      for file in others.dropLast(3) where file != name(2) { try write("theirs", to: path(file)) }
      try write("theirs", to: path("other"))
      #expect(symlink("other", path(name(2))) == 0)
      #expect(link(path("other"), path(name(3))) == 0)
      #expect(mkfifo(path(name(4)), 0o600) == 0)
      let locked = open(path(name(1)), O_RDONLY)
      defer { close(locked) }
      try #require(flock(locked, LOCK_EX | LOCK_NB) == 0)
      try write("ours", to: path(name(0)))
      OwnFolder(folder.path).removeLeftovers()
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(names.sorted() == others.sorted())
    }
  }

  @Test func whatIsInItIsForItsOwner() throws {
    try withFolder {
      let own = OwnFolder(folder.path + "/a/b")
      try own.replace("c", with: Data("text".utf8))
      var status = stat()
      for (name, mode) in [("", 0o700), ("/c", 0o600)] {
        #expect(stat(own.path + name, &status) == 0 && Int(status.st_mode & 0o777) == mode)
      }
      try AtomicFile.checkWriting(in: own.path)
      #expect(try own.remove("c") && !own.remove("c"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: own.path).isEmpty)
    }
  }

  @MainActor
  @Test func aTemporaryOneIsGoneAfterTheWork() async throws {
    struct Problem: Error {}
    var path = ""
    await #expect(throws: Problem.self) {
      try await OwnFolder.withTemporary { folder in
        path = folder.path
        try folder.replace("a", with: Data())
        throw Problem()
      }
    }
    #expect(!path.isEmpty && !FileManager.default.fileExists(atPath: path))
  }
}
