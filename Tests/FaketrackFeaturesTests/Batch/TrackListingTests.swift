import FaketrackTestSupport
import Foundation
import GPX
import Testing

@testable import FaketrackFeatures

@Suite struct TrackListingTests {
  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
  }

  private func list(_ paths: String...) -> [BatchTrack] {
    Array(TrackListing(paths.map(home.path)))
  }

  private func names(_ tracks: [BatchTrack]) -> [String] {
    tracks.map { $0.id.replacing(home.path("") + "/", with: "") }
  }

  @Test func aFolderIsAllTracksBelowInTheOrderOfTheirPaths() throws {
    let files = [
      "w/b.gpx", "w/a/z.gpx", "w/a.gpx", "w/a-b.gpx", "w/B.GPX", "w/a/deep/er.gpx.gz", "w/ä.gpx",
    ]
    for file in files + ["w/notes.txt", "w/.hidden.gpx", "w/.git/x.gpx"] {
      try home.file(file, "")
    }
    let tracks = list("w")
    #expect(
      names(tracks)
        == files.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    for track in tracks {
      guard case .success(.file(let path)) = track.input else {
        Issue.record("\(track.input)")
        continue
      }
      #expect(path == track.id)
    }
  }

  @Test func argumentsKeepTheirOrder() throws {
    for file in ["b.gpx", "a.gpx", "w/c.gpx", "odd.xml"] { try home.file(file, "") }
    #expect(
      names(list("b.gpx", "w", "odd.xml", "a.gpx")) == ["b.gpx", "w/c.gpx", "odd.xml", "a.gpx"])
  }

  @Test func aHyphenIsStandardInput() throws {
    var listing = TrackListing(["-"])
    let next = listing.next()
    let track = try #require(next)
    #expect(track.id == "-")
    guard case .success(.descriptor(0, "standard input")) = track.input else {
      Issue.record("\(track.input)")
      return
    }
    let rest = Array(listing)
    #expect(rest.isEmpty)
  }

  @Test func whatIsNoFileIsATrackThatFails() throws {
    try home.file("w/good.gpx", "")
    #expect(mkfifo(home.path("w/pipe.gpx"), 0o600) == 0)
    try FileManager.default.createSymbolicLink(
      atPath: home.path("w/loop.gpx"), withDestinationPath: "loop.gpx")
    try FileManager.default.createSymbolicLink(
      atPath: home.path("w/around"), withDestinationPath: ".")
    let tracks = list("w")
    #expect(names(tracks) == ["w/good.gpx", "w/loop.gpx", "w/pipe.gpx"])
    let failure = try #require(tracks.last?.failure)
    #expect(
      failure.message == home.path("w/pipe.gpx")
        + ": is a pipe or a device, which a folder's tracks are not read from")
    #expect(failure.kind == .unusableInput)
  }

  @Test func aNameThatIsNotUTF8IsTold() throws {
    try home.file("w/good.gpx", "")
    let name = Array((home.path("w/") + "/caf").utf8CString.dropLast()) + [-23, 0]
    #expect(mkdir(name, 0o700) == 0)
    defer { rmdir(name) }
    let tracks = list("w")
    #expect(names(tracks) == ["w/caf\u{FFFD}", "w/good.gpx"])
    let failure = try #require(tracks.first?.failure)
    #expect(failure.message.hasSuffix(": the name is not UTF-8"))
  }

  @Test func aFolderWithoutTracksFails() throws {
    try home.file("w/notes.txt", "")
    try home.file("v/a.gpx", "")
    let tracks = list("w", "v")
    #expect(names(tracks) == ["w", "v/a.gpx"])
    let failure = try #require(tracks.first?.failure)
    #expect(failure.message.hasSuffix("there is no .gpx or .gpx.gz in this folder"))
  }

  @Test func aFolderThatCannotBeListedIsTold() throws {
    // The superuser may list it all the same.
    try home.file("w/closed/a.gpx", "")
    try home.file("w/open/b.gpx", "")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0], ofItemAtPath: home.path("w/closed"))
    defer {
      try? FileManager.default.setAttributes(
        [.posixPermissions: 0o700], ofItemAtPath: home.path("w/closed"))
    }
    let tracks = list("w")
    guard geteuid() != 0 else {
      #expect(names(tracks) == ["w/closed/a.gpx", "w/open/b.gpx"])
      return
    }
    #expect(names(tracks) == ["w/closed", "w/open/b.gpx"])
  }

  @Test func aFolderThatGoesMeanwhileIsTold() throws {
    try home.file("w/a/a.gpx", "")
    try home.file("w/b/b.gpx", "")
    var listing = TrackListing([home.path("w")])
    let firstFound = listing.next()
    let first = try #require(firstFound)
    #expect(names([first]) == ["w/a/a.gpx"])
    try FileManager.default.removeItem(atPath: home.path("w/b"))
    let secondFound = listing.next()
    let second = try #require(secondFound)
    let failure = try #require(second.failure)
    #expect(failure.message.hasSuffix("w/b: cannot be listed: No such file or directory"))
    let rest = Array(listing)
    #expect(rest.isEmpty)
  }
}

extension BatchTrack {
  /// The reason why it cannot be read.
  var failure: Failure? {
    guard case .failure(let failure) = input else { return nil }
    return failure
  }
}
