import FaketrackFeatures
import FaketrackTerminal
import Testing

@Suite struct DoctorTextTests {
  @Test func hintsAreBelowTheirFindings() {
    let failure = Failure(message: "is a\u{1B}[2Jfile", hint: "Rename it.")
    let findings: [Finding] = [
      .ok("time zones", "known"), .warning("page", "busy", hint: "Wait."),
      .problem("home", failure),
    ]
    #expect(
      TerminalStyle().text(for: findings) == """
        ok       time zones  known
        warning  page        busy
                             hint: Wait.
        problem  home        is a [2Jfile
                             hint: Rename it.

        """)
    #expect(TerminalStyle(hasColor: true).text(for: findings).contains("\u{1B}[2mhint:\u{1B}[0m"))
  }
}
