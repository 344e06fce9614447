import FaketrackTestSupport
import Foundation
import Testing

/// `--captions` of the executable.
@Suite struct CaptionsTests {
  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
    for (name, time) in [
      ("gate.png", "2026:05:01 10:02:00"), ("x/lake.png", "2026:05:01 10:18:00"),
    ] {
      try home.file("pictures/\(name)", Data(PictureFixture(original: time).png))
    }
  }

  /// Writes the page of the walk with the pictures.
  private func page(_ arguments: String...) async throws -> ExecutableRun {
    try await home.run(
      ["page", "faketrack.gpx", "--photos", "pictures/", "-o", "walk.html"] + arguments)
  }

  @Test func aPageHasTheTextsOfTheFolderOfThePhotos() async throws {
    try home.file(
      "pictures/captions.csv",
      """
      photo;caption\r
      gate.png;"The ""gate"" & <script>alert(1)</script>"\r
      LAKE.PNG;The lake, at last\r
      From 10:00;"We began; at the station."\r
      """)
    let run = try await page()
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.errorLines.contains("captions: 3 in pictures/captions.csv"))
    #expect(!run.errors.contains("no chapter is named"), "\(run.errors)")
    let html = home.text(of: "walk.html")
    let missing = [
      "The &quot;gate&quot; &amp; &lt;script&gt;alert(1)&lt;/script&gt;", "The lake, at last",
      "We began; at the station.",
    ].filter { !html.contains($0) }
    #expect(missing == [])
    let hasScript = html.contains("<script>alert")
    #expect(!hasScript)
  }

  @Test func anotherFileTakesThePlaceOfThatOfTheFolder() async throws {
    try home.file("pictures/captions.csv", "gate.png,\"")
    try home.file("texts.csv", "gate.png,The gate\nx/lake.png,\n")
    let run = try await page("--captions", "texts.csv")
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.errorLines.contains("captions: 2 in texts.csv"))
    let hasCaption = home.text(of: "walk.html").contains("The gate")
    #expect(hasCaption)
  }

  @Test func rowsThatNameNothingAreNoted() async throws {
    try home.file(
      "texts.csv",
      (["photo,caption", "gate.png,The gate"] + (1...5).map { "IMG_\($0).jpg\u{1B},x" })
        .joined(separator: "\n"))
    let run = try await page("--captions", "texts.csv")
    #expect(run.code == 0)
    #expect(
      run.errorLines.filter { $0.hasPrefix("note: ") } == [
        "note: texts.csv:3: no photo and no chapter is named \"IMG_1.jpg\"",
        "note: texts.csv:4: no photo and no chapter is named \"IMG_2.jpg\"",
        "note: texts.csv:5: no photo and no chapter is named \"IMG_3.jpg\"", "note: 2 more",
      ])
  }

  @Test(
    arguments: [
      ("none.csv", 1, "none.csv: cannot be read: No such file or directory", "Check the name"),
      ("pictures", 1, "pictures: cannot be read: Is a directory", "Check the name"),
      ("broken.csv", 65, "broken.csv:2: a quote is not closed", "Put a quote at the end"),
      ("latin.csv", 65, "latin.csv:1: a row is not UTF-8", "Save the table as CSV in UTF-8."),
    ])
  func aFileThatIsNoTableEndsTheRunBeforeTheWalk(
    name: String, code: Int32, error: String, hint: String
  ) async throws {
    try home.file("broken.csv", "gate.png,The gate\nx/lake.png,\"The lake\n")
    try home.file("latin.csv", Data([0x61, 0x2C, 0xE4]))
    let run = try await page("--captions", name)
    #expect(run.code == code)
    #expect(run.errorLines.count == 2, "\(run.errors)")
    #expect(run.errorLines.first == "error: \(error)")
    #expect(run.errorLines.last?.hasPrefix("hint: \(hint)") == true)
    #expect(!FileManager.default.fileExists(atPath: home.path("walk.html")))
  }

  @Test func onlyAPageReadsTheCaptionsOfTheFolder() async throws {
    try home.file("pictures/captions.csv", "gate.png")
    let run = try await home.run("replay", "faketrack.gpx", "--photos", "pictures", "-f", "csv")
    #expect(run.code == 0, "\(run.errors)")
    #expect(try await page().code == 65)
  }

  @Test(
    arguments: [
      (["--captions", "texts.htm", "-o", "texts.htm", "--overwrite"], 65, "is also the output"),
      (["-f", "html", "-o", "pictures/captions.csv", "--overwrite"], 65, "is also the output"),
      (
        ["--captions", "album/photos/t.csv", "-f", "html", "-o", "album"], 64, "where album/photos"
      ),
    ])
  func theOutputReplacesNoCaptions(
    arguments: [String], code: Int32, error: String
  ) async throws {
    let names = ["texts.htm", "pictures/captions.csv", "album/photos/t.csv"]
    for name in names { try home.file(name, "gate.png,mine") }
    let run = try await home.run(
      ["replay", "faketrack.gpx", "--photos", "pictures"] + arguments)
    #expect(run.code == code)
    #expect(run.errors.contains(error), "\(run.errors)")
    for name in names { #expect(home.text(of: name) == "gate.png,mine") }
  }
}
