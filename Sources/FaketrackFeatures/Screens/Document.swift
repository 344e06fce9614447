import Cities
import Foundation

/// The content of a screen, made once from its state: the page draws it as HTML, the app in a frame, and
/// commands as text.
package struct Document: Hashable, Sendable {
  /// A part of a sentence, with a link or without.
  package struct Piece: Hashable, Sendable {
    package var text: String
    package var link: URL?
  }

  package struct Fact: Hashable, Sendable {
    package var name: String
    package var value: String

    init(_ name: String, _ value: String) {
      (self.name, self.value) = (name, value)
    }
  }

  package enum Block: Hashable, Sendable {
    case paragraph([Piece], isMuted: Bool = false)
    case facts([Fact])
    /// Keys or commands to type, with their effects.
    case hints([Fact])
    /// Rows that lead to cities.
    case cities([CityRow])
    case items([String])
    /// The reason why content could not be loaded, which may be tried again.
    case failure(title: String, Failure)
    /// The place of content that is being loaded, of about this many lines.
    case waiting(lines: Int)

    static func text(_ text: String, isMuted: Bool = false) -> Block {
      .paragraph([Piece(text: text)], isMuted: isMuted)
    }
  }

  package struct Section: Hashable, Sendable {
    /// The name in addresses and scripts, which no other section of the screen has.
    package var id: String
    package var title: String?
    /// The number of items in the section, shown beside the title.
    package var count: Int?
    /// The number of its color; `nil` for a section that is not one of several groups.
    package var color: Int?
    package var blocks: [Block]

    init(
      _ id: String, title: String? = nil, count: Int? = nil, color: Int? = nil, _ blocks: [Block]
    ) {
      (self.id, self.title, self.count, self.color, self.blocks) = (id, title, count, color, blocks)
    }
  }

  /// The title, unless it is the name of the screen.
  package var title: String?
  /// Whether the title has the star of a favorite.
  package var isStarred = false
  /// A sentence at the beginning.
  package var lead: String?
  package var sections: [Section]

  package init(
    title: String? = nil, isStarred: Bool = false, lead: String? = nil, sections: [Section] = []
  ) {
    (self.title, self.isStarred, self.lead, self.sections) = (title, isStarred, lead, sections)
  }

  package func section(_ id: String) -> Section? { sections.first { $0.id == id } }
}
