import FaketrackSupport
import Foundation
import Testing

@testable import FaketrackFeatures

/// A folder that users name for output, whose files are replaced and deleted only as faketrack wrote them.
@Suite struct OutputFolderTests {
  private let directory = TemporaryDirectory()
  private let manifest = ".faketrack-files"

  /// Writes files and deletes the others; returns the names of changed files.
  @discardableResult
  private func write(_ files: [String: String]) throws -> [String] {
    let folder = OutputFolder(directory.path)
    for (name, text) in files.sorted(by: { $0.key < $1.key }) {
      guard try folder.write(name, with: Array(text.utf8)) else { throw folder.foreign(name) }
    }
    return try folder.remove { files[$0] == nil }
  }

  @Test func listsAFileBeforeItIsThere() throws {
    try write(["a.html": "page", "b.svg": "one"])
    #expect(directory.text(of: "b.svg") == "one")
    let lines = try #require(directory.text(of: manifest)).split(separator: "\n").dropFirst()
    #expect(lines == ["140ab620 4 a.html", "7a6c86f1 3 b.svg"])
    // The same again adds nothing.
    try write(["a.html": "page", "b.svg": "one"])
    #expect(directory.text(of: manifest)?.split(separator: "\n").count == 3)
  }

  @Test func replacesAndDeletesWhatIsUnchanged() throws {
    try write(["a": "one", "b": "two"])
    #expect(try write(["a": "eins"]) == [])
    #expect(directory.names == ["a"] && directory.text(of: "a") == "eins")
  }

  @Test func keepsWhatWasChanged() throws {
    try write(["a": "one", "b": "two"])
    // Of the same size.
    try directory.write("own", to: "a")
    #expect(throws: Failure.self) { try write(["a": "one"]) }
    #expect(throws: Failure.self) { try OutputFolder(directory.path).check(["a"]) }
    #expect(OutputFolder(directory.path).isChanged("a") == false, "not open")
    #expect(try write([:]) == ["a"])
    #expect(directory.names == ["a"] && directory.text(of: "a") == "own")
  }

  @Test func tellsWhichFilesWereChanged() throws {
    try write(["a": "one", "b": "two"])
    try directory.write("own", to: "a")
    let folder = OutputFolder(directory.path)
    try folder.open()
    #expect(folder.isChanged("a") && !folder.isChanged("b") && !folder.isChanged("c"))
  }

  @Test func goesOnAfterAKill() throws {
    try write(["a": "page", "b": "one"])
    // Killed before a file, in the middle of a line, and in the middle of a file.
    let text = try #require(directory.text(of: manifest))
    try directory.write(text + "1b2 4 c\n4a0 5 d", to: manifest)
    try directory.write("hal", to: ".faketrack.part")
    try FileManager.default.removeItem(atPath: directory.path + "/a")
    try write(["a": "new page", "b": "eins", "c": "zwei"])
    #expect(directory.text(of: "a") == "new page")
    #expect(directory.names == ["a", "b", "c"])
    // A kill before the header is complete.
    try directory.write("# Fi", to: manifest)
    try FileManager.default.removeItem(atPath: directory.path + "/a")
    try write(["a": "new page"])
    #expect(directory.names == ["a", "b", "c"])
  }

  @Test func aManifestCannotLeadOutOfTheFolder() throws {
    let inner = directory.path + "/inner"
    #expect(try OutputFolder(inner).write("a", with: Array("one".utf8)))
    try directory.write("mine", to: "mine")
    try FileManager.default.createDirectory(
      atPath: inner + "/sub", withIntermediateDirectories: true)
    try directory.write("mine", to: "inner/sub/mine")
    let text = try #require(directory.text(of: "inner/" + manifest))
    let names = ["../mine", "sub/mine", "sub/../../mine", inner + "/../mine", "..", ".", "sub", ""]
    try directory.write(
      text + names.map { "69a8d393 4 \($0)\n" }.joined(), to: "inner/" + manifest)
    #expect(
      try OutputFolder(inner).remove { _ in true }.allSatisfy(["..", ".", "sub", ""].contains))
    #expect(directory.text(of: "mine") == "mine" && directory.text(of: "inner/sub/mine") == "mine")
    #expect(directory.text(of: "inner/a") == nil)
  }

  @Test(arguments: ["file", "link", "folder", "pipe"])
  func whatIsInThePlaceOfASubfolderStays(kind: String) throws {
    try directory.write("mine", to: "mine")
    let path = directory.path + "/photos"
    switch kind {
    case "file": try directory.write("", to: "photos")
    case "link": #expect(symlink(".", path) == 0)
    case "pipe": #expect(mkfifo(path, 0o600) == 0)
    default:
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      try directory.write("mine", to: "photos/mine")
    }
    let folder = OutputFolder(directory.path, subfolder: "photos", isExclusive: true)
    #expect(throws: Failure.self) { try folder.check() }
    #expect(throws: Failure.self) { try folder.write("a", with: [1]) }
    #expect(Set(directory.names) == ["mine", "photos"])
  }

  @Test func aSubfolderOfTheUserIsNotAdoptedLater() throws {
    func pictures() -> OutputFolder {
      OutputFolder(directory.path, subfolder: "photos", isExclusive: true)
    }
    #expect(try pictures().write("1.svg", with: [1]))
    try FileManager.default.removeItem(atPath: directory.path + "/photos")
    try FileManager.default.createDirectory(
      atPath: directory.path + "/photos", withIntermediateDirectories: true)
    try directory.write("mine", to: "photos/.faketrack.part")
    #expect(throws: Failure.self) { try pictures().check() }
    #expect(directory.text(of: "photos/.faketrack.part") == "mine")
  }

  @Test func anEmptyFileIsReplacedAndALinkIsNot() throws {
    try directory.write("", to: "a")
    #expect(symlink("a", directory.path + "/b") == 0)
    let folder = OutputFolder(directory.path)
    #expect(try folder.write("a", with: [1]))
    #expect(try !folder.write("b", with: [1]))
  }

  @Test func knowsWhichPathsLeadThere() throws {
    try directory.write("mine", to: "mine")
    #expect(symlink(directory.path, directory.path + "/link") == 0)
    let folder = OutputFolder(directory.path + "/link", subfolder: "photos")
    for path in ["photos", "link/photos/a", "photos/a/../b", "link/link/photos"] {
      #expect(folder.contains("\(directory.path)/\(path)"), "\(path)")
    }
    #expect(!folder.contains(directory.path + "/mine") && !folder.contains(directory.path))
    #expect(!folder.contains(directory.path + "/photos2"))
    #expect(folder.isAt(directory.path + "/photos/") && !folder.isAt(directory.path))
  }
}
