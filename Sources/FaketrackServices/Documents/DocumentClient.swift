#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Logging

/// Asks one service for documents, and keeps them as far as the service allows.
///
/// A document within its `max-age` is used without a call, an older one is asked for with its
/// `ETag` or date, `no-cache` and `no-store` are honoured. A cache that fails is done without.
/// Addresses with a secret, a user or a password are never kept.
package struct DocumentClient: Sendable {
  private let client: ServiceClient
  private let cache: (any DocumentCaching)?
  private let usesStale: Bool
  private let environment: ServiceEnvironment

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - cache: Where documents are kept; `nil` keeps none.
  ///   - usesStale: Whether an old document is better than none when the service cannot be reached
  ///     or is out of order, as far as the service itself allows that.
  package init(
    _ profile: ServiceProfile, in environment: ServiceEnvironment,
    cache: (any DocumentCaching)? = nil, usesStale: Bool = false
  ) {
    client = ServiceClient(profile, in: environment)
    self.cache = cache
    self.usesStale = usesStale
    self.environment = environment
  }

  /// Gets a document from the cache or the service; see ``ServiceClient/send(_:accepting:decode:)``.
  ///
  /// - Parameter decode: Reads an answer; of a kept one it gets the body and status 200.
  package func send<Value: Sendable>(
    _ request: HTTPRequest, accepting accepted: Set<Int> = [],
    decode: @Sendable (HTTPResponse) throws -> Value
  ) async throws -> Value {
    let address = request.redactedURL
    guard let cache, request.url?.absoluteString == address else {
      return try await client.send(request, accepting: accepted, decode: decode)
    }
    let kept = await kept(in: cache, at: address, decode)
    if let kept, environment.now() < kept.document.freshUntil { return kept.value }
    let conditions = kept?.document.conditions ?? [:]
    var request = request
    request.headers.merge(conditions) { given, _ in given }
    do {
      let (response, value) = try await client.send(
        request, accepting: conditions.isEmpty ? accepted : accepted.union([304])
      ) { response in
        if let kept, response.status == 304 { return (response, kept.value) }
        return (response, try decode(response))
      }
      let now = environment.now()
      let document =
        response.status == 304
        ? kept?.document.confirmed(by: response, now: now) : KeptDocument(response, now: now)
      await keep(document, in: cache, at: address)
      return value
    } catch let error as ServiceError {
      guard usesStale, error.mayPass, let kept, kept.document.mayBeUsedStale else { throw error }
      environment.logger?.info(
        "using a document of before", metadata: ["url": "\(address)", "error": "\(error)"])
      return kept.value
    }
  }

  /// What is kept and can be read; a document that cannot be is as good as none.
  private func kept<Value: Sendable>(
    in cache: any DocumentCaching, at address: String,
    _ decode: @Sendable (HTTPResponse) throws -> Value
  ) async -> (document: KeptDocument, value: Value)? {
    do {
      guard let document = try await cache.document(at: address) else { return nil }
      return (document, try decode(HTTPResponse(body: document.body)))
    } catch {
      warn("a kept document cannot be used", address, error)
      return nil
    }
  }

  private func keep(
    _ document: KeptDocument?, in cache: any DocumentCaching, at address: String
  ) async {
    do {
      try await cache.setDocument(document, at: address)
    } catch {
      warn("a document cannot be kept", address, error)
    }
  }

  private func warn(_ message: Logger.Message, _ address: String, _ error: any Error) {
    environment.logger?.warning(message, metadata: ["url": "\(address)", "error": "\(error)"])
  }
}

extension KeptDocument {
  /// The header fields that ask for the document only if it is another by now.
  fileprivate var conditions: [String: String] {
    if let entityTag { return ["If-None-Match": entityTag] }
    return lastModified.map { ["If-Modified-Since": $0] } ?? [:]
  }
}

extension ServiceError {
  /// Whether the service may well answer at another time.
  fileprivate var mayPass: Bool {
    switch reason {
    case .unreachable, .brokenAnswer: true
    case .status(let status): status == 429 || status >= 500
    case .refused, .keyRejected, .tooLarge, .unusableAddress: false
    }
  }
}
