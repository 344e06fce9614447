import Foundation
import Testing

#if os(Linux)
  import CCurl
#endif

@testable import FaketrackServices

@Suite struct HTTPFailureTests {
  #if os(Linux)
    @Test(
      arguments: [
        (CURLE_OPERATION_TIMEDOUT, 0, .timedOut),
        (CURLE_COULDNT_RESOLVE_HOST, 0, .unreachable("the host name is not known")),
        (CURLE_COULDNT_CONNECT, ECONNREFUSED, .unreachable("the connection was refused")),
        (CURLE_COULDNT_CONNECT, EHOSTUNREACH, .unreachable("there is no network")),
        (CURLE_COULDNT_CONNECT, EMFILE, .unreachable("too many files are open")),
        (CURLE_COULDNT_CONNECT, 0, .unreachable("there was no connection")),
        (CURLE_GOT_NOTHING, 0, .unreachable("the connection ended without an answer")),
        (CURLE_RECV_ERROR, ECONNRESET, .unreachable("the connection was lost")),
        (CURLE_OK, 0, .unreachable("the answer is cut off")),
        (CURLE_PARTIAL_FILE, 0, .unreachable("the answer is cut off")),
        (CURLE_SSL_CONNECT_ERROR, 0, .unreachable("no secure connection")),
        (CURLE_PEER_FAILED_VERIFICATION, 0, .untrusted),
        (CURLE_URL_MALFORMAT, 0, .unusableAddress("the address is not usable")),
        (CURLE_READ_ERROR, 0, .unreachable("the connection failed (26)")),
      ] as [(CURLcode, Int32, HTTPFailure)])
    func describesSystemErrors(code: CURLcode, systemError: Int32, failure: HTTPFailure) {
      #expect(HTTPFailure(code, systemError: Int(systemError)) == failure)
    }
  #else
    @Test(
      arguments: [
        (.timedOut, .timedOut),
        (.cannotFindHost, .unreachable("the host name is not known")),
        (.cannotConnectToHost, .unreachable("the connection was refused")),
        (.networkConnectionLost, .unreachable("the connection was lost")),
        (.notConnectedToInternet, .unreachable("there is no network")),
        (.secureConnectionFailed, .unreachable("no secure connection")),
        (.badURL, .unusableAddress("the address is not usable")),
        (.badServerResponse, .unreachable("the connection ended without an answer")),
        (.dataNotAllowed, .unreachable("the connection failed (-1020)")),
      ] as [(URLError.Code, HTTPFailure)])
    func describesSystemErrors(code: URLError.Code, failure: HTTPFailure) {
      #expect(HTTPFailure(URLError(code)) == failure)
    }

    @Test func showsNoAddressOfTheSystemsError() throws {
      let url = try #require(URL(string: "https://a.example/?key=TOPSECRET"))
      let error = URLError(.cannotFindHost, userInfo: [NSURLErrorFailingURLErrorKey: url])
      #expect(!"\(HTTPFailure(error))".contains("TOPSECRET"))
      #expect(HTTPFailure(CocoaError(.fileNoSuchFile)) == .unreachable("the connection failed"))
    }
  #endif

  @Test(
    arguments: [
      ("http://a.example/1", "http://A.example/2", nil, nil),
      ("http://a.example/1", "http://b.example/2", .otherHost, nil),
      ("http://a.example/1", "https://a.example/2", nil, nil),
      ("https://a.example/1", "http://a.example/2", .notEncrypted, .notEncrypted),
      ("https://a.example/1", "https://b.example/2", .otherHost, nil),
      ("http://a.example/1", "ftp://a.example/2", .notHTTP, .notHTTP),
      ("http://a.example/1", "file:///etc/passwd", .notHTTP, .notHTTP),
      ("http://a.example:80/1", "http://a.example:81/2", nil, nil),
    ] as [(String, String, HTTPFailure.Refusal?, HTTPFailure.Refusal?)])
  func redirectsStayOnTheHost(
    from: String, to: String, sameHost: HTTPFailure.Refusal?, anyHost: HTTPFailure.Refusal?
  ) throws {
    let (origin, target) = (try #require(URL(string: from)), try #require(URL(string: to)))
    #expect(ServiceRequest.Redirects.sameHost.refusal(from: origin, to: target) == sameHost)
    #expect(ServiceRequest.Redirects.anyHost.refusal(from: origin, to: target) == anyHost)
  }
}
