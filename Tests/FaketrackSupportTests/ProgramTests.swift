import FaketrackSupport
import Foundation
import Testing

@Suite struct ProgramTests {
  private func shell(
    _ script: String, input: String = "", includesErrors: Bool = false,
    timeout: Duration = .seconds(60)
  ) throws -> (status: Int32, output: String)? {
    try Program.run(
      "/bin/sh", ["-c", script], input: Data(input.utf8), includesErrors: includesErrors,
      timeout: timeout
    ).map { ($0.status, String(decoding: $0.output, as: UTF8.self)) }
  }

  @Test func theOutputAndTheExitCodeAreReturned() throws {
    let script = "echo out; echo error >&2; exit 3"
    #expect(try #require(try shell(script)) == (3, "out\n"))
    #expect(try #require(try shell(script, includesErrors: true)) == (3, "out\nerror\n"))
  }

  @Test func inputAndOutputMayBeLargerThanAPipe() throws {
    let input = String(repeating: "fix\n", count: 100_000)
    #expect(try #require(try shell("cat", input: input)) == (0, input))
  }

  @Test func aSignalIsNoExitCode() throws {
    #expect(try shell("kill -KILL $$") == nil)
    #expect(try shell("exec sleep 600", timeout: .milliseconds(1)) == nil)
  }

  @Test func aProgramThatItHasStartedIsNotWaitedFor() throws {
    #expect(try shell("sleep 30; true", timeout: .milliseconds(100)) == nil)
  }

  @Test func tooMuchOutputIsNoResult() throws {
    #expect(try shell("head -c 16777217 /dev/zero") == nil)
    #expect(try #require(try shell("head -c 16777216 /dev/zero")).output.utf8.count == 16 << 20)
  }

  @Test func aProgramThatIsNotThereThrows() {
    #expect(throws: (any Error).self) {
      try Program.run("/nonexistent", [], input: Data(), timeout: .seconds(60))
    }
  }
}
