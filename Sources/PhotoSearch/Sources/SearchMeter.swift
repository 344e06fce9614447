import Synchronization

/// Counts the searches that reach a service.
package final class SearchMeter: Sendable {
  private let count = Atomic(0)

  package init() {}

  package var calls: Int { count.load(ordering: .relaxed) }

  func record() {
    count.wrappingAdd(1, ordering: .relaxed)
  }
}

/// A source whose searches are counted.
package struct MeteredPhotoSearch: PhotoSearching {
  private let search: any PhotoSearching
  private let meter: SearchMeter

  package init(_ search: any PhotoSearching, meter: SearchMeter) {
    self.search = search
    self.meter = meter
  }

  package var identity: String { search.identity }
  package var maximumRadius: Double { search.maximumRadius }

  package func photos(for query: PhotoQuery) async throws -> PhotoPage {
    meter.record()
    return try await search.photos(for: query)
  }
}
