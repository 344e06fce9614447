import FaketrackSupport
import Foundation

/// A terminal without a screen or keyboard, on which a test presses keys and reads the output of a process.
package final class PseudoTerminal: Sendable {
  package struct Unavailable: Error {}

  /// The output to the terminal, including control sequences.
  package let transcript = Transcript()
  /// The end of the terminal that a process uses.
  let device: FileHandle
  /// The path of the device.
  let name: String
  private let master: FileHandle
  private let rows: Int
  private let columns: Locked<Int>
  private let modeAtStart: TerminalMode

  package init(columns: Int = 100, rows: Int = 30) throws {
    let descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Unavailable() }
    master = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
    guard let name = Self.unlockedDevice(of: descriptor) else { throw Unavailable() }
    self.name = name
    let slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard slave >= 0 else { throw Unavailable() }
    device = FileHandle(fileDescriptor: slave, closeOnDealloc: false)
    self.rows = rows
    self.columns = Locked(columns)
    modeAtStart = TerminalMode(of: slave)
    resize(columns: columns)
    transcript.collect(from: master)
  }

  deinit {
    // Ends the thread that reads the other side, where ``finish()`` has not done so.
    try? device.close()
  }

  /// Changes the width, as a user does by dragging the edge of the window.
  package func resize(columns: Int) {
    self.columns.withLock { $0 = columns }
    var size = winsize(
      ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(device.fileDescriptor, UInt(TIOCSWINSZ), &size)
  }

  /// Presses keys, one for each character; `"\u{3}"` is Ctrl-C.
  package func press(_ keys: String) throws {
    try master.write(contentsOf: Data(keys.utf8))
  }

  /// Whether keys are delivered one by one without an echo.
  package var isRaw: Bool { TerminalMode(of: device.fileDescriptor).isRaw }

  /// Whether the mode is the initial one.
  package var isRestored: Bool { TerminalMode(of: device.fileDescriptor) == modeAtStart }

  /// The current rows of the screen, without trailing blanks.
  package var screen: [String] {
    TerminalScreen(transcript.text, columns: columns.withLock { $0 }, rows: rows).rows
  }

  /// Closes the terminal and returns its output. Call this after its processes have ended.
  @discardableResult
  package func finish() async -> String {
    try? device.close()
    await transcript.waitForEnd()
    return transcript.text
  }

  private static func unlockedDevice(of master: Int32) -> String? {
    #if os(Linux)
      // TIOCSPTLCK and TIOCGPTN, which Swift cannot import.
      var (lock, number) = (Int32(0), Int32(0))
      guard ioctl(master, 0x4004_5431, &lock) == 0, ioctl(master, 0x8004_5430, &number) == 0
      else { return nil }
      return "/dev/pts/\(number)"
    #else
      guard grantpt(master) == 0, unlockpt(master) == 0, let name = ptsname(master) else {
        return nil
      }
      return String(cString: name)
    #endif
  }
}

/// The parts of a terminal's mode that programs change.
private struct TerminalMode: Equatable {
  var flags: [tcflag_t]

  init(of descriptor: Int32) {
    var mode = termios()
    tcgetattr(descriptor, &mode)
    flags = [mode.c_iflag, mode.c_oflag, mode.c_cflag, mode.c_lflag]
  }

  var isRaw: Bool { flags[3] & tcflag_t(ICANON | ECHO) == 0 }
}

/// The screen of a terminal after some output. Interprets carriage returns, erasing and cursor movement, and
/// ignores colors.
package struct TerminalScreen {
  private var cells: [[Character]]
  private var (row, column) = (0, 0)
  private let columns: Int

  /// The rows without trailing blanks, up to the last that is not empty.
  package var rows: [String] {
    var rows = cells.map { row in
      var text = String(row)
      while text.last == " " { text.removeLast() }
      return text
    }
    while rows.last == "" { rows.removeLast() }
    return rows
  }

  package init(_ text: String, columns: Int, rows: Int) {
    self.columns = columns
    cells = Array(repeating: Self.blank(columns), count: rows)
    var rest = Substring(text)
    // A line's end of two characters is one `Character`.
    while let character = rest.popFirst() {
      switch character {
      case "\r\n":
        column = 0
        feedLine()
      case "\r": column = 0
      case "\n": feedLine()
      case "\u{8}": column = max(0, column - 1)
      case "\u{1B}": obey(&rest)
      default: put(character)
      }
    }
  }

  private static func blank(_ columns: Int) -> [Character] {
    Array(repeating: " ", count: columns)
  }

  private mutating func put(_ character: Character) {
    guard character.unicodeScalars.allSatisfy({ $0.value >= 32 && $0.value != 127 }) else { return }
    if column == columns {
      column = 0
      feedLine()
    }
    cells[row][column] = character
    column += 1
  }

  private mutating func feedLine() {
    if row + 1 < cells.count {
      row += 1
    } else {
      cells.removeFirst()
      cells.append(Self.blank(columns))
    }
  }

  /// Interprets a control sequence after its escape (ECMA-48).
  private mutating func obey(_ rest: inout Substring) {
    guard rest.first == "[" else {
      rest = rest.dropFirst()
      return
    }
    rest = rest.dropFirst()
    let parameters = rest.prefix { $0.isNumber || $0 == ";" || $0 == "?" }
    rest = rest.dropFirst(parameters.count)
    guard let command = rest.popFirst() else { return }
    let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false)
      .map { Int($0) ?? 0 }
    let first = numbers.first ?? 0
    switch command {
    case "A": row = max(0, row - max(1, first))
    case "B": row = min(cells.count - 1, row + max(1, first))
    case "C": column = min(columns - 1, column + max(1, first))
    case "D": column = max(0, column - max(1, first))
    case "G": column = min(columns, max(1, first)) - 1
    case "H":
      row = min(cells.count, max(1, first)) - 1
      column = min(columns, max(1, numbers.count > 1 ? numbers[1] : 1)) - 1
    case "J":
      for index in cells.indices where first == 2 || index > row {
        cells[index] = Self.blank(columns)
      }
      if first != 2 { eraseLine(0) }
    case "K": eraseLine(first)
    default: break
    }
  }

  private mutating func eraseLine(_ part: Int) {
    let range =
      part == 0 ? column..<columns : part == 1 ? 0..<min(columns, column + 1) : 0..<columns
    for index in range where index < columns { cells[row][index] = " " }
  }
}
