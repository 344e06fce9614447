import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@testable import FaketrackServices

@Suite struct HTTPFailureTests {
  @Test(arguments: [
    (URLError.Code.timedOut, HTTPFailure.timedOut),
    (.cannotFindHost, .unreachable("the host name is not known")),
    (.dnsLookupFailed, .unreachable("the host name is not known")),
    (.cannotConnectToHost, .unreachable("the connection was refused")),
    (.networkConnectionLost, .unreachable("the connection was lost")),
    (.notConnectedToInternet, .unreachable("there is no network")),
    (.secureConnectionFailed, .unreachable("no secure connection")),
    (.serverCertificateUntrusted, .unreachable("no secure connection")),
    (.badURL, .unusableAddress("the address is not usable")),
    (.unsupportedURL, .unusableAddress("the address is not usable")),
    (.badServerResponse, .unreachable("the connection ended without an answer")),
    (.zeroByteResource, .unreachable("the connection ended without an answer")),
    (.unknown, .unreachable("the connection broke off")),
    (.dataNotAllowed, .unreachable("the connection failed (-1020)")),
  ])
  func wordsWhatTheSystemReports(code: URLError.Code, failure: HTTPFailure) {
    #expect(HTTPFailure(URLError(code)) == failure)
  }

  @Test func showsNoAddressOfTheSystemsError() throws {
    let url = try #require(URL(string: "https://a.example/?key=TOPSECRET"))
    let error = URLError(.cannotFindHost, userInfo: [NSURLErrorFailingURLErrorKey: url])
    #expect(!"\(HTTPFailure(error))".contains("TOPSECRET"))
    #expect(HTTPFailure(CocoaError(.fileNoSuchFile)) == .unreachable("the connection failed"))
  }

  @Test(arguments: [
    ("http://a.example/1", "http://A.example/2", true, true),
    ("http://a.example/1", "http://b.example/2", false, true),
    ("http://a.example/1", "https://a.example/2", true, true),
    ("https://a.example/1", "http://a.example/2", false, false),
    ("https://a.example/1", "https://b.example/2", false, true),
    ("http://a.example/1", "ftp://a.example/2", false, false),
    ("http://a.example:80/1", "http://a.example:81/2", true, true),
  ])
  func redirectsStayOnTheHost(from: String, to: String, sameHost: Bool, anyHost: Bool) throws {
    let (origin, target) = (try #require(URL(string: from)), try #require(URL(string: to)))
    #expect(HTTPRequest.Redirects.sameHost.allow(from: origin, to: target) == sameHost)
    #expect(HTTPRequest.Redirects.anyHost.allow(from: origin, to: target) == anyHost)
  }
}
