/// A name and a value of a request's query.
package struct QueryItem: Sendable {
  package let name: String
  package let value: String
  /// Whether the value must never be shown.
  package let isSecret: Bool

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
    isSecret = false
  }

  package init(_ name: String, _ secret: Secret) {
    self.name = name
    value = secret.value
    isSecret = true
  }
}

extension QueryItem: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "\(name)=\(isSecret ? "***" : value)" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: ["item": description]) }

  var encodedName: String { name.percentEncoded }
  var encodedValue: String { value.percentEncoded }
  var percentEncoded: String { "\(encodedName)=\(encodedValue)" }
}
