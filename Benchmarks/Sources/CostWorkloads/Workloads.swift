import Cities
import FaketrackFeatures
import FaketrackSupport
import FaketrackTerminal
import FaketrackWeb
import Foundation
import GPX
import Geodesy
import Locations
import PhotoSearch
import WorldCities

/// Work whose instructions are counted.
struct Workload: Sendable {
  let name: String
  /// Makes the input, which is not counted, and returns the work; its result depends on all of it.
  ///
  /// - Parameter folder: a place for files.
  let prepare: @Sendable (_ folder: String) throws -> () throws -> Int

  static let all = reading + replays + formats + cities + photos + screens
}

extension Workload {
  /// From the bytes of a file to fixes, and from those to figures.
  private static let reading = [
    Workload(name: "read dense") { try reading(in: $0, hasExtensions: false) },
    Workload(name: "read garmin") { try reading(in: $0, hasExtensions: true) },
    Workload(name: "statistics") { _ in
      let fixes = try Inputs.walk(20_000)
      return {
        let statistics = TrackStatistics(fixes)
        return Int(statistics.length + statistics.ascent) + statistics.points
      }
    },
  ]

  private static func reading(
    in folder: String, hasExtensions: Bool
  ) throws -> () throws -> Int {
    let path = "\(folder)/walk.gpx"
    try Inputs.gpx(Inputs.walk(20_000), hasExtensions: hasExtensions)
      .write(toFile: path, atomically: true, encoding: .utf8)
    return {
      var count = 0
      try GPXFixes(.file(path)).read { event in
        if case .fixes(let fixes, _) = event { count += fixes.count }
      }
      return count
    }
  }
}

extension Workload {
  /// From fixes to the updates that a view model iterates.
  private static let replays = [
    replay("replay filter 100", distanceFilter: 100),
    replay("replay filter 0"),
    replay(
      "replay interpolated",
      options: ReplayOptions(interpolation: .interval(.milliseconds(500)))),
    replay("replay noise", options: ReplayOptions(noise: 5, seed: 1)),
    replay("replay reverse", options: ReplayOptions(isReversed: true)),
    Workload(name: "replay on a virtual clock") { _ in
      let fixes = try Inputs.walk(20_000)
      return {
        try SingleThread.run(on: SingleThread.worker) {
          let provider = ReplayLocationProvider(fixes, clock: VirtualClock())
          let running = Task { try await count(provider.updates()) }
          try await provider.advance(to: .end)
          return try await running.value
        }
      }
    },
  ]

  private static func replay(
    _ name: String, distanceFilter: Double = 0, options: ReplayOptions = ReplayOptions()
  ) -> Workload {
    Workload(name: name) { _ in
      let fixes = try Inputs.walk(20_000)
      return {
        try SingleThread.run(on: SingleThread.worker) {
          let provider = ReplayLocationProvider(
            fixes, distanceFilter: distanceFilter, speed: .max, options: options)
          return try await count(provider.updates())
        }
      }
    }
  }

  private static func count(_ updates: LocationUpdates) async throws -> Int {
    var count = 0
    for try await update in updates {
      if update.location != nil { count += 1 }
    }
    return count
  }
}

extension Workload {
  /// From visits to each format.
  private static let formats = OutputFormat.all().compactMap { format -> Workload? in
    guard let makeRenderer = format.makeRenderer else { return nil }
    return Workload(name: "format \(format.name)") { _ in
      let visits = try visits(2_000)
      return {
        var renderer = makeRenderer(nil)
        var text = TextBuffer()
        for visit in visits { renderer.append(visit, to: &text) }
        return text.count
      }
    }
  }

  private static func visits(_ count: Int) throws -> [Visit] {
    var cursor = NearestCityCursor(.world)
    return try Inputs.walk(count).enumerated().map { number, fix in
      var fix = fix
      fix.distance = Double(number) * 1.3
      fix.speed = 1.3
      fix.course = Double(number % 360) + 0.25
      let photo = Photo(
        id: "\(number)", title: "Alte Brücke \(number)", owner: "Anna K.",
        license: PhotoLicense(name: "CC BY 2.0", terms: .creativeCommons),
        imageURL: try url("https://live.staticflickr.com/65535/\(number)_5ec_z.jpg"),
        pageURL: try url("https://www.flickr.com/photos/anna/\(number)"),
        coordinate: fix.coordinate)
      return Visit(
        index: number, fix: fix, city: cursor.nearest(to: fix.coordinate), photo: photo)
    }
  }

  private static func url(_ text: String) throws -> URL {
    guard let url = URL(string: text) else { throw URLError(.badURL) }
    return url
  }
}

