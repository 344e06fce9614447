/// A text that nobody may see: whatever prints it, or what holds it, shows `***`.
package struct Secret: Sendable {
  /// The text itself, for the one who sends it.
  package let value: String

  package init(_ value: String) {
    self.value = value
  }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "***" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
