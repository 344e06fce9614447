import Testing

@testable import FaketrackServer

@Suite struct WebHeadersTests {
  private let headers: WebHeaders = ["Host": "a", "X-One": "1", "x-one": "2"]

  @Test(arguments: ["X-One", "x-one", "X-ONE"])
  func namesAreFoundInAnyCase(_ name: String) {
    #expect(headers[name] == "1")
    #expect(headers.values(of: name) == ["1", "2"])
  }

  @Test(arguments: ["X-On", "X-Onee", "X@One", "", "\u{212A}"])
  func otherNamesAreNotThere(_ name: String) {
    #expect(headers[name] == nil)
    #expect(headers.values(of: name).isEmpty)
  }

  @Test func settingAValueReplacesAll() {
    var headers = headers
    headers["X-ONE"] = "3"
    #expect(headers.values(of: "x-one") == ["3"])
    headers["host"] = nil
    #expect(headers.fields.map(\.name) == ["X-ONE"] && headers["x-one"] == "3")
    #expect(headers != [:])
  }
}

@Suite struct WebRequestTests {
  @Test(arguments: [
    ("/", "/", ""), ("/a?b=c", "/a", "b=c"), ("/a?", "/a", ""), ("/a?b?c", "/a", "b?c"),
    ("/%3F?x", "/%3F", "x"), ("*", "*", ""), ("?", "", ""), ("/ä\u{301}?ö", "/ä\u{301}", "ö"),
  ])
  func theTargetIsAPathAndAQuery(_ target: String, path: String, query: String) {
    let request = WebRequest(method: "GET", target: target, headers: [:])
    #expect(request.path == path)
    #expect(request.query == query)
  }

  @Test func aBodyThatWasTooLongIsNotThere() {
    let request = WebRequest(method: "POST", target: "/", headers: [:], body: .tooLong)
    #expect(throws: WebRequest.BodyTooLong.self) { try request.body(limit: .max) }
  }
}

@Suite struct OpenConnectionsTests {
  private var connections: OpenConnections {
    var limits = ServerLimits()
    limits.bodies = 10
    return OpenConnections(limits: limits)
  }

  @Test func bodiesAreKeptUpToTheLimit() {
    let connections = connections
    #expect(connections.reserve(10) && !connections.reserve(1) && connections.reserve(0))
    connections.release(4)
    #expect(!connections.reserve(5) && connections.reserve(4))
    #expect(!connections.reserve(.max))
  }

  @Test func withoutConnectionsNoneIsClosed() {
    #expect(!connections.closeLongestIdle())
  }
}
