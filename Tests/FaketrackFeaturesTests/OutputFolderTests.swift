import FaketrackSupport
import Foundation
import Testing

@testable import FaketrackFeatures

/// Files that users named a folder for: replaced and deleted only as faketrack wrote them.
@Suite struct OutputFolderTests {
  private let directory = TemporaryDirectory()
  private let manifest = ".faketrack-files"

  private func write(_ files: [String: String], keeping names: Set<String> = []) throws {
    let folder = OutputFolder(directory.path)
    try folder.open()
    for (name, text) in files.sorted(by: { $0.key < $1.key }) {
      try folder.write(name, with: Array(text.utf8))
    }
    try folder.removeOthers(than: Set(files.keys).union(names), below: "photos")
  }

  private var photos: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: directory.path + "/photos")) ?? [])
      .sorted()
  }

  @Test func listsWhatItWritesBeforeItIsThere() throws {
    try write(["index.html": "page", "photos/1.svg": "one"])
    #expect(directory.text(of: "photos/1.svg") == "one")
    let lines = try #require(directory.text(of: manifest)).split(separator: "\n").dropFirst()
    #expect(lines == ["140ab620 4 index.html", "0 0 photos/", "7a6c86f1 3 photos/1.svg"])
    // The same again adds nothing.
    try write(["index.html": "page", "photos/1.svg": "one"])
    #expect(directory.text(of: manifest)?.split(separator: "\n").count == 4)
  }

  @Test func replacesAndDeletesWhatIsUnchanged() throws {
    try write(["index.html": "page", "photos/1.svg": "one", "photos/2.svg": "two"])
    try write(["index.html": "other page", "photos/1.svg": "eins"])
    #expect(directory.text(of: "index.html") == "other page")
    #expect(directory.text(of: "photos/1.svg") == "eins")
    #expect(photos == ["1.svg"])
  }

  @Test func keepsWhatWasChanged() throws {
    try write(["photos/1.svg": "one", "photos/2.svg": "two"])
    try directory.write("more", to: "photos/2.svg")
    // Of the same size.
    try directory.write("ein", to: "photos/1.svg")
    #expect(throws: Failure.self) { try write(["photos/1.svg": "one"]) }
    try write([:])
    #expect(photos == ["1.svg", "2.svg"])
    #expect(directory.text(of: "photos/1.svg") == "ein")
  }

  @Test func goesOnAfterAKill() throws {
    try write(["index.html": "page", "photos/1.svg": "one"])
    // Killed after a line, in the middle of one, and in the middle of a file.
    let text = try #require(directory.text(of: manifest))
    try directory.write(text + "1b2 4 photos/2.svg\n4a0 5 pho", to: manifest)
    try directory.write("hal", to: "photos/.faketrack.part")
    try directory.write("hal", to: ".faketrack.part")
    try FileManager.default.removeItem(atPath: directory.path + "/index.html")
    try write(["index.html": "new page", "photos/1.svg": "eins", "photos/2.svg": "zwei"])
    #expect(directory.text(of: "index.html") == "new page")
    #expect(photos == ["1.svg", "2.svg"])
    #expect(directory.text(of: ".faketrack.part") == nil)
  }

  @Test(arguments: [
    "../mine", "photos/../../mine", "photos/../mine", "..", "../", "a/b/c", "/mine",
  ])
  func aManifestCannotLeadOutOfTheFolder(name: String) throws {
    try write(["photos/1.svg": "one"])
    try directory.write("mine", to: "mine")
    let text = try #require(directory.text(of: manifest))
    try directory.write(text + "69a8d393 4 \(name)\n", to: manifest)
    try write([:])
    #expect(directory.text(of: "mine") == "mine")
    #expect(photos.isEmpty)
  }

  @Test func aSubfolderThatBecameALinkIsNotFollowed() throws {
    try write(["photos/1.svg": "one"])
    let photos = directory.path + "/photos"
    try FileManager.default.moveItem(atPath: photos, toPath: directory.path + "/behind")
    #expect(symlink("behind", photos) == 0)
    try write([:])
    #expect(directory.text(of: "behind/1.svg") == "one")
    #expect(throws: (any Error).self) { try write(["photos/2.svg": "two"]) }
    #expect(throws: (any Error).self) {
      try OutputFolder.check(directory.path, file: "index.html", subfolder: "photos", inputs: [])
    }
  }

  @Test func aFolderInAFolderIsNoLink() throws {
    try FileManager.default.createDirectory(
      atPath: directory.path + "/behind", withIntermediateDirectories: true)
    #expect(symlink("behind", directory.path + "/walk") == 0)
    let folder = OutputFolder(directory.path, subfolder: "walk")
    #expect(throws: FileError.self) { try folder.open() }
  }

  @Test func anEmptyFileIsReplacedAndALinkIsNot() throws {
    try directory.write("", to: "a")
    #expect(symlink("a", directory.path + "/b") == 0)
    let folder = OutputFolder(directory.path)
    try folder.write("a", with: [1])
    #expect(throws: Failure.self) { try folder.write("b", with: [1]) }
  }
}
