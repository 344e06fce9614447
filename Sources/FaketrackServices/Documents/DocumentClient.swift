#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Logging

/// Fetches documents from one service and caches them within the service's rules.
///
/// A document within its `max-age` is used without a request; an older one is revalidated by its `ETag`
/// or date; `no-cache` and `no-store` are honored. A failing cache is bypassed. Documents whose address
/// contains a secret, a user name or a password are never cached.
package struct DocumentClient: Sendable {
  private let client: ServiceClient
  private let cache: (any DocumentCaching)?
  private let usesStale: Bool
  private let environment: ServiceEnvironment

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - cache: The store of documents; `nil` for no caching.
  ///   - usesStale: Whether to use an outdated document while the service fails, if the service allows
  ///     that.
  package init(
    _ profile: ServiceProfile, in environment: ServiceEnvironment,
    cache: (any DocumentCaching)? = nil, usesStale: Bool = false
  ) {
    client = ServiceClient(profile, in: environment)
    self.cache = cache
    self.usesStale = usesStale
    self.environment = environment
  }

  /// Returns a document from the cache or the service.
  ///
  /// - Parameters:
  ///   - accepted: The statuses besides 200 ..< 300 whose responses are decoded.
  ///   - revalidates: Whether to send a request even for a document within its `max-age`.
  ///   - decode: Decodes a response; a cached document is a response with its body and status 200.
  /// - Throws: ``ServiceError``, or `CancellationError`.
  package func send<Value: Sendable>(
    _ request: HTTPRequest, accepting accepted: Set<Int> = [],
    revalidating revalidates: Bool = false,
    decode: @Sendable (HTTPResponse) throws -> Value
  ) async throws -> Value {
    let address = request.redactedURL
    var request = request
    // Caches between here and the service have to revalidate too.
    if revalidates { request.headers["Cache-Control"] = "no-cache" }
    guard let cache, request.url?.absoluteString == address else {
      return try await client.send(request, accepting: accepted, decode: decode)
    }
    let cached = await usable(in: cache, at: address, decode)
    if let cached, !revalidates, environment.now() < cached.document.freshUntil {
      return cached.value
    }
    let conditions = cached?.document.conditions ?? [:]
    request.headers.merge(conditions) { given, _ in given }
    do {
      let (response, value) = try await client.send(
        request, accepting: conditions.isEmpty ? accepted : accepted.union([304])
      ) { response in
        if let cached, response.status == 304 { return (response, cached.value) }
        return (response, try decode(response))
      }
      let now = environment.now()
      let document =
        response.status == 304
        ? cached?.document.confirmed(by: response, now: now) : CachedDocument(response, now: now)
      await store(document, in: cache, at: address)
      return value
    } catch let error as ServiceError {
      guard usesStale, error.reason.isTemporary, let cached, cached.document.mayBeUsedStale else {
        throw error
      }
      environment.logger?.info(
        "using an outdated document", metadata: ["url": "\(address)", "error": "\(error)"])
      return cached.value
    }
  }

  /// Returns the cached document if it can be decoded.
  private func usable<Value: Sendable>(
    in cache: any DocumentCaching, at address: String,
    _ decode: @Sendable (HTTPResponse) throws -> Value
  ) async -> (document: CachedDocument, value: Value)? {
    do {
      guard let document = try await cache.document(at: address) else { return nil }
      return (document, try decode(HTTPResponse(body: document.body)))
    } catch {
      warn("a cached document cannot be used", address, error)
      return nil
    }
  }

  private func store(
    _ document: CachedDocument?, in cache: any DocumentCaching, at address: String
  ) async {
    do {
      try await cache.setDocument(document, at: address)
    } catch {
      warn("a document cannot be cached", address, error)
    }
  }

  private func warn(_ message: Logger.Message, _ address: String, _ error: any Error) {
    environment.logger?.warning(message, metadata: ["url": "\(address)", "error": "\(error)"])
  }
}
