import Foundation
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

  /// - Parameter usesStale: Whether to use an outdated document while the service fails, if the service
  ///   allows that.
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
  ///   - revalidates: Whether to send a request even for a document within its `max-age`.
  ///   - decode: Decodes a response; a cached document is a response with its body and status 200.
  /// - Throws: ``ServiceError``, or `CancellationError`.
  package func send<Value: Sendable>(
    _ request: ServiceRequest, accepting accepted: Set<Int> = [],
    revalidating revalidates: Bool = false,
    decode: @Sendable (ServiceResponse) throws -> Value
  ) async throws -> Value {
    let address = request.redactedURL
    var request = request
    // Caches between here and the service have to revalidate too.
    if revalidates { request.headers["Cache-Control"] = "no-cache" }
    guard let cache, request.url?.absoluteString == address else {
      return try await client.send(request, accepting: accepted, decode: decode)
    }
    let cached =
      await bypassed("a cached document cannot be used", address) {
        try await cache.document(at: address).map { document in
          (document: document, value: try decode(ServiceResponse(body: document.body)))
        }
      } ?? nil
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
      let confirmed = response.status == 304 ? cached?.document : nil
      let document = CachedDocument(response, confirming: confirmed, now: environment.now())
      await bypassed("a document cannot be cached", address) {
        try await cache.setDocument(document, at: address)
      }
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

  /// Uses the cache; if that fails, logs it and returns `nil`.
  @discardableResult
  private func bypassed<Value>(
    _ failure: Logger.Message, _ address: String, _ use: () async throws -> Value
  ) async -> Value? {
    do {
      return try await use()
    } catch {
      environment.logger?.warning(failure, metadata: ["url": "\(address)", "error": "\(error)"])
      return nil
    }
  }
}
