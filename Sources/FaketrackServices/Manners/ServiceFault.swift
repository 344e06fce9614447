/// What is wrong with an answer that arrived, as the one who reads it sees it.
///
/// Any other error thrown while an answer is read counts as ``broken(_:)``.
package enum ServiceFault: Error, Hashable, Sendable {
  /// Not what was asked for, or cut off: worth another try.
  case broken(String)
  /// The service says that it cannot answer now: worth another try.
  case unavailable(code: String, message: String)
  /// The service says no: asking again is useless.
  case refused(code: String, message: String)
  /// The service does not know the key: asking anything is useless.
  case keyRejected(code: String, message: String)
}
