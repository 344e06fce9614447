import FaketrackFeatures
import FlyingFox

extension Website {
  /// The answer to a request that changes nothing.
  func show(_ request: HTTPRequest) async -> HTTPResponse {
    let names = request.pathNames
    switch names.first {
    case "assets":
      guard let resource = PageResources.shared.resource(at: names) else { return notFound }
      return .unchanging(
        resource.bytes, type: resource.type, tag: PageResources.shared.version, for: request)
    case "photos": return sample(names, request)
    case "tracks": return await track(names, request)
    case "map" where names.count == 2 && names[1] == "cities":
      return await MapCities.answer(request, parts.dependencies.index)
    case "tracking" where names.count == 2 && names[1] == "events": return events(request)
    default:
      guard let route = Route(address: request.target.rawValue) else { return notFound }
      return await screen(route, request)
    }
  }

  private func screen(_ route: Route, _ request: HTTPRequest) async -> HTTPResponse {
    switch Screen(route, parts.dependencies) {
    case .home(let model):
      await model.load()
      return .html(await home(model.state))
    case .tracking:
      return await tracking()
    case .cities(let model):
      return await cities(model, request)
    case .city(let model):
      return await city(model, request)
    case .lists(let model):
      return await lists(model, request)
    case .about:
      return .html(AboutPage.html(tiles: parts.tiles))
    }
  }

  /// Home, with what was wrong with a file if there is one.
  func home(_ state: HomeViewModel.State, failure: LoadingFailure? = nil) async -> HTML {
    var tracks: [HomePage.Track] = []
    for entry in library.entries {
      let shape: Result<TrackShape, LoadingFailure>
      do {
        shape = .success(try await entry.shape.value)
      } catch {
        shape = .failure(LoadingFailure(error))
      }
      tracks.append(
        HomePage.Track(
          id: entry.id, name: entry.track.name, shape: shape,
          isWalked: session.isUnderWay && session.view.track == entry.id))
    }
    return HomePage.html(
      HomePage.State(
        home: state, tracks: tracks, photos: parts.photos,
        permission: session.permission ?? session.view.state.authorization ?? parts.permission,
        failure: failure))
  }

  private func tracking() async -> HTTPResponse {
    guard let entry = session.track, let shape = try? await entry.shape.value else {
      return .html(TrackingPage.empty)
    }
    return .html(
      TrackingPage.html(
        TrackingPage.State(
          view: session.view, photos: session.photos, name: entry.track.name, shape: shape,
          tiles: parts.tiles)))
  }

  private func cities(_ model: CityListViewModel, _ request: HTTPRequest) async -> HTTPResponse {
    let page = request.item("page").flatMap { Int($0) } ?? 1
    await model.load(pages: page)
    guard request.item("part") == "results" else {
      return .html(CitiesPage.html(model.state, tiles: parts.tiles))
    }
    let first = page > 1 ? (page - 1) * CityListViewModel.pageSize : 0
    return .html(CitiesPage.results(model.state, from: first))
  }

  private func city(_ model: CityViewModel, _ request: HTTPRequest) async -> HTTPResponse {
    let isPart = request.item("part") == "summary"
    await load(patiently: isPart || request.item("wait") != nil) { await model.send(.load) }
    if isPart { return .html(CityPage.summary(model.state)) }
    let isKnown = model.state.details.failure == nil
    return .html(
      CityPage.html(model.state, tiles: parts.tiles), status: isKnown ? .ok : .notFound)
  }

  private func lists(_ model: ListsViewModel, _ request: HTTPRequest) async -> HTTPResponse {
    if let order = request.item("sort").flatMap(ListFeed.Order.init) {
      await model.send(.setOrder(order))
    }
    let isPart = request.item("part") == "lists"
    await load(patiently: isPart || request.item("wait") != nil) { await model.send(.load) }
    return .html(isPart ? ListsPage.lists(model.state) : ListsPage.html(model.state))
  }

  /// Loads something from elsewhere, but makes a first answer wait only so long: the page asks
  /// again for the part that is missing.
  private func load(
    patiently: Bool, _ work: @escaping @MainActor () async -> Void
  ) async {
    let loading = Task { await work() }
    if patiently { return await loading.value }
    let (done, continuation) = AsyncStream.makeStream(of: Void.self)
    let waiting = Task {
      await loading.value
      continuation.finish()
    }
    let timer = Task {
      try? await Task.sleep(for: Self.patience)
      continuation.finish()
    }
    for await _ in done {}
    timer.cancel()
    waiting.cancel()
  }

  private func events(_ request: HTTPRequest) -> HTTPResponse {
    guard session.signals.count < Self.streamLimit else {
      return .text("Too many browsers watch.", status: .serviceUnavailable)
    }
    let seen = request.headers[HTTPHeader("Last-Event-ID")] ?? request.item("after")
    let stream = EventStream(
      session: session, signals: session.signals.signals(),
      cursor: seen.flatMap { WalkCursor($0) })
    return HTTPResponse(
      statusCode: .ok, headers: [.contentType: "text/event-stream"],
      body: HTTPBodySequence(from: stream))
  }

  var notFound: HTTPResponse {
    .html(
      RefusalPage.html(
        title: "Nothing here", message: "There is no page with this address."),
      status: .notFound)
  }
}
