import FaketrackServices
import FaketrackTestSupport
import Foundation
import Testing

@testable import FaketrackFeatures

/// What happens when photos cannot be written.
@Suite struct PhotoArchiveFailureTests {
  private let directory = TemporaryDirectory()
  private let fetcher = ScriptedFetcher(answers: [.success(.image("pixels"))])

  private func failure(_ work: () async throws -> Void) async -> PhotoArchive.Failure? {
    do {
      try await work()
      return nil
    } catch {
      return error as? PhotoArchive.Failure
    }
  }

  @Test func aDirectoryBelowAFileIsAFailure() async throws {
    try directory.write("", to: "file")
    let path = "\(directory.path)/file/photos"
    let archive = PhotoArchive(path, fetcher)
    let failure = await failure { try await archive.open() }
    #expect(failure == PhotoArchive.Failure(path: path, reason: "Not a directory"))
    #expect(fetcher.requests.isEmpty)
  }

  @Test func aFileInPlaceOfTheDirectoryIsAFailure() async throws {
    try directory.write("", to: "file")
    let archive = PhotoArchive("\(directory.path)/file", fetcher)
    #expect(await failure { _ = try await archive.keep(.photographed("1")) } != nil)
    #expect(directory.text(of: "file") == "")
  }

  @Test func aPhotoThatCannotBeMovedLeavesNoPart() async throws {
    let taken = "\(directory.path)/0000-1.jpg/inside"
    try FileManager.default.createDirectory(atPath: taken, withIntermediateDirectories: true)
    let archive = PhotoArchive(directory.path, fetcher)
    let failure = await failure { _ = try await archive.keep(.photographed("1")) }
    #expect(failure?.path == "\(directory.path)/0000-1.jpg")
    #expect(directory.names == ["0000-1.jpg", "credits.csv"])
  }

  @Test func aTableOnAFullDiskIsAFailure() async throws {
    // Whatever is written to this device finds no space.
    try #require(FileManager.default.fileExists(atPath: "/dev/full"))
    try directory.write("", to: "other")
    try FileManager.default.createSymbolicLink(
      atPath: "\(directory.path)/0000-1.jpg.part", withDestinationPath: "/dev/full")
    let archive = PhotoArchive(directory.path, fetcher)
    let failure = await failure { _ = try await archive.keep(.photographed("1")) }
    #expect(
      failure
        == PhotoArchive.Failure(
          path: "\(directory.path)/0000-1.jpg.part", reason: "No space left on device"))
    #expect(directory.names == ["credits.csv", "other"])
  }

  @Test func twoRunsDoNotMixTheirTables() async throws {
    let one = PhotoArchive(directory.path, fetcher)
    _ = try await one.keep(.photographed("1"))
    let other = PhotoArchive(directory.path, fetcher)
    let failure = await failure { try await other.open() }
    #expect(
      failure
        == PhotoArchive.Failure(
          path: "\(directory.path)/credits.csv", reason: "another run is writing here"))
    _ = try await one.keep(.photographed("2", index: 1))
    #expect(directory.names == ["0000-1.jpg", "0001-2.jpg", "credits.csv"])
  }
}
