import FaketrackFeatures
import Foundation

/// A screen of the app in the terminal: what it shows of a state, and what input does there.
///
/// A value without side effects: it holds what is only the terminal's, such as the row that is chosen.
/// The same view, state and size always give the same frame.
package protocol ScreenView<State, Action>: Sendable {
  associatedtype State: Equatable & Sendable
  associatedtype Action: Sendable

  /// What stands above the screen.
  func title(_ state: State) -> String

  /// The keys that mean something now, the most important first.
  func keys(_ state: State, in area: CellArea) -> [KeyHint]

  /// The screen is shown, for the first time or again.
  ///
  /// - Returns: what may have changed meanwhile, and has to be loaded.
  func appear(_ state: State) -> [Reaction<Action>]

  /// Takes note of a new state or size.
  ///
  /// - Returns: what the view needs for it, such as rows that are to be seen and not loaded yet.
  mutating func update(_ state: State, in area: CellArea) -> [Reaction<Action>]

  func draw(_ state: State, in frame: inout Frame, at area: CellArea)

  /// - Returns: what the input leads to; `nil` if it means nothing to this screen.
  mutating func react(
    to input: TerminalInput, _ state: State, in area: CellArea
  ) -> [Reaction<Action>]?
}

extension ScreenView {
  package func appear(_ state: State) -> [Reaction<Action>] { [] }
  package mutating func update(_ state: State, in area: CellArea) -> [Reaction<Action>] { [] }
}

/// What input leads to.
package enum Reaction<Action: Sendable>: Sendable {
  /// Something that the view model does.
  case send(Action)
  /// Another screen, from which one comes back to this.
  case open(Route)
  /// This screen about something else; back leads past it.
  case replace(with: Route)
  /// Something that the view model of the walk does, from any screen.
  case walk(TrackingViewModel.Action)
  /// A page of the web, in the browser.
  case browse(URL)
}

/// A key and what it does, in a word or two.
package struct KeyHint: Hashable, Sendable {
  package var key: String
  package var meaning: String

  package init(_ key: String, _ meaning: String) {
    self.key = key
    self.meaning = meaning
  }

  /// How many columns it takes up, with the space after it.
  var columns: Int { key.columns + meaning.columns + 3 }
}
