#if !canImport(SwiftUI)
  import Locations
  import Tracking

  /// The same model where there is no SwiftUI: the stops of the walk as lines.
  @main
  enum Headless {
    @MainActor
    static func main() async throws {
      let model = TrackingModel(try .replay(speed: .max))
      try await model.run()
      for stop in model.stops {
        print(stop.fix.coordinate, stop.photo?.imageURL.absoluteString ?? "no photo")
      }
      print("\(Int(model.distance)) m, \(model.city?.name ?? "no city")")
    }
  }
#endif
