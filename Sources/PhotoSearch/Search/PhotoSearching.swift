import FaketrackServices
import FaketrackSupport
import Foundation
import Geodesy

/// A source of photos taken around a position.
public protocol PhotoSearching: Sendable {
  /// Distinguishes the answers of this source from the answers of any other source, in memory and in a store.
  var identity: String { get }
  /// The largest radius that the source searches, in meters; a larger radius is treated as this one.
  var maximumRadius: Double { get }
  /// The number of requests so far, retries and parts of answers included; `nil`, the default, if
  /// each search counts as one.
  var requests: Int? { get }

  /// Searches for one page of photos.
  ///
  /// - Throws: ``PhotoSearchError`` when there is no answer after all retries, `CancellationError`
  ///   when the task was canceled.
  func photos(for query: PhotoQuery) async throws -> PhotoPage

  /// Searches for one page of photos; by default, regardless of the page before it.
  ///
  /// - Parameters:
  ///   - query: the search.
  ///   - previous: returns the page before, from memory or a store if it is there.
  func photos(
    for query: PhotoQuery, after previous: @Sendable () async throws -> PhotoPage
  ) async throws -> PhotoPage
}

extension PhotoSearching {
  /// `nil`: each search counts as one.
  public var requests: Int? { nil }

  /// Searches for one page of photos, regardless of the page before it.
  public func photos(
    for query: PhotoQuery, after previous: @Sendable () async throws -> PhotoPage
  ) async throws -> PhotoPage {
    try await photos(for: query)
  }
}

/// A search for photos taken around a position.
public struct PhotoQuery: Hashable, Sendable {
  /// The largest distance between two positions on Earth, in meters, rounded up.
  private static let largestRadius = 20_004_000.0

  /// The center of the search.
  public var center: Coordinate
  /// The radius in meters, 1 ... 20,004,000; other values are clamped, and NaN counts as 1.
  ///
  /// A source applies its own maximum.
  public var radius: Double {
    didSet { radius = Self.validRadius(radius) }
  }
  /// The size of the images.
  public var size: PhotoSize
  /// The licenses to accept.
  public var license: LicenseFilter
  /// The page of the answer, counted from 1.
  public var page: Int

  /// Creates a query; by default for the first page of photos 640 pixels wide or high, with any
  /// license.
  public init(
    center: Coordinate, radius: Double, size: PhotoSize = .pixels640,
    license: LicenseFilter = .any, page: Int = 1
  ) {
    self.center = center
    self.radius = Self.validRadius(radius)
    self.size = size
    self.license = license
    self.page = page
  }

  private static func validRadius(_ radius: Double) -> Double {
    // In this order of arguments, NaN becomes the limit.
    min(max(1, radius), largestRadius)
  }
}

/// The size of an image; the raw value is Flickr's letter for it.
public enum PhotoSize: String, Hashable, Sendable, Codable, CaseIterable {
  /// A square of 75 pixels.
  case square75 = "s"
  /// A square of 150 pixels.
  case square150 = "q"
  /// 100 pixels on the longer side.
  case pixels100 = "t"
  /// 240 pixels on the longer side.
  case pixels240 = "m"
  /// 320 pixels on the longer side.
  case pixels320 = "n"
  /// 400 pixels on the longer side.
  case pixels400 = "w"
  /// 640 pixels on the longer side.
  case pixels640 = "z"
  /// 800 pixels on the longer side.
  case pixels800 = "c"
  /// 1,024 pixels on the longer side.
  case pixels1024 = "b"

  /// Pixels on the longer side.
  public var pixels: Int {
    switch self {
    case .square75: 75
    case .square150: 150
    case .pixels100: 100
    case .pixels240: 240
    case .pixels320: 320
    case .pixels400: 400
    case .pixels640: 640
    case .pixels800: 800
    case .pixels1024: 1024
    }
  }
}

/// The licenses that a search accepts.
public enum LicenseFilter: String, Hashable, Sendable, Codable, CaseIterable {
  /// All photos.
  case any
  /// Any Creative Commons license, CC0 included.
  case creativeCommons = "cc"
  /// Every license that permits commercial use.
  case commercial
  /// No copyright, no known copyright, or copyright waived.
  case publicDomain = "public-domain"

  /// Whether the filter accepts a license with these terms.
  public func accepts(_ terms: PhotoLicense.Terms) -> Bool {
    switch self {
    case .any: true
    case .creativeCommons:
      [.creativeCommons, .creativeCommonsNonCommercial, .creativeCommonsZero].contains(terms)
    case .commercial:
      [.creativeCommons, .creativeCommonsZero, .publicDomain, .otherFree].contains(terms)
    case .publicDomain: [.creativeCommonsZero, .publicDomain].contains(terms)
    }
  }
}

