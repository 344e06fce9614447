import FaketrackTestSupport
import Foundation
import Testing

@testable import FaketrackPictures

@Suite struct HEICProgramTests {
  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
    try home.file("a -q [n].heic", Data(Self.picture))
  }

  /// The result of a script in place of the program.
  private func jpeg(
    _ name: String = "heif-convert", script: String = #"cp "$picture" "$output""#,
    pixels: Int = 100, timeout: Duration = .seconds(60)
  ) throws -> [UInt8]? {
    let stub = try stub(name, script: script)
    let program = HEICProgram(environment: stub.environment, timeout: timeout)
    let jpeg = try #require(program).jpeg(
      contentsOf: home.path("a -q [n].heic"), size: PictureSize(width: 96, height: 64),
      pixels: pixels)
    // The folder is gone, and so is everything in it.
    if let output = stub.arguments.first(where: { $0.hasSuffix("/picture.jpg") }) {
      let folder = (output as NSString).deletingLastPathComponent
      #expect(!FileManager.default.fileExists(atPath: folder))
    }
    return jpeg
  }

  private func stub(
    _ name: String = "heif-convert", script: String = #"cp "$picture" "$output""#
  ) throws -> HEICStub {
    var fixture = PictureFixture(original: "2026:05:01 10:10:00")
    (fixture.artist, fixture.orientation, fixture.position) = ("Ada", 6, (52, 13))
    return try HEICStub(
      in: home, name: name, picture: fixture.jpeg(width: 300, height: 200), script: script)
  }

  @Test(arguments: ["heif-dec", "heif-convert", "vipsthumbnail"])
  func theResultIsSmallAndWithoutMetadata(name: String) throws {
    let jpeg = try #require(try jpeg(name))
    let facts = try PictureFacts(PictureBytes(jpeg))
    // The program has applied the turn.
    #expect(facts.kind == .jpeg && facts.size == PictureSize(width: 113, height: 75))
    #expect(facts.orientation == 1 && facts.artist == nil && facts.coordinate == nil)
    #expect(facts.cameraTime == nil)
    #expect(!String(decoding: jpeg, as: UTF8.self).contains("Ada"))
  }

  @Test(arguments: [
    ("heif-convert", ["-q", "92", "picture.heic", "picture.jpg"]),
    ("vipsthumbnail", ["--size", "100x100>", "--output", "picture.jpg", "picture.heic"]),
  ])
  func argumentsAreOptionsAndPathsOfTemporaryFiles(name: String, arguments: [String]) throws {
    let stub = try stub(name)
    let program = try #require(HEICProgram(environment: stub.environment))
    #expect(program.jpeg(contentsOf: home.path("a -q [n].heic"), size: nil, pixels: 100) != nil)
    #expect(
      stub.arguments.map { $0.hasPrefix("/") ? ($0 as NSString).lastPathComponent : $0 }
        == arguments)
  }

  @Test func theInputIsTheFileOfTheUser() throws {
    _ = try jpeg(script: "cat \"$3\" >'\(home.path("input"))'")
    #expect(FileManager.default.contents(atPath: home.path("input")) == Data(Self.picture))
  }

  @Test func theFirstOfSeveralPicturesCounts() throws {
    let script = #"cp "$picture" "${output%.jpg}-1.jpg"; echo other >"${output%.jpg}-2.jpg""#
    #expect(try jpeg(script: script) != nil)
  }

  @Test(arguments: [
    #"cp "$picture" "$output"; exit 1"#, "exit 0", #"echo text >"$output""#, #": >"$output""#,
    #"mkdir "$output""#, #"ln -s /dev/zero "$output""#, "kill -9 $$",
    #"head -c 100 "$picture" >"$output""#,
  ])
  func failuresHaveNoResult(script: String) throws {
    #expect(try jpeg(script: script) == nil)
  }

  @Test func aProgramThatHangsIsEnded() throws {
    let script = #"cp "$picture" "$output"; exec tail -f /dev/null"#
    #expect(try jpeg(script: script, timeout: .milliseconds(300)) == nil)
  }

  @Test func isFoundByItsNameOnThePath() throws {
    for folder in ["a", "b"] { try home.file("\(folder)/heif-convert", "") }
    for name in ["a/vipsthumbnail", "b/heif-convert", "c/heif-dec"] {
      try home.file(name, "")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755], ofItemAtPath: home.path(name))
    }
    func path(_ folders: String...) -> String? {
      let folders = folders.map { $0.isEmpty || $0 == "." ? $0 : home.path($0) }
      return HEICProgram(environment: ["PATH": folders.joined(separator: ":")])?.path
    }
    #expect(path("a") == home.path("a/vipsthumbnail"))
    // Programs of libheif come first, and files that can't be executed don't count.
    #expect(path("a", "b") == home.path("b/heif-convert"))
    #expect(path("a", "b", "c") == home.path("c/heif-dec"))
    #expect(path("d", "", ".") == nil)
    #expect(HEICProgram(environment: [:]) == nil)
  }

  // MARK: The real program

  /// A picture of 96 by 64 pixels with a turn by 90 degrees, made by heif-enc; its Exif data, whose
  /// orientation is 6, hold a position and a name.
  static let picture =
    Data(
      base64Encoded: """
        AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAYptZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAA
        AAAAAAAAAAAAAA5waXRtAAAAAAABAAAANGlsb2MAAAAAREAAAgABAAAAAAGuAAEAAAAAAAAAKAACAAAAAAHWAAEA
        AAAAAAAA6AAAADhpaW5mAAAAAAACAAAAFWluZmUCAAAAAAEAAGh2YzEAAAAAFWluZmUCAAABAAIAAEV4aWYAAAAA
        yWlwcnAAAACqaXBjbwAAAHVodmNDAQNwAAAAAAAAAAAAHvAA/P34+AAADwMgAAEAGEABDAH//wNwAAADAJAAAAMA
        AAMAHroCQCEAAQAoQgEBA3AAAAMAkAAAAwAAAwAeoDCBBZbqSSmubAgAAAMACAAAAwAIQCIAAQAHRAHBcrAiQAAA
        ABRpc3BlAAAAAAAAAGAAAABAAAAAEHBpeGkAAAAAAwgICAAAAAlpcm90AQAAABdpcG1hAAAAAAAAAAEAAQSBAoOE
        AAAAGmlyZWYAAAAAAAAADmNkc2MAAgABAAEAAAEYbWRhdAAAACQoAa8LYPrL82PnGwiQ+XfHCV/IYbYzWuDsQU2l
        yd2UgpI/GQsAAAAATU0AKgAAAAgABwESAAMAAAABAAYAAAEaAAUAAAABAAAAYgEbAAUAAAABAAAAagEoAAMAAAAB
        AAEAAAE7AAIAAAAEQWRhAAITAAMAAAABAAEAAIglAAQAAAABAAAAcgAAAAAAAAABAAAAAQAAAAEAAAABAAUAAAAB
        AAAABAIDAAAAAQACAAAAAk4AAAAAAgAFAAAAAwAAALQAAwACAAAAAkUAAAAABAAFAAAAAwAAAMwAAAAAAAAANAAA
        AAEAAAAeAAAAAQAAAAAAAAABAAAADQAAAAEAAAAYAAAAAQAAAAAAAAAB
        """, options: .ignoreUnknownCharacters
    ).map(Array.init) ?? []

  private static let installed = HEICProgram(environment: ProcessInfo.processInfo.environment)

  @Test func theFormatHoldsTheTurn() throws {
    let facts = try PictureFacts(PictureBytes(Self.picture))
    #expect(facts.kind == .heic && facts.size == PictureSize(width: 64, height: 96))
    #expect(facts.orientation == 6 && facts.artist == "Ada" && facts.coordinate != nil)
  }

  @Test(.enabled(if: installed != nil)) func aRealPictureIsTurnedOnce() throws {
    let jpeg = try #require(
      Self.installed?.jpeg(contentsOf: home.path("a -q [n].heic"), size: nil))
    let facts = try PictureFacts(PictureBytes(jpeg))
    #expect(facts.kind == .jpeg && facts.size == PictureSize(width: 64, height: 96))
    #expect(facts.orientation == 1 && facts.artist == nil && facts.coordinate == nil)
    try home.file("damaged.heic", Data(Self.picture.prefix(480)))
    #expect(Self.installed?.jpeg(contentsOf: home.path("damaged.heic"), size: nil) == nil)
    #expect(Self.installed?.jpeg(contentsOf: home.path("none.heic"), size: nil) == nil)
  }
}
