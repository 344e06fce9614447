import FaketrackFeatures

/// Makes the scenes of routes.
@MainActor
struct SceneBuilder {
  let dependencies: Dependencies
  let files: PathCompletion
  let redraw: @MainActor () -> Void

  /// - Parameter former: the scene that this one replaces: a list of cities with another query keeps
  ///   its view.
  func scene(for route: Route, insteadOf former: (any Scene)? = nil) -> any Scene {
    switch Screen(route, dependencies) {
    case .home(let model): ModelScene(model, view: HomeView(files: files), redraw: redraw)
    case .tracking(let model):
      ModelScene(
        model, view: TrackingView(catalog: model.catalog, index: dependencies.index),
        catalog: model.catalog, redraw: redraw)
    case .cities(let model):
      ModelScene(
        model,
        view: (former as? ModelScene<CityListViewModel, CitiesView>)?.view
          ?? CitiesView(query: model.state.query, index: dependencies.index),
        redraw: redraw)
    case .city(let model):
      ModelScene(model, view: CityView(index: dependencies.index), redraw: redraw)
    case .lists(let model): ModelScene(model, view: ListsView(), redraw: redraw)
    case .about(let about): AboutScene(about)
    }
  }
}
