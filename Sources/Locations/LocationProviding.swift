/// A source of locations, real or simulated.
///
/// There is one ordered sequence, so that "denied after two kilometres" has its place among the
/// fixes. Iterating it starts the provider, cancelling the task that iterates stops it; the next
/// iteration starts anew. Nothing is produced before it is asked for.
///
/// ```swift
/// for try await update in provider.updates() {
///   switch update {
///   case .authorization(let status): …
///   case .fix(let fix): …
///   case .unavailable: …
///   }
/// }
/// ```
public protocol LocationProviding: Sendable {
  /// The updates from now on. The first is the authorization.
  func updates() -> LocationUpdates
}
