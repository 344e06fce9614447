import CLibXML2

/// What the parser knows of names, links, metadata and extensions that it has not delivered yet.
struct DetailsState {
  fileprivate var names = DetailNames(nil)
  fileprivate var metadata = GPXMetadata()
  fileprivate var file = GPXDetails()
  fileprivate var track = GPXDetails()
  fileprivate var segment = GPXDetails()
  fileprivate var route = GPXDetails()
  fileprivate var point = GPXDetails()
  /// The owners whose details have changed since they were delivered.
  fileprivate var changed: Set<Owner> = []
  /// About how many bytes the links and extensions of each owner take.
  private var sizes = [Int](repeating: 0, count: Owner.allCases.count)
  /// Whether something must be done before the next container or point begins.
  fileprivate var hasPending = false

  // The depths of open elements, 0 for those that are not open.
  fileprivate var metadataDepth = 0
  fileprivate var authorDepth = 0
  fileprivate var copyrightDepth = 0
  fileprivate var linkDepth = 0
  fileprivate var link = GPXLink("")
  /// What the text that is being collected means.
  fileprivate var leaf = Leaf.linkText

  var recorder = ExtensionsRecorder(rootNamespace: nil, rootPrefix: nil)
  /// Whether elements and text belong to the recorder.
  private(set) var isRecording = false
  fileprivate var recordedDepth = 0
  fileprivate var recordingOwner = Owner.file
  /// Whether the element that began the recording is an unknown one, which is itself recorded.
  fileprivate var isRecordingUnknown = false

  /// The element that details belong to.
  fileprivate enum Owner: Int, CaseIterable {
    case metadata, file, track, segment, route, point

    /// The elements with a text that the schema allows here.
    var elements: [GPXDetails.Element] {
      switch self {
      case .metadata: GPXDetails.Element.ofMetadata
      case .track, .route: GPXDetails.Element.ofPath
      case .point: GPXDetails.Element.ofPoint
      case .file, .segment: []
      }
    }
  }

  fileprivate enum Leaf {
    case element(GPXDetails.Element, Owner)
    case url(Owner)
    case urlName(Owner)
    case linkText, linkType, authorName, authorEmail, copyrightYear, copyrightLicense, time
  }

  fileprivate subscript(owner: Owner) -> GPXDetails {
    get {
      switch owner {
      case .metadata: metadata.details
      case .file: file
      case .track: track
      case .segment: segment
      case .route: route
      case .point: point
      }
    }
    set {
      switch owner {
      case .metadata: metadata.details = newValue
      case .file: file = newValue
      case .track: track = newValue
      case .segment: segment = newValue
      case .route: route = newValue
      case .point:
        point = newValue
        return
      }
      noteChange(of: owner)
    }
  }

  /// Whether another link or unknown element of that many bytes may be kept; it is counted then.
  fileprivate mutating func keeps(_ bytes: Int, of owner: Owner) -> Bool {
    guard sizes[owner.rawValue] <= GPXReader.maximumTextLength else { return false }
    // Many small ones are as bad as a large one.
    sizes[owner.rawValue] += 1_024 + bytes
    return true
  }

  /// Forgets the details of an owner, since another one begins.
  fileprivate mutating func reset(_ owner: Owner) {
    sizes[owner.rawValue] = 0
    switch owner {
    case .track: track = GPXDetails()
    case .segment: segment = GPXDetails()
    case .route: route = GPXDetails()
    case .point: point = GPXDetails()
    case .metadata, .file: break
    }
  }

  fileprivate mutating func noteChange(of owner: Owner) {
    changed.insert(owner)
    hasPending = true
  }

  fileprivate mutating func startRecording(of owner: Owner, depth: Int, isUnknown: Bool) {
    isRecording = true
    recordingOwner = owner
    recordedDepth = depth
    isRecordingUnknown = isUnknown
    if isUnknown, owner != .point { hasPending = true }
  }

  fileprivate mutating func stopRecording() {
    isRecording = false
    recorder.clear()
  }
}

