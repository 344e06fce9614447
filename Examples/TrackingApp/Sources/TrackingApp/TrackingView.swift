#if canImport(SwiftUI)
  import SwiftUI
  import Tracking

  /// The photos of a walk, newest on top.
  struct TrackingView: View {
    @State private var model: TrackingModel

    init(services: AppServices) {
      _model = State(initialValue: TrackingModel(services))
    }

    var body: some View {
      List {
        if let text = model.notice?.text ?? model.searchFailure {
          Label(text, systemImage: "exclamationmark.triangle")
        }
        ForEach(model.stops.reversed()) { stop in
          StopView(stop: stop)
        }
      }
      .navigationTitle(model.city?.name ?? "Tracking")
      .task { try? await model.run() }
    }
  }

  /// A stop: its photo with the credit that its license asks for.
  struct StopView: View {
    let stop: TrackingModel.Stop

    var body: some View {
      VStack(alignment: .leading) {
        if let photo = stop.photo {
          AsyncImage(url: photo.imageURL) { image in
            image.resizable().scaledToFit()
          } placeholder: {
            ProgressView()
          }
          .accessibilityLabel(photo.title)
          Text("\(photo.title), \(photo.owner) \(photo.license?.name ?? "")")
            .font(.caption)
        } else {
          Text("No photo yet")
            .font(.caption)
        }
      }
    }
  }

  extension TrackingModel.Notice {
    var text: String {
      switch self {
      case .asking: "Allow the location to see photos of your walk."
      case .denied: "The location is off. Turn it on in Settings."
      case .noSignal: "No signal. The list goes on when the location is back."
      case .approximate: "The location is approximate. Turn on Precise Location in Settings."
      }
    }
  }

  #Preview("Walk") {
    if let services = try? AppServices.replay(speed: .times(60)) {
      NavigationStack { TrackingView(services: services) }
    }
  }
#endif
