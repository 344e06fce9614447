/// What tells one search's answer from another's: source, place, filters, page.
package struct PhotoSearchKey: Hashable, Sendable {
  package let identity: String
  package let query: PhotoQuery

  package init(identity: String, query: PhotoQuery) {
    self.identity = identity
    self.query = query
  }

  /// The key as text that is the same in every run, for a store.
  package var text: String {
    let place = [query.center.latitude, query.center.longitude]
      .map { $0.decimal(places: 6) }.joined(separator: ",")
    return [
      identity, place, query.radius.decimal(places: 0), query.size.rawValue,
      query.license.rawValue, "\(query.page)",
    ].joined(separator: "|")
  }
}
