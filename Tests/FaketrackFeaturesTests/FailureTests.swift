import Cities
import FaketrackServices
import FaketrackSupport
import FaketrackTestSupport
import Foundation
import GPX
import Locations
import PhotoSearch
import Testing

@testable import FaketrackFeatures

/// The message of every error.
@Suite struct FailureTests {
  @Test func aFailureStaysAsItIs() {
    let failure = Failure(message: "m", hint: "h", kind: .unusableInput)
    #expect(Failure(failure) == failure)
    #expect(Failure(message: "m").kind == .failed)
    #expect(Failure(message: "m").hint == nil)
  }

  @Test func anErrorNobodyKnowsIsNamed() {
    #expect(Failure(Broken()) == Failure(message: "Broken()"))
  }

  @Test func anErrorOfFoundationIsItsPathAndCause() {
    let failure = #expect(throws: (any Error).self) {
      try FileManager.default.createDirectory(
        atPath: "/dev/null/home", withIntermediateDirectories: true)
    }.map { Failure($0) }
    #expect(failure?.message == "/dev/null: is a file, not a folder")
  }

  @Test func anyErrorCanSayItsOwnWords() {
    #expect(Failure(StoreIsBroken()) == StoreIsBroken().failure)
  }

  @Test func theSubjectCanStandInFront() {
    let failure = Failure(message: "the file is empty", hint: "h", kind: .unusableInput)
    #expect(
      failure.about("walk.gpx")
        == Failure(message: "walk.gpx: the file is empty", hint: "h", kind: .unusableInput))
  }

  // MARK: - Files

  @Test(
    arguments: [
      (ENOSPC, "/photos: No space left on device"), (EACCES, "/photos: Permission denied"),
      (ENOTDIR, "/photos: Not a directory"),
    ])
  func wordsAFileThatCannotBeWritten(code: Int32, message: String) {
    #expect(
      Failure(FileError(path: "/photos", code: code))
        == Failure(message: message, hint: "Make room, or name another place."))
  }

  @Test(
    arguments: [
      (.unreadable(errno: ENOENT), .failed), (.notGPX(.kml), .unusableInput),
      (.documentType, .unusableInput), (.notWellFormed("a tag"), .unusableInput),
      (.truncated, .unusableInput), (.nulBytes, .unusableInput), (.tooDeep, .unusableInput),
      (.markupTooLong, .unusableInput), (.tooManyNames, .unusableInput),
      (.truncatedGzip, .unusableInput),
      (.damagedGzip, .unusableInput),
      (
        .issue(GPXIssue(.init(.latitude, .missing), point: .trackPoint, line: 3, skipsPoint: true)),
        .unusableInput
      ),
    ] as [(GPXError.Cause, Failure.Kind)])
  func wordsATrackThatCannotBeRead(cause: GPXError.Cause, kind: Failure.Kind) {
    let error = GPXError(cause, file: "walk.gpx", line: 12)
    let failure = Failure(error)
    #expect(failure.kind == kind)
    #expect(failure.message == error.description)
    #expect(failure.message.hasPrefix("walk.gpx:12: "))
    #expect(failure.hint == error.recoverySuggestion)
    #expect(failure.hint != nil)
  }

  @Test func wordsAStartBeyondTheEndOfTheTrack() {
    let error = ReplayError.startBeyondEnd(length: 9_412, duration: .seconds(7_240))
    let failure = Failure(error)
    #expect(failure.message == error.description)
    #expect(failure.hint == "Begin nearer to the start with --from.")
    #expect(failure.kind == .wrongUsage)
  }

  // MARK: - Cities

  @Test(
    arguments: [
      (.unreadable(path: "/cities", reason: "Permission denied"), .failed),
      (.unwritable(path: "/cities", reason: "No space left on device"), .failed),
      (.notAnIndex(path: "/cities"), .failed),
      (.unsupportedVersion(path: "/cities", found: 9, supported: 3), .failed),
      (.damaged(path: "/cities", reason: "its checksum does not match"), .failed),
      (.damaged(path: "/cities", reason: "it is 7 bytes long, not 9"), .failed),
      (.unsupportedInput(format: "a zip archive, to be unpacked first"), .unusableInput),
      (.truncatedInput(rows: 7), .unusableInput), (.malformedInput(reason: "x"), .unusableInput),
      (.noUsableRow(rows: 3), .unusableInput), (.tooLarge, .unusableInput),
    ] as [(CitiesError, Failure.Kind)])
  func wordsAnIndexThatCannotBeUsed(error: CitiesError, kind: Failure.Kind) {
    let failure = Failure(error)
    #expect(failure.kind == kind)
    #expect(failure.message == error.description)
    #expect(failure.hint != nil)
    switch error.kind {
    case .notAnIndex, .unsupportedVersion, .damaged:
      #expect(failure.hint?.contains("faketrack cities reset") == true)
    default: #expect(failure.hint == error.recoverySuggestion)
    }
  }

  // MARK: - Services

  static let services:
    [(reason: ServiceError.Reason, message: String, hint: String?, kind: Failure.Kind)] = [
      (
        .unreachable, "S cannot be reached: m",
        "Check the network and the proxy settings, then try again.", .serviceUnavailable
      ),
      (.status(400), "S answered HTTP 400: m", "Check the address.", .serviceUnavailable),
      (.status(404), "S answered HTTP 404: m", "Check the address.", .serviceUnavailable),
      (.status(428), "S answered HTTP 428: m", "Check the address.", .serviceUnavailable),
      (.status(429), "S answered HTTP 429: m", "Try again later.", .serviceUnavailable),
      (.status(430), "S answered HTTP 430: m", "Check the address.", .serviceUnavailable),
      (.status(499), "S answered HTTP 499: m", "Check the address.", .serviceUnavailable),
      (.status(500), "S answered HTTP 500: m", "Try again later.", .serviceUnavailable),
      (.status(503), "S answered HTTP 503: m", "Try again later.", .serviceUnavailable),
      (.status(302), "S answered HTTP 302: m", "Try again later.", .serviceUnavailable),
      (.refused(code: "10"), "S refused (10): m", "Try again later.", .serviceUnavailable),
      (
        .keyRejected(code: "100"), "S rejected the key (100): m", "Check the key.",
        .serviceUnavailable
      ),
      (.brokenAnswer, "S sent an unusable answer: m", "Try again later.", .serviceUnavailable),
      (.tooLarge(limit: 16), "S sent more than 16 bytes", nil, .serviceUnavailable),
      (
        .untrusted, "S cannot be reached: m",
        "Check the date and the trusted certificates of this computer.", .serviceUnavailable
      ),
      (.unusableAddress, "S cannot be asked: m", "Check the address.", .failed),
    ]

  @Test(arguments: FailureTests.services)
  func wordsAServiceThatFailed(
    reason: ServiceError.Reason, message: String, hint: String?, kind: Failure.Kind
  ) {
    let error = ServiceError(service: "S", reason: reason, message: "m")
    #expect(Failure(error) == Failure(message: message, hint: hint, kind: kind))
    let late = ServiceError(service: "S", reason: reason, message: "m", attempts: 4)
    #expect(Failure(late).message == "\(message) (4 attempts)")
  }

  @Test(arguments: FailureTests.services)
  func aPhotoSearchThatFailedIsAlwaysTheServicesFault(
    reason: ServiceError.Reason, message: String, hint: String?, kind: Failure.Kind
  ) {
    let error = PhotoSearchError(service: "S", reason: reason, message: "m")
    let failure = Failure(error)
    #expect(failure.message == message)
    #expect(failure.hint == error.recoverySuggestion)
    #expect(failure.kind == .serviceUnavailable)
  }
}
