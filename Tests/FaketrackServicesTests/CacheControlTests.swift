import FaketrackTestSupport
import Foundation
import Testing

@testable import FaketrackServices

@Suite struct CacheControlTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let field: String?
    var age: String?
    var keeps = true
    var lifetime = 0
    var stale = true

    var testDescription: String { "\(field ?? "none"), age \(age ?? "none")" }
  }

  @Test(arguments: [
    Case(field: nil),
    Case(field: ""),
    Case(field: "max-age=60", lifetime: 60),
    Case(field: "s-maxage=1209600, max-age=300", lifetime: 300),
    Case(field: "Public , MAX-AGE = \"60\"", lifetime: 60),
    Case(field: "max-age=60", age: "20", lifetime: 40),
    Case(field: "max-age=60", age: "61"),
    Case(field: "max-age=60", age: "-5", lifetime: 60),
    Case(field: "max-age=60", age: "soon", lifetime: 60),
    Case(field: "max-age=60, max-age=30", lifetime: 30),
    Case(field: "max-age=-1"),
    Case(field: "max-age=\(Int.min)", age: "1"),
    Case(field: "max-age=60", age: "\(Int.max)"),
    Case(field: "max-age=x"),
    Case(field: "max-age"),
    Case(field: "max-age=99999999999", lifetime: 31_536_000),
    Case(field: "max-age=99999999999999999999999"),
    Case(field: "no-store", keeps: false),
    Case(field: "max-age=60,no-store", keeps: false, lifetime: 60),
    Case(field: "no-cache, max-age=60", stale: false),
    Case(field: "no-cache=\"Set-Cookie\"", stale: false),
    Case(field: "max-age=60, must-revalidate", lifetime: 60, stale: false),
  ])
  func readsTheField(_ test: Case) {
    var headers: [String: String] = [:]
    headers["Cache-Control"] = test.field
    headers["Age"] = test.age
    let control = CacheControl(ServiceResponse(headers: headers))
    #expect(control.allowsCaching == test.keeps)
    #expect(control.lifetime == test.lifetime)
    #expect(control.allowsStaleUse == test.stale)
  }

  @Test(arguments: [206, 302, 404, 500])
  func keepsNothingButWholeDocuments(status: Int) {
    let response = ServiceResponse(status: status, headers: ["Cache-Control": "max-age=60"])
    #expect(!CacheControl(response).allowsCaching)
  }
}
