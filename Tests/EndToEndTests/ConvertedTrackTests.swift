import FaketrackSupport
import FaketrackTestSupport
import Foundation
import Testing

/// Tracks of other formats, with scripts in place of gpsbabel and unzip.
@Suite struct ConvertedTrackTests {
  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
    try home.file("out.gpx", Track.north(20))
    try home.file("bin/.keep", "")
  }

  private func install(_ name: String, _ script: String) throws {
    let text = "#!/bin/sh\nprintf '%s\\n' \"$@\" >>'\(home.path("arguments"))'\n\(script)\n"
    // See HEICStub.
    _ = try Program.run(
      "/bin/sh", ["-c", #"cat >"$0" && chmod +x "$0""#, home.path("bin/\(name)")],
      input: Data(text.utf8), timeout: .seconds(60))
  }

  private func run(_ words: String...) async throws -> ExecutableRun {
    try await home.run(
      [words[0], "--photos", "none", "--no-cities"] + words.dropFirst(),
      .init(environment: ["PATH": home.path("bin") + ":/usr/bin:/bin"]))
  }

  @Test(arguments: [
    ("a.kml", "<?xml version=\"1.0\"?><kml xmlns=\"x\"/>", "kml"),
    ("-b.tcx", "<ns:TrainingCenterDatabase xmlns:ns=\"x\"/>", "gtrnctr"),
    ("c.json", #"{"type": "FeatureCollection", "features": []}"#, "geojson"),
    ("d.igc", "AXXX123\nHFDTE010526\n", "igc"),
    ("e", "\u{0e}\u{10}0000\u{00}\u{00}.FIT0000", "garmin_fit"),
  ])
  func gpsbabelReadsWhatIsNoGPX(name: String, text: String, format: String) async throws {
    try install("gpsbabel", "cat '\(home.path("out.gpx"))'")
    try home.file(name, text)
    let run = try await run("replay", "--format", "ndjson", "--", name)
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.errors.contains("note: \(name) is "))
    #expect(try run.records.count > 20)
    #expect(
      home.text(of: "arguments").split(separator: "\n")
        == ["-i", format, "-f", "./\(name)", "-o", "gpx", "-F", "-"].map { $0[...] })
  }

  @Test func anArchiveIsReadByItsOnlyFile() async throws {
    try install(
      "unzip",
      "case $1 in -Z1) printf 'a/\\na/walk.gpx\\n__MACOSX/a/._walk.gpx\\n' ;; -p) cat '\(home.path("out.gpx"))' ;; esac"
    )
    try home.file("walk.zip", "PK\u{03}\u{04}rest")
    let run = try await run("replay", "walk.zip", "--format", "ndjson")
    #expect(run.code == 0, "\(run.errors)")
    try install("unzip", "printf 'a.gpx\\nb.gpx\\n'")
    let several = try await self.run("replay", "walk.zip", "--format", "ndjson")
    #expect(several.code == 65)
    #expect(
      several.errors.contains(
        "error: walk.zip: this is a ZIP archive, not GPX\nhint: Unpack it with unzip walk.zip"))
  }

  @Test func aProgramThatFailsIsNamed() async throws {
    try install("gpsbabel", "echo '<gpx/>'; exit 1")
    try home.file("a.kml", "<kml/>")
    let run = try await run("replay", "a.kml", "--format", "ndjson")
    #expect(run.code == 65)
    #expect(run.errors.contains("error: a.kml: gpsbabel cannot read it\n"))
    try install("gpsbabel", "echo 'no track'")
    let other = try await self.run("replay", "a.kml", "--format", "ndjson")
    #expect(other.code == 65)
  }

  @Test func theInputIsNotReplaced() async throws {
    try install("gpsbabel", "cat '\(home.path("out.gpx"))'")
    try home.file("a.kml", "<kml/>")
    let run = try await run("replay", "a.kml", "-o", "a.kml", "--format", "gpx", "--overwrite")
    #expect(run.code == 65)
    #expect(home.text(of: "a.kml") == "<kml/>")
    let list = try await self.run(
      "replay", "a.kml", "a.kml", "-o", "a.kml", "--format", "gpx", "--overwrite")
    #expect(list.code == 65)
    #expect(home.text(of: "a.kml") == "<kml/>")
  }
}
