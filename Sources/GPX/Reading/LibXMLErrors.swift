import CLibXML2

/// The errors that the XML parser raises outside of any document, such as one of conversion.
enum LibXMLErrors {
  private static let isReady: Bool = {
    xmlInitParser()
    return true
  }()

  /// Runs `body` while those errors go to `handler`, with `data`, instead of to stderr, where the
  /// library prints them by default.
  ///
  /// The setting is one of the thread's; what it was before is restored.
  static func redirected(
    to handler: xmlStructuredErrorFunc, _ data: UnsafeMutableRawPointer, _ body: () throws -> Void
  ) rethrows {
    guard isReady else { return }
    let function = __xmlStructuredError().pointee
    let context = __xmlStructuredErrorContext().pointee
    xmlSetStructuredErrorFunc(data, handler)
    defer { xmlSetStructuredErrorFunc(context, function) }
    try body()
  }
}
