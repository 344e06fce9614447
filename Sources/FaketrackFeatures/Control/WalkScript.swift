import Locations

/// The events of a walk that are known before it: a line has a position and a command, such as `2km
/// outage 30s`. Empty lines and lines that begin with # are ignored.
package struct WalkScript: Hashable, Sendable {
  /// A place where the speed changes.
  package struct Turn: Hashable, Sendable {
    package let position: ReplayPosition
    package let speed: ReplaySpeed
  }

  /// The changes of the device.
  package var steps: [DeviceStep] = []
  package var turns: [Turn] = []

  /// An invalid line, counted from 1.
  package struct InvalidLine: Error {
    package let number: Int
  }

  package init(steps: [DeviceStep] = []) {
    self.steps = steps
  }

  /// Replaces all changes of the permission by one at the start.
  package mutating func setPermission(_ status: AuthorizationStatus) {
    steps.removeAll { if case .status = $0.change { true } else { false } }
    steps.insert(DeviceStep(.status(status), at: .start), at: 0)
  }

  package init(_ text: String) throws(InvalidLine) {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      let words = line.split(maxSplits: 1, whereSeparator: \.isWhitespace).map(String.init)
      guard let first = words.first, !first.hasPrefix("#") else { continue }
      guard words.count == 2, let position = ReplayPosition(text: first),
        let command = try? WalkCommand(words[1])
      else { throw InvalidLine(number: index + 1) }
      switch command {
      case .change(let change):
        let isPermission = if case .status = change { true } else { false }
        let isStart =
          isPermission && steps.isEmpty && [.elapsed(.zero), .meters(0)].contains(position)
        steps.append(DeviceStep(change, at: isStart ? .start : position))
      case .speed(let speed, over: .zero): turns.append(Turn(position: position, speed: speed))
      case .speed, .walk, .advance, .pause, .resume, .jump, .track, .stop:
        throw InvalidLine(number: index + 1)
      }
    }
  }
}
