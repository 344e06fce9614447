import Foundation

/// The name, comments, links and extensions of a point, track, route or file.
///
/// Empty details allocate no memory. Elements that the schema does not allow in a place
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

    // The elements that the schema allows, in order; links follow the source.
    static let ofMetadata: [Element] = [.name, .description, .keywords]
    static let ofPath: [Element] = [.name, .comment, .description, .source, .number, .type]
    static let ofPoint = allCases.filter { $0 != .number && $0 != .keywords }
  }

  private var texts: [Element: String]
  /// Pages that belong to the object, in the order of the file.
  public var links: [GPXLink]
  /// The content of the `extensions` element as XML; nil if there is none.
  ///
  /// The XML declares every namespace it uses except the namespace of GPX 1.1, which is the default
  /// namespace. It has no comments, no white space between elements, and no speed or course, since the
  /// `Fix` has them. A writer copies the XML unchecked: what you assign must be well-formed.
  public var extensions: String?

  /// Creates details with some of their parts.
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

  /// The name of the object.
  public var name: String? {
    get { self[.name] }
    set { self[.name] = newValue }
  }

  /// The number of satellites (`sat`); nil if it is unknown or not a number.
  public var satellites: Int? {
    get { self[.satellites].flatMap(Int.init) }
    set { self[.satellites] = newValue.map(String.init) }
  }

  /// The horizontal dilution of precision (`hdop`); nil if it is unknown or not a number.
  public var horizontalDilution: Double? {
    get {
      var text = self[.horizontalDilution] ?? ""
      return text.withUTF8 { DecimalParser.parse($0) }
    }
    set { self[.horizontalDilution] = newValue.map { "\($0)" } }
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

  /// Adds the `url` or `urlname` of GPX 1.0, which make one link in either order.
  mutating func complete(with link: GPXLink) {
    if let last = links.indices.last, link.text == nil, links[last].href.isEmpty {
      links[last].href = link.href
    } else if let last = links.indices.last, link.text != nil, links[last].text == nil {
      links[last].text = link.text
    } else {
      links.append(link)
    }
  }
}

/// A page, picture or other resource on the Web that belongs to a point, track, route or file.
public struct GPXLink: Hashable, Sendable {
  /// The address, as the file has it.
  public var href: String
  /// The title of the page.
  public var text: String?
  /// The media type of the page, such as `image/jpeg`.
  public var type: String?

  /// Creates a link.
  public init(_ href: String, text: String? = nil, type: String? = nil) {
    self.href = href
    self.text = text
    self.type = type
  }

  var size: Int { href.utf8.count + (text?.utf8.count ?? 0) + (type?.utf8.count ?? 0) }
}

/// File-level metadata.
///
/// The bounds that a file may claim are not kept: they follow from its points.
public struct GPXMetadata: Hashable, Sendable {
  /// The author of a file.
  public struct Author: Hashable, Sendable {
    /// The name of a person or organization.
    public var name: String?
    /// The email address.
    public var email: String?
    /// The page of the author.
    public var link: GPXLink?

    /// Creates an author.
    public init(name: String? = nil, email: String? = nil, link: GPXLink? = nil) {
      self.name = name
      self.email = email
      self.link = link
    }
  }

  /// The holder of the rights to a file, and its license.
  public struct Copyright: Hashable, Sendable {
    /// The holder of the rights.
    public var author: String
    /// The year, as the file has it.
    public var year: String?
    /// The address of the license.
    public var license: String?

    /// Creates a copyright.
    public init(author: String, year: String? = nil, license: String? = nil) {
      self.author = author
      self.year = year
      self.license = license
    }
  }

  /// The name, description, keywords, links and extensions of the metadata.
  public var details: GPXDetails
  /// The author of the file.
  public var author: Author?
  /// The rights to the file.
  public var copyright: Copyright?
  /// The time at which the file was created.
  public var time: Date?

  /// Creates metadata with some of its parts.
  public init(
    details: GPXDetails = GPXDetails(), author: Author? = nil, copyright: Copyright? = nil,
    time: Date? = nil
  ) {
    self.details = details
    self.author = author
    self.copyright = copyright
    self.time = time
  }

  /// Whether there is no metadata.
  public var isEmpty: Bool { self == GPXMetadata() }
}
