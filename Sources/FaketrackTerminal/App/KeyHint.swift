/// A key and its effect, in a word or two.
package struct KeyHint: Hashable, Sendable {
  package let key: String
  package private(set) var meaning: String

  private init(_ key: String, _ meaning: String) {
    self.key = key
    self.meaning = meaning
  }

  /// The columns that it takes up, including the space after it.
  var columns: Int { key.columns + meaning.columns + 3 }

  /// The same key with its effect in the current state.
  func callAsFunction(_ meaning: String) -> KeyHint { KeyHint(key, meaning) }
}

/// All keys of the app: a key has one meaning on every screen.
extension KeyHint {
  static let open = KeyHint("Enter", "open")
  static let outside = KeyHint("o", "open outside")
  static let add = KeyHint("n", "add a file")
  static let search = KeyHint("/", "search")
  static let sort = KeyHint("S", "sort")
  static let star = KeyHint("f", "star")
  static let favorites = KeyHint("F", "favorites only")
  static let retry = KeyHint("r", "retry")

  static let start = KeyHint("s", "start")
  static let pause = KeyHint("Space", "pause")
  static let stop = KeyHint("x", "stop")
  static let speed = KeyHint("< >", "speed")
  static let jump = KeyHint("[ ]", "jump")
  static let allow = KeyHint("a", "allow")
  static let deny = KeyHint("d", "deny location")

  static let zoom = KeyHint("+ -", "zoom")
  static let map = KeyHint("m", "map")
  static let follow = KeyHint("c", "follow")
  /// Moves to the other part of a screen, or completes what is being typed.
  static let tab = KeyHint("Tab", "complete")

  static let back = KeyHint("Esc", "back")
  static let help = KeyHint("?", "keys")
  static let quit = KeyHint("q", "quit")
  static let move = KeyHint("↑ ↓ j k", "move")

  /// The keys of every list and long text.
  static let moves = [
    move, KeyHint("Ctrl-D Ctrl-U", "half a page"), KeyHint("Ctrl-F Ctrl-B", "a page, as PgDn PgUp"),
    KeyHint("g G", "first, last, as Home End"),
  ]

  /// The keys for the help.
  package static let reference =
    everywhere + moves + [
      start, pause, stop, speed, jump, allow, deny, zoom, map, follow, open, outside, add, star,
      favorites, sort, retry,
    ]

  /// The keys of every screen.
  static let everywhere = [
    KeyHint("1 … \(AppFrame.tabs.count)", "the screens"), back("back (also h, ←)"),
    search("search cities"), help("these keys"), KeyHint("Ctrl-L", "draw again"),
    KeyHint("Ctrl-Z", "suspend, pausing the walk"), quit("quit (also Ctrl-C)"),
  ]
}
