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
    var reader = LineReader(pipe.fileHandleForReading.fileDescriptor, limit: limit)
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
    var reader = LineReader(pipe.fileHandleForReading.fileDescriptor)
    var asked = 0
    let line = try reader.next {
      asked += 1
      return asked > 2
    }
    #expect(line == nil)
  }

  @Test func whatCannotBeReadIsAnError() throws {
    let folder = open("/", O_RDONLY)
    defer { close(folder) }
    var reader = LineReader(folder)
    #expect { try reader.next() } throws: { "\($0)".contains("\(EISDIR)") }
  }
}
