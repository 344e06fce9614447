import FaketrackSupport
import Foundation
import Geodesy

/// Answers searches on a ``StubServer`` as Flickr does, odd types included, with photos around
/// the asked position; or fails as Flickr does.
package final class FlickrStub: Sendable {
  /// A way to fail that was seen in the wild.
  package enum Fault: Hashable, Sendable {
    case badGateway
    case tooManyRequests(retryAfter: String?)
    case halfABody
    case empty
    case htmlInsteadOfJSON
    case hangUp
    case notAvailable(code: Int)
    case invalidKey
  }

  private let photosPerPage: Int
  private let pages: Int
  private let fault: Fault?
  private let period: Int
  private let delay: Duration
  private let count = Locked(0)

  /// - Parameters:
  ///   - photosPerPage: the number of photos on a page.
  ///   - pages: the number of pages of a search.
  ///   - fault: the kind of failure; `nil` if no request fails.
  ///   - period: one request in this many fails; with 1, every request.
  ///   - delay: the time that an answer takes.
  package init(
    photosPerPage: Int = 20, pages: Int = 1, fault: Fault? = nil, every period: Int = 1,
    delay: Duration = .zero
  ) {
    self.photosPerPage = photosPerPage
    self.pages = pages
    self.fault = fault
    self.period = max(1, period)
    self.delay = delay
  }

  /// The handler for ``StubServer``.
  package func callAsFunction(_ request: StubRequest) async -> StubReply {
    let number = count.withLock { count in
      count += 1
      return count
    }
    if delay > .zero { try? await Task.sleep(for: delay) }
    if let fault, number.isMultiple(of: period) { return reply(fault, request) }
    return .json(json(for: request))
  }

  private func reply(_ fault: Fault, _ request: StubRequest) -> StubReply {
    switch fault {
    case .badGateway:
      return .html("<html><body><h1>502 Bad Gateway</h1>nginx</body></html>", status: 502)
    case .tooManyRequests(let retryAfter):
      return .html(status: 429, headers: retryAfter.map { ["Retry-After": $0] } ?? [:])
    case .halfABody:
      let body = Data(json(for: request).utf8)
      return .cutOff(body: body.prefix(body.count / 2), announced: body.count)
    case .empty:
      return .answer()
    case .htmlInsteadOfJSON:
      return .html()
    case .hangUp:
      return .hangUp
    case .notAvailable(let code):
      return .json(
        """
        {"stat":"fail","code":\(code),\
        "message":"Sorry, the Flickr API service is not currently available."}
        """)
    case .invalidKey:
      let key = request.query["api_key"] ?? ""
      return .json(
        """
        {"stat":"fail","code":100,"message":"Invalid API Key (\(key) has invalid format)"}
        """)
    }
  }

  private func json(for request: StubRequest) -> String {
    let page = request.query["page"].flatMap { Int($0) } ?? 1
    let hits = page > pages ? [] : (0..<photosPerPage).map { hit($0, page: page, request) }
    return """
      {"photos":{"page":\(page),"pages":\(pages),"perpage":"\(photosPerPage)",\
      "total":"\(photosPerPage * pages)","photo":[\(hits.joined(separator: ","))]},"stat":"ok"}
      """
  }

  /// The photos of a search lie on a spiral from the asked position to the radius.
  private func hit(_ number: Int, page: Int, _ request: StubRequest) -> String {
    guard let latitude = request.query["lat"].flatMap({ Double($0) }),
      let longitude = request.query["lon"].flatMap({ Double($0) }),
      let center = try? Coordinate(latitude: latitude, longitude: longitude)
    else { return "{}" }
    let radius = (request.query["radius"].flatMap { Double($0) } ?? 5) * 1000
    let rank = Double((page - 1) * photosPerPage + number) + 0.5
    let position = center.destination(
      distance: radius * (rank / Double(photosPerPage * pages)).squareRoot(),
      bearing: (rank * 137.508).truncatingRemainder(dividingBy: 360))
    let place = Int((latitude + 90) * 1e4) * 3_600_000 + Int((longitude + 180) * 1e4)
    let id = "\(place)\(page)\(number)"
    let isEven = number.isMultiple(of: 2)
    return """
      {"id":"\(id)","owner":"123\(number)@N06","secret":"5ec\(number)","server":"4843","farm":5,\
      "title":"Photo \(number)","ispublic":1,"isfriend":0,"isfamily":0,"ownername":"Owner \(number)",\
      "license":\(isEven ? "\"4\"" : "5"),"datetaken":"2019-05-04 15:44:01",\
      "datetakengranularity":\(isEven ? "0" : "\"0\""),"datetakenunknown":"0",\
      "latitude":"\(position.latitude)","longitude":"\(position.longitude)","accuracy":"16",\
      "context":0}
      """
  }
}
