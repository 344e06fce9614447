import FaketrackServices
import Foundation
import Testing

@Suite struct HTTPRequestTests {
  private let endpoint = URL(literal: "https://api.example/rest/")

  private func request(key: String = "s3cr3t key+1") -> ServiceRequest {
    ServiceRequest(
      endpoint,
      query: [QueryItem("method", "a|b,c"), QueryItem("api_key", Secret(key))])
  }

  @Test func encodesAllButUnreservedCharacters() {
    #expect(
      request().url?.absoluteString
        == "https://api.example/rest/?method=a%7Cb%2Cc&api_key=s3cr3t%20key%2B1")
    let umlaut = ServiceRequest(endpoint, query: [QueryItem("q", "Zürich~\u{1}")])
    #expect(umlaut.url?.query == "q=Z%C3%BCrich~%01")
  }

  @Test func keepsTheQueryOfTheEndpoint() {
    let request = ServiceRequest(
      URL(literal: "http://cache.example/f?token=1"), query: [QueryItem("a", "2")])
    #expect(request.url?.absoluteString == "http://cache.example/f?token=1&a=2")
  }

  @Test func isTheEndpointWithoutAQuery() {
    #expect(ServiceRequest(endpoint).url == endpoint)
  }

  @Test func showsNoSecretInAnyForm() {
    let request = request()
    var dumped = ""
    dump(request, to: &dumped)
    dump(request.query, to: &dumped)
    let shown = [
      "\(request)", String(reflecting: request), String(describing: request.query),
      String(reflecting: request.query), "\([request])", "\(Optional(request) as Any)",
      request.redactedURL, dumped,
    ]
    for text in shown {
      #expect(!text.contains("s3cr3t"), "\(text)")
      #expect(text.contains("***"))
    }
  }

  @Test func hidesUserAndPassword() {
    let request = ServiceRequest(URL(literal: "http://joe:pass1@proxy.example/x"))
    #expect(request.redactedURL == "http://proxy.example/x")
    #expect(request.url?.user == "joe")
  }

  @Test(arguments: [
    ("no key (s3cr3t key+1)", "no key (***)"),
    ("at ?api_key=s3cr3t%20key%2B1&x", "at ?api_key=***&x"),
    ("s3cr3t key+1s3cr3t key+1", "******"),
    ("nothing here", "nothing here"),
  ])
  func redactsSecretsFromText(text: String, expected: String) {
    #expect(request().redacted(text) == expected)
  }

  @Test func anEmptySecretRedactsNothing() {
    #expect(request(key: "").redacted("as it was") == "as it was")
  }

  @Test func findsValuesByName() {
    #expect(request().value(for: "method") == "a|b,c")
    #expect(request().value(for: "other") == nil)
  }

  @Test func findsHeadersInAnyCase() {
    let response = ServiceResponse(headers: ["reTRY-After": "3"])
    #expect(response.header("Retry-After") == "3")
    #expect(response.header("Date") == nil)
  }

  @Test(arguments: 0..<20)
  func headersThatDifferOnlyInCaseAreAlwaysTheSame(other: Int) {
    let headers = ["Age": "1", "AGE": "2", "age": "3", "x\(other)": "4"]
    #expect(ServiceResponse(headers: headers).header("aGe") == "2")
  }

  @Test func aSecretIsShownNowhere() {
    struct Holder { let secret = Secret("TOPSECRET") }
    var shown = "\(Secret("TOPSECRET")) \(Holder()) \([Secret("TOPSECRET")])"
    shown += String(reflecting: Secret("TOPSECRET")) + String(reflecting: Holder())
    dump(Holder(), to: &shown)
    #expect(!shown.contains("TOPSECRET"))
    #expect(shown.hasPrefix("*** "))
    #expect(Secret("TOPSECRET").value == "TOPSECRET")
  }

  @Test func anItemShowsItsValueUnlessItIsSecret() {
    #expect(QueryItem("a", "b c").description == "a=b c")
    #expect(QueryItem("a", Secret("b")).description == "a=***")
    #expect(!QueryItem("a", "b").isSecret && QueryItem("a", Secret("b")).isSecret)
  }

  @Test func aRequestHasModestLimits() {
    let request = ServiceRequest(endpoint)
    #expect(request.maximumBodySize == 16_777_216)
    #expect(request.redirects == .sameHost)
    #expect(request.headers.isEmpty && request.query.isEmpty)
    #expect(request.description == "GET https://api.example/rest/")
  }

  @Test func aResponseIsEmptyUnlessItIsGivenSomething() {
    let response = ServiceResponse()
    #expect(response.status == 200 && response.body.isEmpty)
  }
}
