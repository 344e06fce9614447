import Geodesy
import Locations
import Testing

/// The snippets for those who come from other tools.
@MainActor @Suite struct RecipeDocumentationTests {
  @Test func asyncStream() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: LocationUpdate.self)
    for fix in try SampleTracks.north(seconds: 2) { continuation.yield(.location(fix)) }
    continuation.finish()
    let model = LocationsModel(StreamedLocations(stream: stream))
    try await model.run()
    #expect(model.fixes.count == 3)
  }

  @Test func aReplayInPlaceOfAsyncStream() async throws {
    let fixes = try SampleTracks.north(seconds: 10)
    let provider = ReplayLocationProvider(fixes, clock: VirtualClock())
    let model = LocationsModel(provider)
    let running = Task { try await model.run() }
    try await provider.advance(to: .elapsed(.seconds(2)))
    #expect(model.fixes.count == 3)
    running.cancel()
  }

  @Test func dependencies() async throws {
    let fixes = try SampleTracks.north(seconds: 10)
    let provider = ReplayLocationProvider(fixes, clock: VirtualClock())
    let model = withDependencies {
      $0.locations = provider
    } operation: {
      FeatureModel()
    }
    let running = Task { try await model.run() }
    try await provider.advance(to: .elapsed(.seconds(2)))
    #expect(model.count == 3)
    running.cancel()
  }

  @Test func aTestWithoutADeviceHasNoLocations() async throws {
    let model = FeatureModel()
    try await model.run()
    #expect(model.count == 0)
  }
}

struct StreamedLocations: LocationProviding {
  let stream: AsyncStream<LocationUpdate>

  func updates() -> LocationUpdates { LocationUpdates(stream) }
}

@MainActor
private final class LocationsModel {
  private(set) var fixes: [Fix] = []
  private let locations: any LocationProviding

  init(_ locations: any LocationProviding) {
    self.locations = locations
  }

  func run() async throws {
    for try await update in locations.updates() {
      if let fix = update.location { fixes.append(fix) }
    }
  }
}

@MainActor
private final class FeatureModel {
  @Dependency(\.locations) private var locations
  private(set) var count = 0

  func run() async throws {
    for try await update in locations.updates() where update.location != nil { count += 1 }
  }
}

enum LocationsKey: DependencyKey {
  static var liveValue: any LocationProviding { DeviceLocations() }
  static var testValue: any LocationProviding { ReplayLocationProvider([]) }
}

extension DependencyValues {
  var locations: any LocationProviding {
    get { self[LocationsKey.self] }
    set { self[LocationsKey.self] = newValue }
  }
}

private struct DeviceLocations: LocationProviding {
  func updates() -> LocationUpdates { LocationUpdates(AsyncStream { $0.finish() }) }
}

// The declarations of swift-dependencies that the recipe uses.

protocol DependencyKey<Value> {
  associatedtype Value: Sendable
  static var liveValue: Value { get }
  static var testValue: Value { get }
}

struct DependencyValues: Sendable {
  @TaskLocal static var current = DependencyValues()
  private var values: [ObjectIdentifier: any Sendable] = [:]

  subscript<Key: DependencyKey>(key: Key.Type) -> Key.Value {
    get { values[ObjectIdentifier(key)] as? Key.Value ?? Key.testValue }
    set { values[ObjectIdentifier(key)] = newValue }
  }
}

@propertyWrapper
private struct Dependency<Value> {
  let wrappedValue: Value

  init(_ path: KeyPath<DependencyValues, Value>) {
    wrappedValue = DependencyValues.current[keyPath: path]
  }
}

@MainActor
private func withDependencies<Result>(
  _ change: (inout DependencyValues) -> Void, operation: () -> Result
) -> Result {
  var values = DependencyValues.current
  change(&values)
  return DependencyValues.$current.withValue(values, operation: operation)
}
