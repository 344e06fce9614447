import Foundation
import Testing

@testable import FaketrackFeatures

/// The beginnings of files, by which `-o` knows those that it may replace.
@Suite struct FileBeginningTests {
  private func recognize(_ text: String) -> [String] {
    OutputFormat.plain.filter { $0.recognizes(text) }.map(\.name)
  }

  @Test(
    arguments: ["ndjson", "csv", "geojson", "gpx", "xcode", "simctl", "adb"], [nil, "w/\"a\".gpx"])
  func aFormatRecognizesWhatItWrote(name: String, track: String?) throws {
    let format = try #require(OutputFormat.plain.first { $0.name == name })
    let text = Output.text(format, [try .photographed("1")], track: track)
    #expect(!recognize(text).isEmpty)
  }

  @Test(arguments: [
    #"{"event":"denied","time":"2026-05-01T08:00:00Z","distance":0.0}"#,
    #"{"track":"a","error":"it is empty"}"#, #"{"track":"a","end":true,"locations":92,"photos":1}"#,
  ])
  func otherRecordsAreRecognized(record: String) {
    #expect(recognize(record + "\n") == ["ndjson"])
  }

  @Test(arguments: [
    "faketrack", "https://example.org/1.jpg\n", "# faketrack\n", "$GPRMC,080000.00,A,\n",
    "index,time,latitude,longitude\n", #"{"index":{"_index":"walks"}}"#, #"{"error":"not found"}"#,
    #"{"event":"click","time":"2026-05-01T08:00:00Z","user":1}"#, #"{"index":0,"time":5}"#,
    "{\"type\":\"FeatureCollection\",\"features\":[\n{\"type\":\"Feature\",\"properties\":{}}]}",
    #"<?xml version="1.0" encoding="UTF-8"?><gpx version="1.1" creator="Garmin">"#,
    "<!DOCTYPE html>\n<html lang=\"en\"><head><title>faketrack</title>",
    "#!/bin/sh\nfaketrack replay\n",
  ])
  func filesOfOthersAreNot(text: String) {
    #expect(recognize(text).isEmpty)
  }

  @Test(arguments: [
    ("html", "html"), ("htm", "html"), ("GPX", "gpx"), ("jsonl", "ndjson"), ("txt", "text"),
    ("csv", "csv"), ("gz", nil), ("json", nil), ("", nil),
  ])
  func theExtensionPicksTheFormat(fileExtension: String, name: String?) {
    #expect(OutputFormat.of(fileExtension: fileExtension)?.name == name)
  }
}
