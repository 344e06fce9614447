#if canImport(SwiftUI)
  import SwiftUI
  import Tracking

  /// The screens that the router has opened.
  struct RootView: View {
    @Bindable var router: Router
    let services: AppServices

    var body: some View {
      NavigationStack(path: $router.path) {
        HomeView(router: router)
          .navigationDestination(for: Route.self) { route in
            switch route {
            case .tracking: TrackingView(services: services)
            }
          }
      }
    }
  }

  /// The first screen.
  struct HomeView: View {
    let router: Router

    var body: some View {
      ContentUnavailableView {
        Label("Photos of your walk", systemImage: "figure.walk")
      } description: {
        Text("A photo taken nearby, every 100 meters.")
      } actions: {
        Button("Start") { router.show(.tracking) }
      }
      .navigationTitle("Tracking")
    }
  }

  #Preview("Home") {
    HomeView(router: Router())
  }
#endif
