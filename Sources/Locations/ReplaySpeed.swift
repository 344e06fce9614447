/// How fast a track is replayed.
public enum ReplaySpeed: Hashable, Sendable {
  /// A multiple of the recorded pace, above zero and finite: 1 takes as long as the walk took.
  case multiple(Double)
  /// Nothing is waited for.
  case max

  /// Whether it is one at which a walk goes on.
  var isValid: Bool {
    switch self {
    case .multiple(let multiple): multiple > 0 && multiple.isFinite
    case .max: true
    }
  }
}
