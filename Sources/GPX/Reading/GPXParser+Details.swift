/// Metadata and details that have been read but not delivered.
struct DetailsState {
  /// An element that details belong to, in the order of delivery.
  enum Owner: Int, CaseIterable {
    case metadata, file, track, segment, route, point

    /// The elements with a text that the schema allows here.
    fileprivate var elements: [GPXDetails.Element] {
      switch self {
      case .metadata: GPXDetails.Element.ofMetadata
      case .track, .route: GPXDetails.Element.ofPath
      case .point: GPXDetails.Element.ofPoint
      case .file, .segment: []
      }
    }
  }

  /// The details of an owner, and how much of them there is.
  private struct Part {
    var details = GPXDetails()
    /// The approximate number of bytes in the links and extensions.
    var size = 0
    /// Whether the details have changed since they were delivered.
    var isChanged = false
  }

  fileprivate var root = XMLElement.Name(local: "gpx")
  /// The metadata without their details.
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

  /// Returns the details of an owner if they have changed since the last call.
  fileprivate mutating func takeChange(of owner: Owner) -> GPXDetails? {
    guard parts[owner.rawValue].isChanged else { return nil }
    parts[owner.rawValue].isChanged = false
    return parts[owner.rawValue].details
  }

  /// Forgets the details of an owner, since another one begins.
  mutating func reset(_ owner: Owner) {
    parts[owner.rawValue] = Part()
  }

  /// Whether another link or unknown element of that many bytes may be kept; it is counted then.
  fileprivate mutating func keeps(_ bytes: Int, of owner: Owner) -> Bool {
    guard parts[owner.rawValue].size <= GPXReader.maximumTextLength else { return false }
    // Many small ones are as bad as a large one.
    parts[owner.rawValue].size += 1_024 + bytes
    return true
  }
}

extension GPXParser {
  mutating func startDetails(_ root: Tag) {
    details.root.prefix = root.prefix.map { String(cString: $0) }
    details.root.namespace = root.namespace.map { String(cString: $0) }
  }

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

  mutating func endPointDetails() {
    guard let point = details.takeChange(of: .point) else { return }
    batch.append(point)
    details.reset(.point)
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

  /// Looks at an element that is neither a container, a point nor a measurement.
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

  /// Looks at the end of an element that ``startDetail(_:)`` may have begun.
  mutating func endDetail() {
    if details.element.isActive {
      if let element = details.element.end() { take(element, of: details.owner) }
    } else if depth == details.metadataDepth {
      details.metadataDepth = 0
      finishPendingDetails()
    }
  }

  /// Adds an element to the details of its owner.
  private mutating func take(_ element: XMLElement, of owner: DetailsState.Owner) {
    let name = element.name.local
    // GPX 1.0 has the metadata in the root element.
    let holder = owner == .file ? .metadata : owner
    if let key = GPXDetails.Element(rawValue: name), holder.elements.contains(key) {
      if let text = text(of: element) { details[holder][key] = text }
      return
    }
    switch (name, owner) {
    case ("extensions", _): addExtensions(element.children, of: owner)
    case ("link", _) where owner != .segment:
      let link = GPXLink(element)
      addLink(link.size, of: holder) { $0.links.append(link) }
    case ("url", _) where owner != .segment:
      guard let text = text(of: element) else { return }
      addLink(text.utf8.count, of: holder) { $0.append(href: text) }
    case ("urlname", _) where owner != .segment:
      guard let text = text(of: element) else { return }
      addLink(text.utf8.count, of: holder) { $0.append(linkText: text) }
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
    if details.element.isCut { reportTooLong(.text) }
    return element.text
  }

  private mutating func addExtensions(_ nodes: [XMLElement.Node], of owner: DetailsState.Owner) {
    // Blank text around elements is formatting.
    let nodes = nodes.filter { !$0.isBlank }
    guard !details.element.isCut, let xml = ExtensionsWriter.xml(of: nodes, in: details.root) else {
      return reportTooLong(.extensions)
    }
    guard !xml.isEmpty else { return }
    guard details.keeps(xml.utf8.count, of: owner) else { return reportTooLong(.extensions) }
    details[owner].append(extensions: xml)
  }

  private mutating func addLink(
    _ bytes: Int, of owner: DetailsState.Owner, _ add: (inout GPXDetails) -> Void
  ) {
    guard !details.element.isCut, details.keeps(bytes, of: owner) else {
      return reportTooLong(.links)
    }
    add(&details[owner])
  }

  private mutating func takeAuthor(_ author: XMLElement) {
    for element in author.elements {
      switch element.name.local {
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
    details.metadata.time = text.withUTF8 { GPXTime.parse($0) }
    guard details.metadata.time == nil else { return }
    text.withUTF8 { reportUnusable(.time, .notATime, $0, isAboutPoint: false) }
  }

  private mutating func reportTooLong(_ part: GPXIssue.Part) {
    report(part, .tooLong, isAboutPoint: pointDepth > 0)
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
    elements.last { $0.name.local == name && $0.text != nil }?.text
  }
}
