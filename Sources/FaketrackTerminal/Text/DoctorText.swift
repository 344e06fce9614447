import FaketrackFeatures
import FaketrackSupport

extension TerminalStyle {
  /// A line for each finding, with its hint below.
  package func text(for findings: [Finding]) -> String {
    let width = findings.map(\.check.columns).max() ?? 0
    let indent = String(repeating: " ", count: 7 + 2 + width + 2)
    return findings.map { finding in
      let ink: CellStyle.Ink =
        switch finding.state {
        case .ok: .positive
        case .warning: .highlight
        case .problem: .failure
        }
      let state = colored(finding.state.rawValue.padded(toColumns: 7), ink)
      let check = finding.check.padded(toColumns: width)
      let hint = finding.hint.map { "\(indent)\(dim("hint:")) \($0.safeForTerminal)\n" } ?? ""
      return "\(state)  \(check)  \(finding.text.safeForTerminal)\n\(hint)"
    }.joined()
  }
}
