/// Runs a body and then the cleanup, whether or not the body has thrown.
///
/// What `defer` does not do: the cleanup may wait.
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
