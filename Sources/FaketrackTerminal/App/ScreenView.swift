import Cities
import FaketrackFeatures
import Foundation
import Geodesy

/// The view of a screen: draws a state and turns input into actions.
///
/// A value without side effects that holds what belongs to the terminal alone, such as the chosen
/// row. The same view, state and size always give the same frame.
package protocol ScreenView<State, Action>: Sendable {
  associatedtype State: Equatable & Sendable
  associatedtype Action: Sendable

  /// The title above the screen.
  func title(_ state: State) -> String

  /// The keys that can be pressed now, the most important first.
  func keys(_ state: State, in area: CellArea) -> [KeyHint]

  /// Returns what to load when the screen is shown, for the first time or again.
  func appear(_ state: State) -> [Reaction<Action>]

  /// Adapts to a new state or size.
  ///
  /// - Returns: the reactions that the view needs, such as loading visible rows that are not loaded yet.
  mutating func update(_ state: State, in area: CellArea) -> [Reaction<Action>]

  /// The maximum number of cities on the map.
  static var mapLimit: Int { get }
  /// The cities on the map, the largest first.
  var mapCities: [City] { get set }
  /// The part of the Earth on the map; `nil` without a map.
  func mapBox(_ state: State, in area: CellArea) -> BoundingBox?

  func draw(_ state: State, in frame: inout Frame, at area: CellArea)

  /// - Returns: the effects of the input; `nil` if this screen does not use it.
  mutating func react(
    to input: TerminalInput, _ state: State, in area: CellArea
  ) -> [Reaction<Action>]?
}

extension ScreenView {
  package func keys(_ state: State, in area: CellArea) -> [KeyHint] { [] }
  package func appear(_ state: State) -> [Reaction<Action>] { [] }
  package mutating func update(_ state: State, in area: CellArea) -> [Reaction<Action>] { [] }

  package static var mapLimit: Int { 200 }
  package var mapCities: [City] {
    get { [] }
    set {}
  }
  package func mapBox(_ state: State, in area: CellArea) -> BoundingBox? { nil }
}

/// An effect of input.
package enum Reaction<Action: Sendable>: Sendable {
  /// Sends an action to the view model.
  case send(Action)
  /// Opens another screen, with this one behind it.
  case open(Route)
  /// Opens a web page in the browser.
  case browse(URL)
}

/// A key and its effect, in a word or two.
package struct KeyHint: Hashable, Sendable {
  package var key: String
  package var meaning: String

  package init(_ key: String, _ meaning: String) {
    self.key = key
    self.meaning = meaning
  }

  /// The columns that it takes up, including the space after it.
  var columns: Int { key.columns + meaning.columns + 3 }
}
