/// What a client must know of a service to be a good guest.
package struct ServiceProfile: Sendable {
  /// The name as people know it.
  package var name: String
  /// How many requests may be under way at once.
  package var concurrency: Int
  /// How many calls may be made in a while, or `nil` when the service names no number.
  package var limit: CallLimit?
  /// The User-Agent field.
  package var userAgent: String
  package var retry: RetryPolicy

  package init(
    name: String, concurrency: Int, limit: CallLimit? = nil, userAgent: String,
    retry: RetryPolicy = RetryPolicy()
  ) {
    self.name = name
    self.concurrency = concurrency
    self.limit = limit
    self.userAgent = userAgent
    self.retry = retry
  }
}
