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

  @Test func replacesWhatIsThereAndLeavesNothingElse() throws {
    try withFolder {
      let file = folder.appendingPathComponent("a.bin").path
      try AtomicFile.replace(file, with: Data("old".utf8))
      try AtomicFile.replace(file, with: [UInt8]("new".utf8))
      #expect(FileManager.default.contents(atPath: file) == Data("new".utf8))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.bin"])
    }
  }

  @Test func namesTheFileAndTheReasonWhenItCannot() throws {
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
}
