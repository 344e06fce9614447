/// Runs a body and then an asynchronous cleanup, even if the body throws.
package func withCleanup<Value>(
  isolation: isolated (any Actor)? = #isolation,
  _ body: () async throws -> Value, cleanup: () async throws -> Void
) async throws -> Value {
  let result: Result<Value, any Error>
  do {
    result = .success(try await body())
  } catch {
    result = .failure(error)
  }
  try await cleanup()
  return try result.get()
}
