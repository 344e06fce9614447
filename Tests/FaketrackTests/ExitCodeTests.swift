import FaketrackFeatures
import Testing

@testable import faketrack

@Suite struct ExitCodeTests {
  @Test(
    arguments: [
      (.failed, 1), (.wrongUsage, 64), (.unusableInput, 65), (.serviceUnavailable, 69),
      (.permissionDenied, 77),
    ] as [(Failure.Kind, Int32)])
  func everyKindOfFailureHasItsCode(kind: Failure.Kind, code: Int32) {
    #expect(kind.exitCode == code)
  }
}
