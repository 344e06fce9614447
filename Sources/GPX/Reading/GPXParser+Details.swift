/// Metadata and details that have been read but not delivered.
struct DetailsState {
  /// An element that details belong to, in the order of delivery.
  enum Owner: Int, CaseIterable {
    case metadata, file, track, segment, route, point

    fileprivate var elements: [GPXDetails.Element] {
      switch self {
      case .metadata: GPXDetails.Element.ofMetadata
      case .track, .route: GPXDetails.Element.ofPath
      case .point: GPXDetails.Element.ofPoint
      case .file, .segment: []
      }
    }
  }

  private struct Part {
    var details = GPXDetails()
    /// The approximate number of bytes in the links and extensions.
    var size = 0
    var isChanged = false
  }

  var root = XMLElement.Name()
  fileprivate var metadata = GPXMetadata() {
    didSet { noteChange(of: .metadata) }
  }
  fileprivate var author: GPXMetadata.Author {
    get { metadata.author ?? GPXMetadata.Author() }
    set { metadata.author = newValue }
  }
  private var parts = [Part](repeating: Part(), count: Owner.allCases.count)
  /// Whether something must be done before the next container or point begins.
  fileprivate var hasPending = false
  /// The depth of the open `metadata` element, 0 for none.
  fileprivate var metadataDepth = 0

  var element = XMLElement.Builder()
  fileprivate var owner = Owner.file

  fileprivate subscript(owner: Owner) -> GPXDetails {
    get { parts[owner.rawValue].details }
    set {
      parts[owner.rawValue].details = newValue
      noteChange(of: owner)
    }
  }

  private mutating func noteChange(of owner: Owner) {
    parts[owner.rawValue].isChanged = true
    if owner != .point { hasPending = true }
  }

  /// The details of an owner if they have changed since the last call.
  mutating func takeChange(of owner: Owner) -> GPXDetails? {
    defer { parts[owner.rawValue].isChanged = false }
    return parts[owner.rawValue].isChanged ? parts[owner.rawValue].details : nil
  }

  mutating func reset(_ owner: Owner) {
    parts[owner.rawValue] = Part()
  }

  /// Whether another link or unknown element of that many bytes may be kept; if so, counts it.
  fileprivate mutating func keeps(_ bytes: Int, of owner: Owner) -> Bool {
    guard parts[owner.rawValue].size <= GPXReader.maximumTextLength else { return false }
    // Many small ones are as bad as a large one.
    parts[owner.rawValue].size += 1_024 + bytes
    return true
  }
}

extension GPXParser {
  /// Delivers details that have changed, because something else begins or their owner ends.
  @inline(__always)
  mutating func finishPendingDetails() {
    if details.hasPending { deliverDetails() }
  }

  private mutating func deliverDetails() {
    // An unknown element that contains GPX is only a wrapper around it.
    details.element.cancel()
    details.hasPending = false
    for owner in DetailsState.Owner.allCases where owner != .point {
      guard let changed = details.takeChange(of: owner) else { continue }
      switch owner {
      case .metadata:
        var metadata = details.metadata
        metadata.details = changed
        emit(.metadata(metadata))
      case .file: emit(.details(changed, of: .file))
      case .track: emit(.details(changed, of: .track))
      case .segment: emit(.details(changed, of: .segment))
      case .route: emit(.details(changed, of: .route))
      case .point: break
      }
    }
  }

  /// The owner of an element at the current depth, nil if its parent is not one.
  private var owner: DetailsState.Owner? {
    let parent = depth - 1
    if pointDepth > 0 { return parent == pointDepth ? .point : nil }
    return switch parent {
    case segmentDepth: .segment
    case trackDepth: .track
    case routeDepth: .route
    case details.metadataDepth: .metadata
    case 1: .file
    default: nil
    }
  }

  /// Begins an element that is neither a container, a point nor a measurement.
  mutating func startDetail(_ tag: Tag) {
    if details.element.isActive { return details.element.start(tag) }
    guard let owner, !names.isStructure(tag.name) else { return }
    if owner == .file, tag.name == names.metadata {
      details.metadataDepth = depth
      return
    }
    details.owner = owner
    details.element.start(tag)
    if owner != .point { details.hasPending = true }
  }

