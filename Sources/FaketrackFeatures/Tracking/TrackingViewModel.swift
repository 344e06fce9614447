import Geodesy
import Locations
import FaketrackServices
import PhotoSearch

/// Walks: listens to a location provider, names the nearest city and finds a photo for each new
/// location, in order.
@MainActor
package final class TrackingViewModel {
  package enum Action: Hashable, Sendable {
    case start
    case pause
    case resume
    case stop
    case setSpeed(ReplaySpeed)
  }

  /// What the walk is made of.
  package struct Parts: Sendable {
    package var locations: any LocationProviding
    /// Holds and speeds up the walk, where the provider can.
    package var pace: (any PaceControlling)?
    /// Where photos are found; `nil` where none are wanted.
    package var photos: PhotoSource?
    /// Which photos are chosen.
    package var choice: PhotoPickerSettings
    /// Where photos are kept; `nil` where they are only told.
    package var archive: PhotoArchive?
    /// Names cities; `nil` where they are left out.
    package var cities: CityNamer?
    /// Locations whose photo is searched at once, at least 1.
    package var concurrency: Int
    /// Whether a walk ends when the permission is denied; else it goes on without locations, and
    /// with them when it is granted again.
    package var endsWhenDenied: Bool

    package init(
      locations: any LocationProviding, pace: (any PaceControlling)? = nil,
      photos: PhotoSource? = nil, choice: PhotoPickerSettings = PhotoPickerSettings(),
      archive: PhotoArchive? = nil, cities: CityNamer? = nil,
      concurrency: Int = 4, endsWhenDenied: Bool = false
    ) {
      self.locations = locations
      self.pace = pace
      self.photos = photos
      self.choice = choice
      self.archive = archive
      self.cities = cities
      self.concurrency = concurrency
      self.endsWhenDenied = endsWhenDenied
    }
  }

  private struct Pending: Sendable {
    let visit: Visit
    let preparation: Task<Void, Never>?

    /// Returns when the search is done, or given up because the walk ends.
    func prepared() async {
      await withTaskCancellationHandler {
        await preparation?.value
      } onCancel: {
        preparation?.cancel()
      }
    }
  }

  /// Locations that may wait for their photo, for each search under way: neighbours mostly share
  /// a search, so that it takes some to keep the searches busy.
  static let lookAhead = 8

  package private(set) var state = TrackingState() {
    didSet { observers.send(state) }
  }
  /// What is asked of the photo services in the present walk, for the summary.
  package private(set) var picker: PhotoPicker?
  private let parts: Parts
  private let observers = StateBroadcaster<TrackingState>()
  private var running: Task<Void, Never>?
  private var listening: Task<Void, Never>?

  package init(_ parts: Parts) {
    self.parts = parts
  }

  /// The state now and whenever it changes; a slow observer skips to the newest.
  package func states() -> AsyncStream<TrackingState> {
    observers.stream(startingWith: state)
  }

  package func send(_ action: Action) {
    switch action {
    case .start:
      guard running == nil else { return }
      running = Task { [weak self] in
        try? await self?.run()
        self?.running = nil
      }
    case .pause:
      parts.pace?.pause()
      state.apply(.paused)
    case .resume:
      parts.pace?.resume()
      state.apply(.resumed)
    case .stop:
      running?.cancel()
      listening?.cancel()
    case .setSpeed(let speed):
      parts.pace?.setSpeed(speed)
    }
  }

  /// Walks to the end and hands over each visit in order, waiting while it is dealt with: a slow
  /// taker slows the walk.
  ///
  /// - Throws: what the provider or `emit` throws, or `CancellationError`; the state tells it too.
  package func run(emit: @MainActor (Visit) async throws -> Void = { _ in }) async throws {
    state.apply(.started)
    parts.pace?.resume()
    do {
      try await walk(emit)
      state.apply(.finished)
    } catch let error as CancellationError {
      state.apply(.stopped)
      throw error
    } catch {
      state.apply(.failed(String(describing: error)))
      throw error
    }
  }

  private func walk(_ emit: @MainActor (Visit) async throws -> Void) async throws {
    try await parts.archive?.open()
    let picker = parts.photos.map {
      PhotoPicker($0.search, settings: parts.choice, meter: $0.meter)
    }
    self.picker = picker
    let queue = PendingVisits<Pending>(limit: max(1, parts.concurrency) * Self.lookAhead)
    let searches = RequestGate(limit: parts.concurrency)
    let listening = Task { await listen(queue, picker, searches) }
    self.listening = listening
    let outcome: Result<Void, any Error>
    do {
      try await withTaskCancellationHandler {
        try await visitAll(queue, picker, emit)
      } onCancel: {
        listening.cancel()
      }
      outcome = .success(())
    } catch {
      outcome = .failure(error)
    }
    listening.cancel()
    for pending in queue.close() { pending.preparation?.cancel() }
    await listening.value
    try outcome.get()
  }

  /// Finishes the visits one by one.
  private func visitAll(
    _ queue: PendingVisits<Pending>, _ picker: PhotoPicker?,
    _ emit: @MainActor (Visit) async throws -> Void
  ) async throws {
    while let pending = try await queue.first() {
      await pending.prepared()
      var visit = pending.visit
      switch await picker?.pick(for: visit.fix.coordinate, index: visit.index) {
      case .found(let photo, _): visit.photo = photo
      case .failed(let error): visit.error = error.description
      case .nothing, .cancelled, nil: break
      }
      try await keepPhoto(of: &visit)
      try Task.checkCancellation()
      state.apply(.visited(visit))
      try await emit(visit)
      queue.removeFirst()
    }
  }

  /// Fetches the photo where photos are kept; one that cannot be had is told as an error.
  private func keepPhoto(of visit: inout Visit) async throws {
    do {
      visit.file = try await parts.archive?.keep(visit)
    } catch let error as ServiceError {
      visit.error = error.description
    }
  }

  /// Takes in the provider's updates and starts the search of each new location.
  private func listen(
    _ queue: PendingVisits<Pending>, _ picker: PhotoPicker?, _ searches: RequestGate
  ) async {
    var cities = parts.cities
    do {
      for try await update in parts.locations.updates() {
        try Task.checkCancellation()
        state.apply(.updated(update))
        switch update {
        case .fix(let fix):
          let visit = Visit(
            index: state.locations - 1, fix: fix, city: cities?.nearestCity(to: fix.coordinate))
          try await queue.put {
            let preparation = picker.map { picker in
              Task { _ = try? await searches.pass { await picker.prepare(for: fix.coordinate) } }
            }
            return Pending(visit: visit, preparation: preparation)
          }
        case .authorization(.denied), .authorization(.restricted):
          if parts.endsWhenDenied { return queue.finish(.success(())) }
        case .authorization, .unavailable:
          break
        }
      }
      queue.finish(.success(()))
    } catch {
      queue.finish(.failure(error))
    }
  }
}
