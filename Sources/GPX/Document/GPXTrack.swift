import Geodesy

/// A way that somebody went.
public struct GPXTrack: Hashable, Sendable {
  /// What it is called.
  public var name: String?
  /// Its unbroken pieces, the empty ones too.
  public var segments: [[Fix]]

  public init(name: String? = nil, segments: [[Fix]] = []) {
    self.name = name
    self.segments = segments
  }
}

/// A way that somebody means to go.
public struct GPXRoute: Hashable, Sendable {
  /// What it is called.
  public var name: String?
  /// Its turning points.
  public var fixes: [Fix]

  public init(name: String? = nil, fixes: [Fix] = []) {
    self.name = name
    self.fixes = fixes
  }
}

/// A place of interest.
public struct GPXWaypoint: Hashable, Sendable {
  /// Where it is.
  public var fix: Fix
  /// What it is called.
  public var name: String?

  public init(_ fix: Fix, name: String? = nil) {
    self.fix = fix
    self.name = name
  }
}