  mutating func endDetail() {
    if details.element.isActive {
      if let element = details.element.end() { take(element, of: details.owner) }
    } else if depth == details.metadataDepth {
      details.metadataDepth = 0
      finishPendingDetails()
    }
  }

  private mutating func take(_ element: XMLElement, of owner: DetailsState.Owner) {
    let name = element.name.localText
    // GPX 1.0 has the metadata in the root element.
    let holder = owner == .file ? .metadata : owner
    if let key = GPXDetails.Element(rawValue: name), holder.elements.contains(key) {
      if let text = text(of: element) { details[holder][key] = text }
      return
    }
    switch (name, owner) {
    case ("extensions", _): addExtensions(element.children, of: owner)
    case ("link", _) where owner != .segment:
      addLink(GPXLink(element), of: holder) { $0.links.append($1) }
    case ("url", _) where owner != .segment:
      guard let text = text(of: element) else { return }
      addLink(GPXLink(text), of: holder) { $0.complete(with: $1) }
    case ("urlname", _) where owner != .segment:
      guard let text = text(of: element) else { return }
      addLink(GPXLink("", text: text), of: holder) { $0.complete(with: $1) }
    case ("author", .file):
      if let text = text(of: element) { details.author.name = text }
    case ("email", .file):
      if let text = text(of: element) { details.author.email = text }
    case ("author", .metadata): takeAuthor(element)
    case ("copyright", .metadata):
      details.metadata.copyright = GPXMetadata.Copyright(element)
    case ("time", .file), ("time", .metadata): takeTime(element)
    case ("bounds", .file), ("bounds", .metadata): break
    default: addExtensions([.element(element)], of: owner)
    }
  }

  /// The text of an element; nil for none. A text that was cut is reported.
  private mutating func text(of element: XMLElement) -> String? {
    if details.element.isCut { report(.text, .tooLong) }
    return element.text
  }

  private mutating func addExtensions(_ nodes: [XMLElement.Node], of owner: DetailsState.Owner) {
    // Blank text around elements is formatting.
    let nodes = nodes.filter { !$0.isBlank }
    guard !details.element.isCut, let xml = ExtensionsWriter.xml(of: nodes, in: details.root) else {
      return report(.extensions, .tooLong)
    }
    guard !xml.isEmpty else { return }
    guard details.keeps(xml.utf8.count, of: owner) else { return report(.extensions, .tooLong) }
    details[owner].extensions = (details[owner].extensions ?? "") + xml
  }

  private mutating func addLink(
    _ link: GPXLink, of owner: DetailsState.Owner, _ add: (inout GPXDetails, GPXLink) -> Void
  ) {
    guard !details.element.isCut, details.keeps(link.size, of: owner) else {
      return report(.links, .tooLong)
    }
    add(&details[owner], link)
  }

  private mutating func takeAuthor(_ author: XMLElement) {
    for element in author.elements {
      switch element.name.localText {
      case "name": if let text = text(of: element) { details.author.name = text }
      case "link": details.author.link = GPXLink(element)
      case "email":
        let parts = [element[attribute: "id"], element[attribute: "domain"]]
        let email = parts.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: "@")
        if !email.isEmpty { details.author.email = email }
      default: break
      }
    }
  }

  private mutating func takeTime(_ element: XMLElement) {
    guard var text = text(of: element) else { return }
    text.withUTF8 { bytes in
      details.metadata.time = GPXTime.parse(bytes)
      if details.metadata.time == nil { report(.time, .notATime, text: bytes) }
    }
  }
}

extension GPXLink {
  fileprivate init(_ element: XMLElement) {
    self.init(
      element[attribute: "href"] ?? "", text: element.text(ofLast: "text"),
      type: element.text(ofLast: "type"))
  }
}

extension GPXMetadata.Copyright {
  fileprivate init(_ element: XMLElement) {
    self.init(
      author: element[attribute: "author"] ?? "", year: element.text(ofLast: "year"),
      license: element.text(ofLast: "license"))
  }
}

extension XMLElement {
  /// The text of the last child with that name that has one.
  fileprivate func text(ofLast name: String) -> String? {
    elements.last { $0.name.localText == name && $0.text != nil }?.text
  }
}
