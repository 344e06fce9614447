#if canImport(SwiftUI)
  import SwiftUI
  import Tracking

  @main
  struct TrackingApp: App {
    @State private var router = Router()

    var body: some Scene {
      WindowGroup {
        RootView(router: router, services: .device)
      }
    }
  }
#endif