extension Workload {
  private static let cities = [
    Workload(name: "nearest along a walk") { _ in
      let fixes = try Inputs.walk(20_000)
      return {
        var cursor = NearestCityCursor(.world)
        return fixes.reduce(0) { $0 + Int(cursor.nearest(to: $1.coordinate)?.distance ?? 0) }
      }
    },
    Workload(name: "nearest near cities") { _ in
      var random = SplitMix64(seed: 3)
      return try nearest(
        to: CityIndex.world.search(CityQuery(order: .population, limit: 5_000)).cities.map {
          $0.coordinate.destination(
            distance: .random(in: 0...5_000, using: &random),
            bearing: .random(in: 0...360, using: &random))
        })
    },
    Workload(name: "nearest anywhere") { _ in try nearest(to: Inputs.anywhere(5_000)) },
    search("search by name", order: .name),
    search("search by population", order: .population),
    Workload(name: "import 20000 cities") { folder in
      let source = URL(fileURLWithPath: "\(folder)/cities.tsv")
      let index = URL(fileURLWithPath: "\(folder)/cities.bin")
      try Inputs.geoNames(20_000).write(to: source, atomically: true, encoding: .utf8)
      return { try CityImport.replaceIndex(at: index, reading: source).cities }
    },
  ]

  private static func nearest(to positions: [Coordinate]) throws -> () throws -> Int {
    {
      positions.reduce(0) { $0 + (CityIndex.world.nearest(to: $1)?.city.id ?? 0) }
    }
  }

  private static func search(_ name: String, order: CityQuery.Order) -> Workload {
    Workload(name: name) { _ in
      let prefixes = ["", "p", "po", "pot", "pots", "münch", "san ", "saint-", "東", "мос", "new y"]
      return {
        var sum = 0
        for prefix in repeatElement(prefixes, count: 20).joined() {
          let page = CityIndex.world.search(CityQuery(prefix: prefix, order: order, limit: 50))
          sum += page.total + page.matches.count
        }
        return sum
      }
    }
  }
}

extension Workload {
  /// From the answer of a service to chosen photos.
  private static let photos = [
    photos("photos flickr") { center in
      FlickrPhotoSearch(
        apiKey: "key", userAgent: "cost", fetcher: FixedService.flickr(around: center))
    },
    photos("photos commons") { center in
      CommonsPhotoSearch(userAgent: "cost", fetcher: FixedService.commons(around: center))
    },
  ]

  private static func photos(
    _ name: String, _ search: @escaping @Sendable (Coordinate) -> any PhotoSearching
  ) -> Workload {
    Workload(name: name) { _ in
      let center = try Coordinate(latitude: 52.4009, longitude: 13.0591)
      let search = search(center)
      return {
        try SingleThread.run {
          // Without room in memory, each location decodes its answer.
          let picker = PhotoPicker(PhotoPipeline(search, capacity: 1))
          var found = 0
          for index in 0..<20 {
            let place = center.destination(distance: Double(index) * 25, bearing: 90)
            if case .found = await picker.pick(for: place, index: index) { found += 1 }
          }
          return found
        }
      }
    }
  }
}

extension Workload {
  /// From states to what the page and the app show.
  private static let screens = [
    Workload(name: "page tracking") { folder in
      let state = try walk(in: folder)
      let page = TrackingPage(units: .metric)
      return { page.html(state, generation: "cost").markup.utf8.count }
    },
    Workload(name: "page cities") { _ in
      let state = try cityList("pots")
      return { CitiesPage.html(state, tiles: nil).markup.utf8.count }
    },
    Workload(name: "app tracking 200x50") { folder in
      return frame(TrackingView(index: .world), try walk(in: folder))
    },
    Workload(name: "app cities 200x50") { _ in
      let query = CityListQuery(text: "pots")
      return frame(CitiesView(query: query, index: .world), try cityList("pots"))
    },
  ]

  private static func frame<View: ScreenView>(
    _ view: View, _ state: View.State
  ) -> () throws -> Int {
    {
      var view = view
      var frame = Frame(size: CellSize(columns: 200, rows: 50))
      _ = view.update(state, in: frame.area)
      view.draw(state, in: &frame, at: frame.area)
      var writer = FrameWriter(colors: .many)
      return writer.text(for: frame).count
    }
  }

  private static func cityList(_ text: String) throws -> CityListViewModel.State {
    try SingleThread.run { @MainActor in
      let model = CityListViewModel(
        query: CityListQuery(text: text), index: .world, favorites: NoFavorites())
      await model.send(.load(offset: 0, limit: CityListViewModel.pageSize))
      return model.state
    }
  }

  /// A walk in its middle, with photos.
  private static func walk(in folder: String) throws -> TrackingState {
    let path = "\(folder)/walk.gpx"
    try Inputs.gpx(Inputs.walk(5_000), hasExtensions: false)
      .write(toFile: path, atomically: true, encoding: .utf8)
    var state = TrackingState(track: 1, clocks: .utc)
    state.apply(.reset(track: 1))
    state.entry = TrackCatalog.Entry(
      id: 1, name: "walk.gpx", shape: .loaded(try TrackShape(reading: Track(.file(path)))))
    state.apply(.started(at: 0))
    state.apply(.updated([.authorization(.authorizedWhenInUse)]))
    for visit in try visits(2_500) where visit.index.isMultiple(of: 75) {
      state.apply(.updated([.location(visit.fix)], city: visit.city))
      state.apply(.visited([visit]))
    }
    return state
  }
}

private struct NoFavorites: FavoritesStoring {
  func favorites() async throws -> Set<Int> { [] }
  func addFavorites(_ new: Set<Int>) async throws -> Set<Int> { [] }
  func removeFavorites(_ old: Set<Int>) async throws -> Set<Int> { [] }
}
