import Cities
import FaketrackFeatures
import FaketrackServer

extension Website {
  func show(_ request: WebRequest) async -> WebResponse {
    let names = request.pathNames
    switch names.first {
    case "assets":
      guard let resource = PageResources.shared.resource(at: names) else { return notFound }
      return .unchanging(
        resource.bytes, type: resource.type, tag: PageResources.shared.version, for: request)
    case "photos":
      if let answer = SamplePhotos.answer(names, request) { return answer }
      return await own?.answer(names, request) ?? notFound
    case "tiles": return await tiles?.file?.answer(names, request, tag: generation) ?? notFound
    case "tracks": return await track(names)
    case "draw" where names.count == 1: return await drawPage(request)
    case "draw" where names.count == 2:
      guard let file = DrawnWalk.File(rawValue: String(names[1])) else { return notFound }
      guard let drawn = DrawnWalk(request.items) else { return DrawnWalk.unknownMeans }
      return await drawn.answer(file, dependencies.index, in: request.units)
    case "map" where names.count == 2 && names[1] == "cities":
      return await CitiesInBox.answer(request, dependencies.index)
    case "tracking" where names.count == 2:
      if names[1] == "events" { return events(request) }
      guard let file = WalkFile.all.first(where: { $0.name == names[1] }) else { return notFound }
      if !file.isPage { return file.answer(tracking.state.history) }
      guard let page = Keepsake(tracking.state, heic: own?.heic, in: request.units) else {
        return notFound
      }
      return await file.answer(page)
    default:
      guard let route = Route(address: request.target) else { return notFound }
      return await screen(route, request)
    }
  }

  private func screen(_ route: Route, _ request: WebRequest) async -> WebResponse {
    let part = request.item("part")
    if part == "card", case .city(let model) = Screen(route, dependencies) {
      // From the index and the favorites alone.
      await model.send(.loadDetails)
      return .html(CityCard.html(model.state))
    }
    guard let load = loads.load(route, isRefresh: request.item("refresh") != nil) else {
      return .busy("Too many pages are loading. Try again.")
    }
    let isFirst = part == nil && request.item("wait") == nil
    let tracksTimeout = load.screen.callsServices ? nil : max(loadTimeout, .seconds(5))
    await load.wait(atMost: isFirst ? loadTimeout : tracksTimeout)
    switch load.screen {
    case .home(let model):
      let walk = tracking.state
      if part == "tracks" {
        return .html(HomePage.tracks(model.state, walk: walk, in: request.units))
      }
      let failure = request.method == "GET" ? takeUploadFailure(for: request) : nil
      let question = request.item("ask").flatMap {
        StartQuestion($0, in: request.item, from: request, dependencies)
      }
      let notice = failure.map(HomePage.notice) ?? question?.card(in: request.units)
      return .html(HomePage.html(model.state, walk: walk, notice: notice, in: request.units))
    case .tracking(let model):
      return trackingPage(model, request)
    case .cities(let model):
      return .html(await citiesPage(model, request, isPart: part == "results"))
    case .city(let model):
      if part == "summary" {
        return .html(CityPage.summary(model.state, origin: request.statedOrigin) ?? .none)
      }
      // Only the summary may be missing.
      for await state in model.states()
      where state.details.value != nil || state.details.failure != nil { break }
      let page = CityPage.html(
        model.state, back: backLink(from: route, request), tiles: tiles, in: request.units)
      return .html(page, status: status(of: model.state))
    case .lists(let model):
      let order = request.item("sort").flatMap(ListFeed.Order.init) ?? .text
      await model.send(.setOrder(order))
      return .html(part == "lists" ? ListsPage.lists(model.state) : ListsPage.html(model.state))
    case .about(let document):
      return .html(AboutPage.html(document, tiles: tiles))
    }
  }

  private func trackingPage(
    _ model: TrackingViewModel, _ request: WebRequest
  ) -> WebResponse {
    let state = model.state
    let (units, last) = (request.units, request.item("photos").flatMap { Int($0) })
    switch request.item("part") {
    case "profile":
      return .html(
        ProfileFigure.html(
          state.shape ?? TrackShape(), legs: state.legs, at: state.distance, in: units))
    case "photos": return .html(PhotoCard.grid(state, upTo: last, in: units))
    case "photo":
      guard let card = last.flatMap(state.card) else { return notFound }
      return .html(PhotoCard.html(card, in: units, on: state.clocks))
    default: break
    }
    let cover = dependencies.photos.isSample ? state.track.map(SamplePhotos.cover) : nil
    let page = TrackingPage(units: units, tiles: tiles, cover: cover, lastPhoto: last)
    var response = WebResponse.html(page.html(state, generation: generation))
    if state.entry?.shape == .loading { response.headers["Refresh"] = "1" }
    return response
  }

  /// A page of the list; a number beyond the end gives the last page.
  private func citiesPage(
    _ model: CityListViewModel, _ request: WebRequest, isPart: Bool
  ) async -> HTML {
    let size = CityListViewModel.pageSize
    let last = dependencies.index.count / size + 1
    let page = min(max(request.item("page").flatMap { Int($0) } ?? 1, 1), last)
    await model.send(.load(offset: (page - 1) * size, limit: size))
    if isPart { return CitiesPage.results(model.state) }
    if let list = model.state.list.value, list.rows.isEmpty, list.total > 0 {
      await model.send(.load(offset: (list.total - 1) / size * size, limit: size))
    }
    return CitiesPage.html(model.state, tiles: tiles, in: request.units)
  }

  private func drawPage(_ request: WebRequest) async -> WebResponse {
    guard let drawn = DrawnWalk(request.items) else { return DrawnWalk.unknownMeans }
    let preview: Loading<DrawnWalk.Preview>
    do throws(Failure) {
      preview = .loaded(try await drawn.preview(in: dependencies.index))
    } catch {
      preview = .failed(error)
    }
    let around = tracking.catalog.entries.last { ($0.shape.value?.count ?? 0) > 0 }
    return .html(
      DrawPage.html(
        drawn, preview, around: around?.shape.value?.points.first?.coordinate, tiles: tiles,
        in: request.units))
  }

  func status(of state: CityViewModel.State) -> WebResponse.Status {
    if state.details.failure == nil { return .ok }
    return dependencies.index[id: state.id] == nil ? .notFound : .internalServerError
  }

  /// The link to the screen that led to a page, as stated by a form or else by the browser.
  private func backLink(from route: Route, _ request: WebRequest) -> CityPage.BackLink {
    var router = Router(request.statedOrigin ?? request.origin ?? route.parent)
    router.open(route)
    let previous = router.previous ?? route.parent
    guard let title = name(of: previous) else {
      return (route.parent, "Cities")
    }
    return (previous, title)
  }

  private func name(of route: Route) -> String? {
    if case .city(let id) = route { return dependencies.index[id: id]?.name }
    return Route.main.first { $0.route.isSameScreen(route) }?.title
  }

  private func track(_ names: [Substring]) async -> WebResponse {
    guard names.count == 2, let id = Int(names[1]),
      let shape = await tracking.catalog.shape(of: id)
    else { return notFound }
    let state = tracking.state
    return await MapTrack.answer(
      shape, isLive: tracking.catalog.entry(id)?.isLive == true, dependencies.index, state.clocks,
      minimumPopulation: state.minimumPopulation)
  }
}
