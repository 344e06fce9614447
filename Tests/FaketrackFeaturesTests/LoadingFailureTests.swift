import Cities
import FaketrackFeatures
import FaketrackServices
import PhotoSearch
import Testing

@Suite struct LoadingFailureTests {
  @Test(
    arguments: [
      (CitiesError.tooLarge, .unusableInput), (StubFavorites.failure, .failed),
      (CitiesError.summaryUnavailable(reason: "x", isUnreachable: false), .serviceUnavailable),
      (
        PhotoSearchError(service: "S", reason: .unreachable, message: "m"), .serviceUnavailable
      ),
      (ServiceError(service: "S", reason: .unusableAddress, message: "m"), .failed),
      (ServiceError(service: "S", reason: .brokenAnswer, message: "m"), .unusableInput),
      (UnknownError(), .failed),
    ] as [(any Error, LoadingFailure.Kind)])
  func tellsWhoIsToBlame(error: any Error, kind: LoadingFailure.Kind) {
    let failure = LoadingFailure(error)
    #expect(failure.kind == kind)
    #expect(failure.message == "\(error)")
    #expect(failure.hint == (error as? any RecoverableError)?.recoverySuggestion)
  }

  @Test func aFailureStaysAsItIs() {
    let failure = LoadingFailure(message: "m", hint: "h", kind: .unusableInput)
    #expect(LoadingFailure(failure) == failure)
  }

  @Test(
    arguments: [
      (.status(404), "Check the address."), (.status(428), "Check the address."),
      (.status(429), "Try again later."), (.status(430), "Check the address."),
      (.status(500), "Try again later."), (.brokenAnswer, "Try again later."),
      (.tooLarge(limit: 1), nil),
    ] as [(ServiceError.Reason, String?)])
  func saysWhatToDoAboutAService(reason: ServiceError.Reason, hint: String?) {
    #expect(ServiceError(service: "S", reason: reason, message: "").recoverySuggestion == hint)
  }

  private struct UnknownError: Error {}
}
