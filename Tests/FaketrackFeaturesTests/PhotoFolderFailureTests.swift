import FaketrackServices
import FaketrackSupport
import FaketrackTestSupport
import Foundation
import Testing

@testable import FaketrackFeatures

/// Photos that cannot be written.
@Suite struct PhotoFolderFailureTests {
  private let directory = TemporaryDirectory()
  private let fetcher = ScriptedFetcher(answers: [.success(.image("pixels"))])

  @Test func aDirectoryBelowAFileIsAFailure() async throws {
    try directory.write("", to: "file")
    let path = "\(directory.path)/file/photos"
    let folder = PhotoFolder(path, fetcher)
    let error = await #expect(throws: FileError.self) { try await folder.open() }
    #expect(error == FileError(path: path, code: ENOTDIR))
    #expect(fetcher.requests.isEmpty)
  }

  @Test func aFileInPlaceOfTheDirectoryIsAFailure() async throws {
    try directory.write("", to: "file")
    let folder = PhotoFolder("\(directory.path)/file", fetcher)
    await #expect(throws: (any Error).self) {
      _ = try await folder.download(.photographed("1"))
    }
    #expect(directory.text(of: "file") == "")
    #expect(fetcher.requests.isEmpty)
  }

  @Test(arguments: ["folder", "pipe", "link"])
  func whatIsInThePlaceOfAPhotoStays(kind: String) async throws {
    let path = "\(directory.path)/0000-1.jpg"
    try directory.write("", to: "other")
    switch kind {
    case "folder":
      try FileManager.default.createDirectory(
        atPath: path + "/inside", withIntermediateDirectories: true)
    case "pipe": #expect(mkfifo(path, 0o600) == 0)
    default: #expect(symlink("nowhere", path) == 0)
    }
    let folder = PhotoFolder(directory.path, fetcher)
    let failure = await #expect(throws: Failure.self) {
      _ = try await folder.download(.photographed("1"))
    }
    #expect(failure?.message.hasPrefix(path + " was not written by faketrack") == true)
    #expect(directory.names == ["0000-1.jpg", "credits.csv", "other"])
    #expect(directory.text(of: "credits.csv") == PhotoCredits.header)
  }

  @Test func twoRunsDoNotMixTheirTables() async throws {
    let one = PhotoFolder(directory.path, fetcher)
    _ = try await one.download(.photographed("1"))
    let other = PhotoFolder(directory.path, fetcher)
    let failure = await #expect(throws: Failure.self) { try await other.open() }
    #expect(
      failure
        == Failure(
          message: "\(directory.path): another run is writing here",
          hint: "Wait for it, or name another folder."))
    _ = try await one.download(.photographed("2", index: 1))
    #expect(directory.names == ["0000-1.jpg", "0001-2.jpg", "credits.csv"])
  }

  @Test func theNextRunMayWriteOnceTheFirstIsDone() async throws {
    do {
      let one = PhotoFolder(directory.path, fetcher)
      _ = try await one.download(.photographed("1"))
    }
    let next = PhotoFolder("\(directory.path)/", fetcher)
    let path = try await next.download(.photographed("2", index: 1))
    #expect(path == "\(directory.path)/0001-2.jpg", "one slash is enough")
    #expect(
      directory.text(of: "credits.csv")
        == PhotoCredits.header + """
          0000-1.jpg,,52.4,13.06,Title,Owner,,,
          0001-2.jpg,,52.4,13.06,Title,Owner,,,

          """)
  }
}