extension GPXParser {
  mutating func startDetails(_ root: Tag) {
    details.names = DetailNames(context?.pointee.dict)
    details.recorder = ExtensionsRecorder(rootNamespace: root.namespace, rootPrefix: root.prefix)
  }

  /// Delivers details that have changed, because something else begins or their owner ends.
  @inline(__always)
  mutating func finishPendingDetails() {
    if details.hasPending { deliverDetails() }
  }

  private mutating func deliverDetails() {
    // An unknown element that contains GPX is only a wrapper around it.
    if details.isRecording, details.isRecordingUnknown { details.stopRecording() }
    let changed = details.changed
    details.changed = []
    details.hasPending = false
    if changed.contains(.metadata) { emit(.metadata(details.metadata)) }
    if changed.contains(.file) { emit(.details(details.file, of: .file)) }
    if changed.contains(.track) { emit(.details(details.track, of: .track)) }
    if changed.contains(.segment) { emit(.details(details.segment, of: .segment)) }
    if changed.contains(.route) { emit(.details(details.route, of: .route)) }
  }

  /// Forgets the details of the last track, segment or route, since another one begins.
  mutating func resetDetails(of owner: GPXEvent.Owner) {
    guard readsOutline else { return }
    switch owner {
    case .track: details.reset(.track)
    case .segment: details.reset(.segment)
    case .route: details.reset(.route)
    case .file: break
    }
  }

  mutating func endPointDetails() {
    guard !details.point.isEmpty else { return }
    batch.append(details.point)
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
    if details.isRecording { return details.recorder.start(tag) }
    let names = details.names
    let parent = depth - 1
    if details.linkDepth > 0, parent == details.linkDepth {
      if tag.name == names.text { return startText(.linkText) }
      if tag.name == names.type { return startText(.linkType) }
    } else if details.authorDepth > 0, parent == details.authorDepth {
      startInsideAuthor(tag)
    } else if details.copyrightDepth > 0, parent == details.copyrightDepth {
      if tag.name == names.year { return startText(.copyrightYear) }
      if tag.name == names.license { return startText(.copyrightLicense) }
    } else if let owner {
      start(tag, of: owner)
    }
  }

  private mutating func start(_ tag: Tag, of owner: DetailsState.Owner) {
    let names = details.names
    // GPX 1.0 has the metadata in the root element.
    let textOwner = owner == .file ? .metadata : owner
    if let name = tag.name, let element = names.elements[name],
      textOwner.elements.contains(element)
    {
      return startText(.element(element, textOwner))
    }
    switch tag.name {
    case names.link where owner != .segment: startLink(tag)
    case names.url where owner != .segment: startText(.url(textOwner))
    case names.urlname where owner != .segment: startText(.urlName(textOwner))
    case names.metadata where owner == .file: details.metadataDepth = depth
    case names.author where owner == .file: startText(.authorName)
    case names.email where owner == .file: startText(.authorEmail)
    case names.author where owner == .metadata: details.authorDepth = depth
    case names.copyright where owner == .metadata: startCopyright(tag)
    case self.names.time where textOwner == .metadata: startText(.time)
    case names.bounds where textOwner == .metadata: break
    case let name where self.names.isStructure(name): break
    default:
      details.startRecording(of: owner, depth: depth, isUnknown: true)
      details.recorder.start(tag)
    }
  }

  /// Begins to record the content of an `extensions` element.
  mutating func startExtensions(_ tag: Tag) {
    if details.isRecording {
      details.recorder.start(tag)
    } else if let owner {
      details.startRecording(of: owner, depth: depth, isUnknown: false)
    }
  }

  /// Looks at the end of what ``startDetail(_:)`` or ``startExtensions(_:)`` has begun.
  mutating func endDetail() {
    if details.isRecording {
      let isEnd = depth == details.recordedDepth
      if !isEnd || details.isRecordingUnknown { details.recorder.end() }
      if isEnd { endRecording() }
      return
    }
    switch depth {
    case details.linkDepth: endLink()
    case details.authorDepth: details.authorDepth = 0
    case details.copyrightDepth: details.copyrightDepth = 0
    case details.metadataDepth:
      details.metadataDepth = 0
      finishPendingDetails()
    default: break
    }
  }

