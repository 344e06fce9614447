import FaketrackTestSupport
import Foundation
import Testing

/// The test harness: its checks must be able to fail.
@Suite struct HarnessTests {
  struct Screen: Sendable, CustomTestStringConvertible {
    let text: String
    let rows: [String]

    init(_ text: String, _ rows: String...) {
      (self.text, self.rows) = (text, rows)
    }

    var testDescription: String { text.debugDescription }
  }

  /// Texts on a screen of ten columns and three rows.
  static let screens = [
    Screen(""),
    Screen("abc", "abc"),
    Screen("abc\r\ndef\r\n", "abc", "def"),
    Screen("abc\ndef", "abc", "   def"),
    Screen("abc\rX", "Xbc"),
    Screen("abc\r\u{1B}[KX", "X"),
    Screen("abcdef\u{1B}[3D\u{1B}[K", "abc"),
    Screen("\u{1B}[31mred\u{1B}[0m", "red"),
    Screen("0123456789ab", "0123456789", "ab"),
    Screen("1\r\n2\r\n3\r\n4", "2", "3", "4"),
    Screen("1\r\n2\u{1B}[H\u{1B}[JX", "X"),
    Screen("1\r\n2\u{1B}[2J\u{1B}[2;3HX", "", "  X"),
    Screen("1\r\n2\u{1B}[AX", "1X", "2"),
    Screen("ab\u{8}X", "aX"),
    Screen("\u{1B}[?25l ★ \u{1B}[?25h", " ★"),
  ]

  @Test(arguments: screens)
  func theScreenIsWhatATerminalShows(screen: Screen) {
    #expect(TerminalScreen(screen.text, columns: 10, rows: 3).rows == screen.rows)
  }

  @Test func aTextThatNeverComesIsAnErrorOnceTheProcessHasEnded() async throws {
    let process = try TemporaryHome().start(["--version"])
    await #expect(throws: Transcript.Ended.self) {
      try await process.output.waitFor("no such text")
    }
    #expect(await process.result().code == 0)
  }

  @Test func aProcessThatTakesTooLongIsKilled() async throws {
    let process = try TemporaryHome().start(
      ["info", "-"], .init(input: .later, timeout: 0.2))
    let run = await process.result()
    #expect(run.timedOut)
    #expect(run.code == 128 + SIGKILL)
  }

  @Test func aHomeGoesWithItsTest() throws {
    var home: TemporaryHome? = try TemporaryHome()
    let folder = try #require(home?.url.path)
    #expect(FileManager.default.fileExists(atPath: folder))
    home = nil
    #expect(!FileManager.default.fileExists(atPath: folder))
  }
}
