/// A key and its effect, in a word or two.
package struct KeyHint: Hashable, Sendable {
  package let key: String
  package private(set) var meaning: String
  /// The input of the key, and of other keys that mean the same.
  let inputs: [TerminalInput.Key]

  /// - Parameter inputs: without any, the character that is the key.
  private init(_ key: String, _ meaning: String, _ inputs: [TerminalInput.Key] = []) {
    self.key = key
    self.meaning = meaning
    self.inputs = inputs.isEmpty ? key.map { .character($0) } : inputs
  }

  /// The columns that it takes up, including the space after it.
  var columns: Int { key.columns + meaning.columns + 3 }

  /// The same key with its effect in the current state.
  func callAsFunction(_ meaning: String) -> KeyHint {
    KeyHint(key, meaning, inputs)
  }
}

/// All keys of the app: a key has one meaning on every screen.
extension KeyHint {
  static let open = KeyHint("Enter", "open", [.enter, .right, .character("l")])
  /// Opens what only Enter opens.
  static let enter = KeyHint("Enter", "open", [.enter])
  static let outside = KeyHint("o", "open outside")
  static let add = KeyHint("n", "add a file")
  static let search = KeyHint("/", "search")
  static let sort = KeyHint("S", "sort")
  static let remove = KeyHint("D", "remove")
  static let figures = KeyHint("i", "figures")
  static let star = KeyHint("f", "star")
  static let favorites = KeyHint("F", "favorites only")
  static let retry = KeyHint("r", "retry")
  static let copy = KeyHint("y", "copy")
  static let save = KeyHint("w", "save the walk")
  static let command = KeyHint(":", "command")

  static let start = KeyHint("s", "start")
  static let pause = KeyHint("Space", "pause", [.character(" ")])
  static let stop = KeyHint("x", "stop")
  /// Also without shift, as on many keyboards.
  static let speed = KeyHint("< >", "speed", "<>,.".map { .character($0) })
  static let jump = KeyHint(
    "← →", "jump", [.left, .right] + "[]".map { .character($0) })
  /// The jump where the arrows move the map.
  static let jumpBesidePan = KeyHint("[ ]", "jump", "[]".map { .character($0) })
  static let whole = KeyHint("0", "whole walk")
  static let allow = KeyHint("a", "allow")
  static let deny = KeyHint("d", "deny location")

  static let zoom = KeyHint("+ -", "zoom", "+=-_".map { .character($0) })
  static let pan = KeyHint("← ↑ ↓ →", "move the map", [.left, .up, .down, .right])
  static let map = KeyHint("m", "map")
  static let follow = KeyHint("c", "follow")
  /// Moves to the other part of a screen, or completes what is being typed.
  static let tab = KeyHint("Tab", "complete", [.tab])

  static let screens = KeyHint(
    "1 … \(AppFrame.tabs.count)", "the screens", AppFrame.tabs.map { .character($0.key) })
  static let back = KeyHint("Esc", "back", [.escape, .left, .character("h"), .backspace])
  /// Ends what only Esc ends.
  static let escape = KeyHint("Esc", "back", [.escape])
  static let help = KeyHint("?", "keys")
  static let quit = KeyHint("q", "quit", [.character("q"), .control("c")])
  static let move = KeyHint("↑ ↓ j k", "move", [.up, .character("k"), .down, .character("j")])

  /// The keys of every list and long text: the inputs that move back, then as many that move on.
  static let moves = [
    move, KeyHint("Ctrl-D Ctrl-U", "half a page", [.control("u"), .control("d")]),
    KeyHint(
      "Ctrl-F Ctrl-B", "a page, as PgDn PgUp",
      [.control("b"), .pageUp, .control("f"), .pageDown]),
    KeyHint("g G", "first, last, as Home End", [.character("g"), .home, .character("G"), .end]),
  ]

  /// The keys for the help.
  package static let reference =
    everywhere + moves + mouse + [
      start, stop, jump, allow, deny, zoom, map, follow, whole, open, outside, copy, figures, add,
      remove, star, favorites, sort, retry,
    ]

  /// The keys of every screen.
  static let everywhere = [
    screens,
    back("back (also h, ←)"), search("search cities"), pause("pause the walk, go on"),
    speed("slower, faster (also , .)"), save, command("a command, Tab lists them"),
    help("these keys"),
    KeyHint("Ctrl-L", "draw again", [.control("l")]),
    KeyHint("Ctrl-Z", "suspend, pausing the walk", [.control("z")]), quit("quit (also Ctrl-C)"),
  ]
}

extension KeyHint {
  /// The effects of the mouse, which are no keys.
  static let mouse = [
    KeyHint("click", "choose, open, jump there"), KeyHint("wheel", "scroll, or zoom the map"),
    KeyHint("drag", "move the map of a walk"),
  ]
}

extension TerminalInput.Key {
  /// Whether it is the first of the two keys of a hint such as `+ -`.
  var isPlus: Bool { self == .character("+") || self == .character("=") }
}

/// A key of a screen and what it does now: the footer, the help and the effect of input follow from it.
package struct KeyBinding<View: ScreenView> {
  let hint: KeyHint
  let isActive: Bool
  let isShown: Bool
  /// Whether it begins another walk in the place of this one.
  let replacesWalk: Bool
  let act: (inout View, TerminalInput.Key) -> View.Reactions

  /// - Parameters:
  ///   - isActive: whether the key has an effect now.
  ///   - isShown: whether the footer and the help name it.
  ///   - replacesWalk: whether it begins another walk in the place of this one.
  init(
    _ hint: KeyHint, when isActive: Bool = true, isShown: Bool = true, replacesWalk: Bool = false,
    _ act: @escaping (inout View, TerminalInput.Key) -> View.Reactions
  ) {
    self.hint = hint
    self.isActive = isActive
    self.isShown = isActive && isShown
    self.replacesWalk = isActive && replacesWalk
    self.act = act
  }

  /// A key that changes the view alone.
  init(
    _ hint: KeyHint, when isActive: Bool = true, isShown: Bool = true,
    _ change: @escaping (inout View) -> Void
  ) {
    self.init(hint, when: isActive, isShown: isShown) { view, _ in
      change(&view)
      return []
    }
  }

  /// A key with effects beyond the view; without any, it has none now.
  init(
    _ hint: KeyHint, when isActive: Bool = true, isShown: Bool = true, replacesWalk: Bool = false,
    _ reactions: View.Reactions
  ) {
    self.init(
      hint, when: isActive && !reactions.isEmpty, isShown: isShown, replacesWalk: replacesWalk
    ) { _, _ in reactions }
  }
}
