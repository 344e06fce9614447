import FaketrackTestSupport
import Foundation
import Testing

@Suite struct ListsTests {
  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
    try home.file("feed.json", Self.feed)
  }

  private static let feed = """
    [{"id": 755, "listId": 2, "name": ""},
    {"id": 203, "listId": 2, "name": "Item 28"},
    {"id": 684, "listId": 1, "name": "Item 684"},
    {"id": 276, "listId": 2, "name": "Item 276"},
    {"id": 736, "listId": 3, "name": null},
    {"id": 735, "listId": 1, "name": "  "}]
    """
  private static let summary = "3 items in 2 lists, 3 items without a name left out\n"

  struct Look: Sendable, CustomTestStringConvertible {
    let options: [String]
    let output: String

    init(_ options: String, _ output: String) {
      self.options = options.split(separator: " ").map(String.init)
      self.output = output
    }

    var testDescription: String { options.joined(separator: " ") }
  }

  static let looks = [
    Look("", "List 1  1 item\n│ Item 684\n\nList 2  2 items\n│ Item 276\n│ Item 28\n"),
    Look("--sort text", "List 1  1 item\n│ Item 684\n\nList 2  2 items\n│ Item 276\n│ Item 28\n"),
    Look(
      "--sort natural", "List 1  1 item\n│ Item 684\n\nList 2  2 items\n│ Item 28\n│ Item 276\n"),
    Look(
      "--format ndjson",
      """
      {"listId":1,"id":684,"name":"Item 684"}
      {"listId":2,"id":276,"name":"Item 276"}
      {"listId":2,"id":203,"name":"Item 28"}

      """),
    Look(
      "--format ndjson --sort natural",
      """
      {"listId":1,"id":684,"name":"Item 684"}
      {"listId":2,"id":203,"name":"Item 28"}
      {"listId":2,"id":276,"name":"Item 276"}

      """),
  ]

  @Test(arguments: looks)
  func groupsTheNamedItemsByList(look: Look) async throws {
    let run = try await home.run(["lists", "feed.json"] + look.options)
    #expect(run.code == 0)
    #expect(run.output == look.output)
    #expect(run.errors == Self.summary)
  }

  @Test func fetchesAFeedAndKeepsIt() async throws {
    let body = Data(Self.feed.utf8)
    let handler: StubServer.Handler = { request in
      request.header("If-None-Match") == "\"1\""
        ? .answer(status: 304) : .answer(headers: ["ETag": "\"1\""], body: body)
    }
    try await StubServer.run(handler) { server in
      for _ in 0..<2 {
        let run = try await home.run("lists", "\(server.url)items.json")
        #expect(run.code == 0)
        #expect(run.output == Self.looks[0].output)
        #expect(run.errors == Self.summary)
      }
      #expect(server.requests.allSatisfy { $0.path == "/items.json" })
    }
  }

  struct Fault: Sendable, CustomTestStringConvertible {
    let text: String
    let code: Int32
    let message: String

    init(_ text: String, code: Int32 = 65, _ message: String) {
      (self.text, self.code, self.message) = (text, code, message)
    }

    var testDescription: String { text }
  }

  static let faults = [
    Fault("{", "the feed is not JSON"),
    Fault("<html></html>", "the feed is not JSON"),
    Fault("", "the feed is empty"),
    Fault("null", "the feed is not an array"),
    Fault(#"[{"id":1}]"#, "item 1: listId is missing"),
    Fault(
      #"[{"id":1,"listId":1,"name":"A"},{"listId":1,"name":"B"}]"#, "item 2: id is missing"),
  ]

  @Test(arguments: faults)
  func aFeedThatIsNoneEndsWith65(fault: Fault) async throws {
    let run = try await home.run("lists", try home.file("bad.json", fault.text))
    #expect(run.code == fault.code)
    #expect(run.output.isEmpty)
    #expect(
      run.errors == """
        error: bad.json: \(fault.message)
        hint: A feed is an array of objects with id, listId and name.

        """)
  }

  @Test func anEmptyFeedIsFine() async throws {
    let run = try await home.run("lists", try home.file("empty.json", "[]"))
    #expect(run.code == 0)
    #expect(run.output.isEmpty)
    #expect(run.errors == "0 items in 0 lists\n")
  }

  @Test func aMissingFileEndsWith1() async throws {
    let run = try await home.run("lists", "none.json")
    #expect(run.code == 1)
    #expect(
      run.errors == """
        error: none.json: the file cannot be read: there is no such file
        hint: Check that the file exists and may be read.

        """)
  }

  @Test func anAddressOfAnotherKindEndsWith1() async throws {
    let run = try await home.run("lists", "ftp://x/y")
    #expect(run.code == 1)
    #expect(
      run.errors == """
        error: ftp://x/y: the address of the feed is not usable
        hint: Give a file, or an address that begins with http:// or https://.

        """)
  }

  @Test func anAddressThatCannotBeReachedEndsWith69() async throws {
    let address = "\(try Port.closed())items.json"
    let run = try await home.run("lists", address)
    #expect(run.code == 69)
    #expect(run.output.isEmpty)
    #expect(
      run.errors == """
        error: \(address): 127.0.0.1 cannot be reached: the connection was refused (4 attempts)
        hint: Check the network and the proxy settings, then try again.

        """)
  }

  @Test func anAddressWithoutAFeedEndsWith69() async throws {
    try await StubServer.run({ _ in .html(status: 404) }) { server in
      let address = "\(server.url)items.json"
      let run = try await home.run("lists", address)
      #expect(run.code == 69)
      #expect(
        run.errors == "error: \(address): 127.0.0.1 answered HTTP 404\nhint: Check the address.\n")
    }
  }

  @Test func namesCannotSteerTheTerminal() async throws {
    let feed = #"[{"id":1,"listId":1,"name":"A\u001b[2JB"}]"#
    let run = try await home.run("lists", try home.file("evil.json", feed))
    #expect(run.code == 0)
    #expect(!run.output.contains("\u{1B}"))
  }

  @Test(arguments: [true, false])
  func colorsAreForTerminals(hasColor: Bool) async throws {
    let terminal = try PseudoTerminal()
    let run = try await home.run(
      ["lists", "feed.json"],
      .init(environment: hasColor ? [:] : ["NO_COLOR": "1"], terminal: terminal))
    #expect(run.code == 0)
    #expect(await terminal.finish().contains("\u{1B}[") == hasColor)
    #expect(terminal.screen.contains("│ Item 276"))
  }
}
