import Locations

/// The status, controls and notices of the walk, for every front end to draw.
package struct WalkPresentation: Hashable, Sendable {
  package enum Stage: String, Sendable {
    case idle, running, paused, blocked, stopped, ended
  }

  package struct Control: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
      case pause, resume, start, stop
    }

    package let kind: Kind
    package let title: String

    package var action: TrackingViewModel.Action {
      switch kind {
      case .pause: .pause
      case .resume: .resume
      case .start: .start(track: nil)
      case .stop: .stop
      }
    }
  }

  package let stage: Stage
  package let status: String
  package let notice: WalkNotice?
  /// The speed of the walk.
  package let speed: String
  /// Whether the user can choose the speed and the position; false for a receiver.
  package let isSteerable: Bool
  package let photosPlaceholder: String
  package let isSearching: Bool
  /// Whether the walk has not started, even if its start is chosen.
  private let isNew: Bool
  private let looksBack: Bool

  package init(_ state: TrackingState, in units: Units = .preferred) {
    stage = Self.stage(of: state)
    isNew = state.phase == .idle
    looksBack = state.looksBack
    status = Self.status(of: state)
    notice = WalkNotice(state, in: units)
    isSteerable = !state.isLive
    speed = state.isLive ? "live" : state.speed == .max ? "full speed" : "×\(state.speed.name)"
    photosPlaceholder = Self.photosPlaceholder(of: state)
    isSearching =
      state.searchesPhotos && state.phase == .running && state.searched == 0
      && state.photos.count == 0 && notice == nil
  }

  /// The controls that apply, the primary one first.
  package var controls: [Control] {
    let kinds: [Control.Kind] =
      switch stage {
      case .idle: [.start]
      case .ended: looksBack ? [.resume, .start] : [.start]
      case .running: [.pause, .stop]
      case .paused: [.resume, .stop]
      case .blocked: [.stop]
      case .stopped: [.resume, .start]
      }
    return kinds.map { Control(kind: $0, title: title(of: $0)) }
  }

  /// The label of a control's button, even if the control does not apply.
  package func title(of kind: Control.Kind) -> String {
    switch kind {
    case .pause: "Pause"
    case .stop: "Stop"
    case .resume: isNew || looksBack ? "Start here" : stage == .paused ? "Resume" : "Continue"
    case .start: stage == .idle ? "Start" : isNew ? "From the start" : "Start again"
    }
  }

  /// The control of the play and pause key; `nil` if it would discard the walk.
  package var playPause: Control? {
    stage == .blocked || stage == .ended && !looksBack ? nil : controls.first
  }

  static func stage(of state: TrackingState) -> Stage {
    switch state.phase {
    case .idle: state.canResume ? .stopped : .idle
    case .running: .running
    case .paused: .paused
    case .blocked: .blocked
    case .stopped: .stopped
    case .failed: state.canResume ? .stopped : .ended
    case .finished: .ended
    }
  }

  private static func status(of state: TrackingState) -> String {
    if state.lacksPermission, state.isUnderWay {
      guard state.authorization == .notDetermined else { return "No permission" }
      return state.isLive ? "No receiver" : "Asking"
    }
    return switch state.phase {
    case .idle: state.isRefused ? "No permission" : "Ready"
    case .running where state.isLive && state.fix == nil: "Waiting"
    case .running: state.isAvailable ? "Walking" : "Signal lost"
    case .paused: "Paused"
    case .blocked: "No permission"
    case .finished: "Arrived"
    case .stopped: "Stopped"
    case .failed: "Failed"
    }
  }

  private static func photosPlaceholder(of state: TrackingState) -> String {
    guard state.searchesPhotos else { return "Photos are switched off." }
    switch state.phase {
    case _ where state.photos.count > 0: return "No photo was found near this position."
    case .finished: return "No photos were found."
    case .running where state.isLive && state.fix == nil: return "Waiting for the first fix …"
    case .running where state.searched == 0: return "…"
    case _ where state.searched > 0: return "No photo has been found yet."
    default: return "Photos appear here during the walk."
    }
  }
}

/// The reason why the walk cannot continue or photos don't appear, and the remedies.
package struct WalkNotice: Hashable, Sendable {
  package enum Remedy: Hashable, Sendable {
    case allow
    case deny
    case startAgain
    case resume
    case goBack(toMeters: Double)

    package var title: String {
      switch self {
      case .allow: "Allow"
      case .deny: "Don’t allow"
      case .startAgain, .resume, .goBack: "Retry"
      }
    }

    package var actions: [TrackingViewModel.Action] {
      switch self {
      case .allow: [.answer(.authorizedWhenInUse)]
      case .deny: [.answer(.denied)]
      case .startAgain: [.start(track: nil)]
      case .resume: [.resume]
      case .goBack(let meters): [.move(to: meters), .resume]
      }
    }
  }

  package let title: String
  package let message: String
  package private(set) var hint: String?
  /// The remedies, the primary one first.
  package let remedies: [Remedy]

  package var retry: Remedy? {
    remedies.first { $0 != .allow && $0 != .deny }
  }

  package var isQuestion: Bool { remedies.contains(.deny) }
}

extension WalkNotice {
  /// The notice of a walk; `nil` without a problem.
  package init?(_ state: TrackingState, in units: Units = .preferred) {
    if let authorization = state.authorization,
      // Without a walk, no permission is needed.
      state.isRefused || state.lacksPermission && state.isUnderWay
    {
      self.init(authorization, isUnderWay: state.isUnderWay, isLive: state.isLive)
    } else if case .failed(let failure) = state.phase {
      self.init(
        title: "The walk failed", message: failure.message, hint: failure.hint,
        remedies: [state.canResume ? .resume : .startAgain])
    } else if let start = state.failingSince, let failure = state.failure {
      self.init(
        title: "No photos since \(Quantity.distance(start, in: units))", message: failure,
        hint: "The walk continues without them"
          + (state.isLive ? "." : "; Retry goes back to where they stopped."),
        remedies: state.isLive ? [] : [.goBack(toMeters: start)])
    } else if state.isLive, state.phase == .running, !state.isAvailable {
      self.init(
        title: state.fix == nil ? "Waiting for the first fix" : "Signal lost",
        message: "The receiver has no fix, or gpsd cannot be reached",
        hint: "Check that the receiver sees the sky and that gpsd runs. "
          + "The walk continues with the next fix.", remedies: [])
    } else {
      return nil
    }
  }

  private init(_ status: AuthorizationStatus, isUnderWay: Bool, isLive: Bool) {
    guard status.isRefusal || !isLive else {
      self.init(
        title: "No receiver", message: "No receiver is connected to gpsd",
        hint: "Connect one. The walk continues when it has a fix.", remedies: [])
      return
    }
    guard status.isRefusal else {
      self.init(
        title: "May faketrack use your location?",
        message: "The simulated device asks before it shares its location.",
        remedies: [.allow, .deny])
      return
    }
    self.init(
      title: "Location permission \(status.rawValue)",
      message: status == .restricted
        ? "Location access is restricted on the simulated device"
        : "The \(isLive ? "walk" : "simulated device") does not share its location",
      hint: isUnderWay
        ? "Allow it, and the walk continues from here." : "Allow it, then start a walk.",
      remedies: [.allow])
  }
}
