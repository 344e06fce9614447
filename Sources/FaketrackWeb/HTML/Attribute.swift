import FaketrackFeatures
import Foundation

/// An attribute of an element; its value is escaped when it is written.
struct Attribute: Hashable, Sendable {
  private let name: String
  /// `nil` for an attribute that is just there.
  private let value: String?
  private let isLeftOut: Bool

  private init(_ name: String, _ value: String?, isLeftOut: Bool = false) {
    self.name = name
    self.value = value
    self.isLeftOut = isLeftOut
  }

  /// An attribute that holds no address; left out without a value.
  static func attribute(_ name: StaticString, _ value: String?) -> Attribute {
    Attribute("\(name)", value, isLeftOut: value == nil)
  }

  /// An attribute that says something by being there.
  static func flag(_ name: StaticString, _ isSet: Bool = true) -> Attribute {
    Attribute("\(name)", nil, isLeftOut: !isSet)
  }

  /// A link to a screen.
  static func href(_ route: Route) -> Attribute { Attribute("href", route.address) }

  /// A link out of the page; left out unless the web is where it leads.
  static func href(_ url: URL?) -> Attribute { address("href", url) }

  /// An image; left out unless it comes from the web or from the page itself.
  static func src(_ url: URL?) -> Attribute { address("src", url) }

  /// An address on the page itself.
  static func local(_ name: StaticString, _ path: String) -> Attribute {
    Attribute("\(name)", path, isLeftOut: !path.hasPrefix("/") || path.hasPrefix("//"))
  }

  func write(to markup: inout String) {
    if isLeftOut { return }
    markup += " " + name
    if let value { markup += "=\"" + HTML.escaped(value) + "\"" }
  }

  private static func address(_ name: String, _ url: URL?) -> Attribute {
    let scheme = url?.scheme?.lowercased()
    let isOfPage = scheme == nil && url?.host == nil && url?.path.hasPrefix("/") == true
    let isOfWeb = (scheme == "https" || scheme == "http") && url?.host?.isEmpty == false
    return Attribute(name, url?.absoluteString, isLeftOut: url == nil || !(isOfPage || isOfWeb))
  }
}

extension Attribute {
  static func `class`(_ names: String) -> Attribute { Attribute("class", names) }
  static func id(_ id: String) -> Attribute { Attribute("id", id) }
  static func label(_ text: String) -> Attribute { Attribute("aria-label", text) }
  static let hiddenFromReaders = Attribute("aria-hidden", "true")

  /// A value for the scripts.
  static func data(_ name: StaticString, _ value: String) -> Attribute {
    Attribute("data-\(name)", value)
  }
}
