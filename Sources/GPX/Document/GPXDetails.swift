#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What GPX can say of a point, track, route or file besides positions and measurements: its name,
/// comments, links, extensions.
///
/// Empty details need no memory of their own. Elements that the schema does not allow in a place
/// are not written there.
public struct GPXDetails: Hashable, Sendable {
  /// The elements of GPX 1.1 whose value is a text; the raw value is the name in the schema.
  public enum Element: String, Hashable, Sendable, CaseIterable {
    case magneticVariation = "magvar"
    case geoidHeight = "geoidheight"
    case name
    case comment = "cmt"
    case description = "desc"
    case source = "src"
    case number
    case symbol = "sym"
    case type
    case fix
    case satellites = "sat"
    case horizontalDilution = "hdop"
    case verticalDilution = "vdop"
    case positionDilution = "pdop"
    case differentialAge = "ageofdgpsdata"
    case differentialStation = "dgpsid"
    case keywords

    // What the schema allows, in its order; links follow the source.
    static let ofMetadata: [Element] = [.name, .description, .keywords]
    static let ofPath: [Element] = [.name, .comment, .description, .source, .number, .type]
    static let ofPoint = allCases.filter { $0 != .number && $0 != .keywords }
  }

  private var texts: [Element: String]
  /// Pages that belong to the object, in the order of the file.
  public var links: [GPXLink]
  /// The content of the `extensions` element as XML; nil if there is none.
  ///
  /// The XML declares every namespace it uses except that of GPX 1.1, which is the default one, so
  /// it can move to another place or document. It has no comments and no white space between
  /// elements. Speed and course are not in it, since they are values of the `Fix`. A writer copies
  /// the XML unchecked: what you assign must be well-formed.
  public var extensions: String?

  public init(name: String? = nil, links: [GPXLink] = [], extensions: String? = nil) {
    texts = [:]
    self.links = links
    self.extensions = extensions
    if let name { texts[.name] = name }
  }

  /// The text of an element as the file has it, without surrounding white space.
  public subscript(element: Element) -> String? {
    get { texts[element] }
    set { texts[element] = newValue }
  }

  /// What the object is called.
  public var name: String? {
    get { texts[.name] }
    set { texts[.name] = newValue }
  }

  /// Whether there are no details at all.
  public var isEmpty: Bool {
    texts.isEmpty && links.isEmpty && extensions == nil
  }

  /// The approximate number of bytes that the details take.
  var size: Int {
    let linkSize = links.reduce(0) { $0 + 64 + $1.size }
    return texts.values.reduce(linkSize + (extensions?.utf8.count ?? 0)) {
      $0 + 64 + $1.utf8.count
    }
  }

  mutating func append(extensions xml: String) {
    extensions = (extensions ?? "") + xml
  }

  /// Adds the `url` of GPX 1.0.
  mutating func append(href: String) {
    if let last = links.indices.last, links[last].href.isEmpty {
      links[last].href = href
    } else {
      links.append(GPXLink(href))
    }
  }

  /// Adds the `urlname` of GPX 1.0, which names the `url` before or after it.
  mutating func append(linkText: String) {
    if let last = links.indices.last, links[last].text == nil {
      links[last].text = linkText
    } else {
      links.append(GPXLink("", text: linkText))
    }
  }
}

/// A page, picture or other resource on the Web that belongs to a point, track, route or file.
public struct GPXLink: Hashable, Sendable {
  /// The address, as the file has it.
  public var href: String
  /// What the page is called.
  public var text: String?
  /// The media type of the page, such as `image/jpeg`.
  public var type: String?

  public init(_ href: String, text: String? = nil, type: String? = nil) {
    self.href = href
    self.text = text
    self.type = type
  }

  /// The number of bytes in its texts.
  var size: Int { href.utf8.count + (text?.utf8.count ?? 0) + (type?.utf8.count ?? 0) }
}

/// What a file says of itself.
///
/// The bounds that a file may claim are not kept: they follow from its points.
public struct GPXMetadata: Hashable, Sendable {
  /// The author of a file.
  public struct Author: Hashable, Sendable {
    public var name: String?
    public var email: String?
    public var link: GPXLink?

    public init(name: String? = nil, email: String? = nil, link: GPXLink? = nil) {
      self.name = name
      self.email = email
      self.link = link
    }
  }

  /// Who holds the rights to a file, and its license.
  public struct Copyright: Hashable, Sendable {
    public var author: String
    public var year: String?
    public var license: String?

    public init(author: String, year: String? = nil, license: String? = nil) {
      self.author = author
      self.year = year
      self.license = license
    }
  }

  /// The name, description, keywords, links and extensions of the metadata.
  public var details: GPXDetails
  public var author: Author?
  public var copyright: Copyright?
  /// When the file was created.
  public var time: Date?

  public init(
    details: GPXDetails = GPXDetails(), author: Author? = nil, copyright: Copyright? = nil,
    time: Date? = nil
  ) {
    self.details = details
    self.author = author
    self.copyright = copyright
    self.time = time
  }

  /// Whether the file says nothing of itself.
  public var isEmpty: Bool { self == GPXMetadata() }
}