  private mutating func endRecording() {
    let owner = details.recordingOwner
    if details.recorder.isTooLong {
      reportTooLong(.extensions)
    } else if let xml = details.recorder.xml {
      if details.keeps(xml.utf8.count, of: owner) {
        details[owner].append(extensions: xml)
      } else {
        reportTooLong(.extensions)
      }
    }
    details.stopRecording()
  }
}

// MARK: Texts, links, people

extension GPXParser {
  private mutating func startText(_ leaf: DetailsState.Leaf) {
    details.leaf = leaf
    start(.detail)
  }

  mutating func endDetailText() {
    if text.isCut { reportTooLong(.text) }
    guard let value = text.string() else { return }
    switch details.leaf {
    case .element(let element, let owner): details[owner][element] = value
    case .url(let owner): addLink(value.utf8.count, of: owner) { $0.append(href: value) }
    case .urlName(let owner): addLink(value.utf8.count, of: owner) { $0.append(linkText: value) }
    case .linkText: details.link.text = value
    case .linkType: details.link.type = value
    case .authorName: changeAuthor { $0.name = value }
    case .authorEmail: changeAuthor { $0.email = value }
    case .copyrightYear: details.metadata.copyright?.year = value
    case .copyrightLicense: details.metadata.copyright?.license = value
    case .time:
      details.metadata.time = GPXTime.parse(text.bytes)
      details.noteChange(of: .metadata)
      if details.metadata.time == nil {
        reportUnusable(.time, .notATime, isAboutPoint: false)
      }
    }
  }

  private mutating func startLink(_ tag: Tag) {
    details.linkDepth = depth
    details.link = GPXLink(attribute(details.names.href, of: tag) ?? "")
  }

  private mutating func endLink() {
    details.linkDepth = 0
    let link = details.link
    if details.authorDepth > 0, depth == details.authorDepth + 1 {
      changeAuthor { $0.link = link }
    } else if let owner {
      addLink(link.size, of: owner == .file ? .metadata : owner) { $0.links.append(link) }
    }
  }

  private mutating func addLink(
    _ bytes: Int, of owner: DetailsState.Owner, _ add: (inout GPXDetails) -> Void
  ) {
    guard bytes <= GPXReader.maximumTextLength, details.keeps(bytes, of: owner) else {
      return reportTooLong(.links)
    }
    add(&details[owner])
  }

  private mutating func reportTooLong(_ part: GPXIssue.Part) {
    report(part, .tooLong, isAboutPoint: pointDepth > 0)
  }

  private mutating func startInsideAuthor(_ tag: Tag) {
    let names = details.names
    switch tag.name {
    case names.name: startText(.authorName)
    case names.link: startLink(tag)
    case names.email:
      let parts = [attribute(names.id, of: tag), attribute(names.domain, of: tag)]
      let email = parts.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: "@")
      if !email.isEmpty { changeAuthor { $0.email = email } }
    default: break
    }
  }

  private mutating func startCopyright(_ tag: Tag) {
    details.copyrightDepth = depth
    let author = attribute(details.names.author, of: tag) ?? ""
    details.metadata.copyright = GPXMetadata.Copyright(author: author)
    details.noteChange(of: .metadata)
  }

  private mutating func changeAuthor(_ change: (inout GPXMetadata.Author) -> Void) {
    var author = details.metadata.author ?? GPXMetadata.Author()
    change(&author)
    details.metadata.author = author
    details.noteChange(of: .metadata)
  }

  private func attribute(_ name: Name?, of tag: Tag) -> String? {
    guard let attributes = tag.attributes else { return nil }
    for index in 0..<tag.attributeCount {
      let attribute = attributes + index * 5
      guard attribute[0] == name, attribute[1] == nil, let value = Self.value(attribute) else {
        continue
      }
      return XMLText.attributeValue(value)
    }
    return nil
  }
}
