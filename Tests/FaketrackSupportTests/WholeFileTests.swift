import FaketrackTestSupport
import Foundation
import Testing

@testable import FaketrackSupport

@Suite struct WholeFileTests {
  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
  }

  private func code(of path: String, limit: Int = 100) -> Int32? {
    do throws(FileError) {
      _ = try WholeFile.bytes(of: path, limit: limit)
      return nil
    } catch {
      return error.code
    }
  }

  @Test func aFileOfAllBytesIsReadAndALongerOneIsNot() throws {
    try home.file("a", Data(repeating: 7, count: 100_000))
    #expect(try WholeFile.bytes(of: home.path("a"), limit: 100_000).count == 100_000)
    #expect(code(of: home.path("a"), limit: 99_999) == FileError.tooLarge)
  }

  @Test func devicesEndAtTheLimit() throws {
    #expect(code(of: "/dev/zero") == FileError.tooLarge)
    #expect(try WholeFile.bytes(of: "/dev/null", limit: 1).isEmpty)
  }

  @Test func aPipeIsReadToItsEndAndNoLongerThanTheTimeout() throws {
    let pipe = Pipe()
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    #expect {
      try WholeFile.bytes(of: descriptor, path: "pipe", limit: 9, timeout: .milliseconds(1))
    } throws: { ($0 as? FileError)?.code == FileError.unending }
    pipe.fileHandleForWriting.write(Data("cd".utf8))
    try pipe.fileHandleForWriting.close()
    #expect(
      try WholeFile.bytes(of: descriptor, path: "pipe", limit: 9, timeout: nil)
        == Array("cd".utf8))
  }

  @Test func failuresNameTheirReason() {
    #expect(code(of: home.path("none")) == ENOENT)
    #expect(code(of: "/") == EISDIR)
    #expect(FileError(path: "a", code: FileError.unending).reason == "it does not end")
  }

  @Test func aByteOrderMarkIsNoText() throws {
    try home.file("a", Data([0xEF, 0xBB, 0xBF] + Array("x".utf8)))
    #expect(try WholeFile.text(of: home.path("a"), limit: 9) == "x")
    try home.file("b", Data([0xFF]))
    #expect(try WholeFile.text(of: home.path("b"), limit: 9) == nil)
  }
}
