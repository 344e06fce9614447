/// Says how much there is in what follows; screen readers tell when it changes.
///
/// It stands first in its container and stays when the scripts replace what comes after it.
enum StatusLine {
  /// - Parameter isSeen: whether it is shown; else only screen readers tell it.
  static func html(_ text: String, isSeen: Bool = true, _ attributes: Attribute...) -> HTML {
    let own: [Attribute] = [
      .class(isSeen ? "muted count figures" : "unseen"), .attribute("role", "status"),
    ]
    return HTML(element: "p", own + attributes, content: HTML(text))
  }
}
