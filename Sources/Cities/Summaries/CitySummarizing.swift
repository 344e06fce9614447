/// An encyclopedia.
public protocol CitySummarizing: Sendable {
  /// The summary of the article about exactly this city, or `nil` when there is none.
  ///
  /// - Throws: ``CitiesError/summaryUnavailable(reason:isUnreachable:)``, or `CancellationError`.
  func summary(of city: City) async throws -> CitySummary?
}