/// The error of a search that has no answer after all retries.
///
/// Neither the facts nor the description contain a key, and all texts are safe to print.
public struct PhotoSearchError: LocalizedError, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure.
  public typealias Reason = ServiceFailureReason

  private let facts: ServiceError

  /// Creates an error; the message is shortened and cleaned of control characters.
  ///
  /// - Parameters:
  ///   - service: the name of the service.
  ///   - reason: the kind of failure.
  ///   - message: the service's own words, or a description.
  ///   - attempts: the number of calls; 0 if it was clear beforehand that none can succeed.
  public init(service: String, reason: Reason, message: String, attempts: Int = 1) {
    facts = ServiceError(service: service, reason: reason, message: message, attempts: attempts)
  }

  /// Wraps an error of any source, including an app's own.
  init(_ error: any Error, from source: String) {
    switch error {
    case let error as PhotoSearchError: self = error
    case let error as ServiceError:
      self.init(
        service: error.service, reason: error.reason, message: error.message,
        attempts: error.attempts)
    default: self.init(service: source, reason: .brokenAnswer, message: "\(error)")
    }
  }

  /// The service's display name.
  public var service: String { facts.service }
  /// The kind of failure.
  public var reason: Reason { facts.reason }
  /// The cause, on one short line.
  public var message: String { facts.message }
  /// The number of calls; 0 if it was clear beforehand that no call can succeed.
  public var attempts: Int { facts.attempts }
  /// Whether the key was rejected.
  public var isKeyRejected: Bool { facts.isKeyRejected }
  /// Whether the service could not be reached at all.
  public var isUnreachable: Bool { facts.isUnreachable }
  /// The service and the reason, such as "Flickr answered HTTP 503".
  public var description: String { facts.description }
  /// The ``description``, for alerts.
  public var errorDescription: String? { description }

  /// A remedy, or `nil` if only waiting helps.
  public var recoverySuggestion: String? {
    switch reason.kind {
    case .unreachable: "Check the network and the proxy settings."
    case .untrusted: "Check the date and the trusted certificates of this computer."
    case .keyRejected: "Check the key, or search a source that needs none."
    case .unusableAddress: "Check the address of the service."
    case .tooLarge: "Search a smaller radius."
    case .status, .refused, .brokenAnswer: nil
    }
  }
}

/// Stores the answers of searches between runs.
public protocol PhotoSearchStoring: Sendable {
  /// Returns the answer stored for a search, or `nil` if there is none that is recent enough.
  func page(for key: PhotoSearchKey) async throws -> PhotoPage?

  /// Stores an answer in place of an older one.
  func store(_ page: PhotoPage, for key: PhotoSearchKey) async throws
}

/// The source, center, filters and page that distinguish one search's answer from another's.
public struct PhotoSearchKey: Hashable, Sendable {
  /// The ``PhotoSearching/identity`` of the source.
  public let identity: String
  /// The center, the filters and the page.
  public let query: PhotoQuery

  /// Creates a key.
  public init(identity: String, query: PhotoQuery) {
    self.identity = identity
    self.query = query
  }

  /// The key as text that is the same in every run, for use in a store.
  public var text: String {
    let center = [query.center.latitude, query.center.longitude]
      .map { DecimalText.fixed($0, places: 6) }.joined(separator: ",")
    return [
      identity, center, DecimalText.fixed(query.radius, places: 0), query.size.rawValue,
      query.license.rawValue, "\(query.page)",
    ].joined(separator: "|")
  }
}

// The types with which an app stubs the network or brings its own, for `import PhotoSearch` alone.

/// A type that answers HTTP requests: the network, a recording, a stub in a test.
public typealias HTTPFetching = FaketrackServices.HTTPFetching
/// A GET or POST request that knows which of its values must never be shown.
public typealias ServiceRequest = FaketrackServices.ServiceRequest
/// A complete response.
public typealias ServiceResponse = FaketrackServices.ServiceResponse
/// The reason why a request got no response.
public typealias HTTPFailure = FaketrackServices.HTTPFailure
/// A name and a value in a request's query.
public typealias QueryItem = FaketrackServices.QueryItem
/// Text that must never be shown, such as a key.
public typealias Secret = FaketrackServices.Secret
/// Fetches over the network: on Linux with libcurl, elsewhere with Foundation's `URLSession`.
public typealias NetworkFetcher = FaketrackServices.NetworkFetcher
