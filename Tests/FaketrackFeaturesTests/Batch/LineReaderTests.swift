import Foundation
import Testing

@testable import FaketrackFeatures

@Suite struct LineReaderTests {
  /// The lines of a text that comes through a pipe in pieces of this size.
  private func lines(
    _ text: String, limit: Int = LineReader.limit, piece: Int = 1 << 20
  ) throws -> (lines: [LineReader.Line], position: Int) {
    let pipe = Pipe()
    let bytes = Array(text.utf8)
    let writer = Thread {
      var rest = bytes[...]
      while !rest.isEmpty {
        pipe.fileHandleForWriting.write(Data(rest.prefix(piece)))
        rest = rest.dropFirst(piece)
      }
      try? pipe.fileHandleForWriting.close()
    }
    writer.start()
    let reader = try LineReader(
      dup(pipe.fileHandleForReading.fileDescriptor), name: "input", hint: "", limit: limit)
    var lines: [LineReader.Line] = []
    while let line = try reader.next() { lines.append(line) }
    return (lines, reader.position)
  }

  private func text(_ line: String) -> LineReader.Line { .text(Array(line.utf8)) }

  @Test(arguments: [1, 3, 7, 1 << 20])
  func linesAreTheSameHoweverTheyCome(piece: Int) throws {
    let (lines, position) = try lines("one\n\nthree\r\nvier ä\nrest", piece: piece)
    #expect(
      lines == [
        text("one"), text(""), text("three\r"), text("vier ä"), .unfinished(Array("rest".utf8)),
      ])
    #expect(position == 24)
  }

  @Test func nothingHasNoLines() throws {
    #expect(try lines("").lines.isEmpty)
    #expect(try lines("\n").lines == [text("")])
  }

  @Test func aLongLineComesWhole() throws {
    let long = String(repeating: "x", count: 1_000_000)
    #expect(
      try lines("a\n\(long)\nb\n", piece: 50_000).lines == [text("a"), text(long), text("b")])
  }

  @Test func aLineWithoutAnEndIsAFailure() throws {
    let reader = try LineReader(
      open("/dev/zero", O_RDONLY), name: "zero", hint: "Name another.", limit: 1 << 16)
    #expect {
      try reader.next()
    } throws: { ($0 as? Failure)?.message == "zero:1: the line does not end" }
  }

  @Test(arguments: [1, 1 << 20])
  func aByteOrderMarkIsNoPartOfTheFirstLine(piece: Int) throws {
    let (lines, position) = try lines("\u{FEFF}one\n\u{FEFF}two\n", piece: piece)
    #expect(lines == [text("one"), text("\u{FEFF}two")])
    #expect(position == 14)
  }

  @Test(arguments: ["\n", ""])
  func aLineThatIsTooLongIsPassedOver(end: String) throws {
    let long = String(repeating: "x", count: 500_000)
    let (lines, position) = try lines("a\n\(long)\(end)", limit: 100_000, piece: 10_000)
    #expect(lines == [text("a"), .tooLong])
    #expect(position == 500_002 + end.utf8.count)
    #expect(
      try self.lines("\(long)\nb\n", limit: 100_000, piece: 10_000).lines == [.tooLong, text("b")])
  }

  @Test func aWaitEndsWhenItIsCanceled() throws {
    let pipe = Pipe()
    let reader = try LineReader(
      dup(pipe.fileHandleForReading.fileDescriptor), name: "input", hint: "")
    var asked = 0
    let line = try reader.next {
      asked += 1
      return asked > 2
    }
    #expect(line == nil)
  }

  @Test func whatCannotBeReadIsAnError() throws {
    let reader = try LineReader(open("/", O_RDONLY), name: "/", hint: "Check it.")
    let failure = #expect(throws: Failure.self) { try reader.next() }
    #expect(failure == Failure(message: "/: cannot be read: Is a directory", hint: "Check it."))
  }
}
