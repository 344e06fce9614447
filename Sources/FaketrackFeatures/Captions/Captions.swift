import FaketrackSupport
import Foundation

/// The captions of photos and the texts of chapters that the user wrote, from a CSV file with the
/// columns `photo` and `caption`.
///
/// The first column names a photo by its path or any end of it, by its id, or by the address of its
/// page or image; or it names a chapter by its heading. Names also match in another case.
package struct Captions: Sendable {
  package enum Caption: Hashable, Sendable {
    case text(String)
    /// The photo is shown without a caption, even if it has a title.
    case empty
  }

  private struct Row {
    let line: Int
    let name: String
    /// The name, or the heading of a day that is named `2026-05-01`.
    let key: String
    let text: String
  }

  /// The name of the file in the folder of the user's own photos.
  package static let usualName = "captions.csv"
  static let sizeLimit = 10_000_000
  static let rowLimit = 100_000
  static let textLimit = 2_000

  /// The path of the file; `nil` for no captions.
  package let path: String?
  private var rows: [Row] = []
  /// The indices of rows by key.
  private var exact: [String: Int] = [:]
  /// The indices of rows by key in lower case; the first row counts.
  private var folded: [String: Int] = [:]

  /// The number of captions and texts.
  package var count: Int { rows.count }

  /// No captions.
  package init() {
    path = nil
  }

  /// Reads a file.
  ///
  /// - Throws: ``Failure`` with the line of the first mistake.
  package init(contentsOf path: String) throws(Failure) {
    let bytes: [UInt8]
    do {
      bytes = try WholeFile.bytes(of: path, limit: Self.sizeLimit)
    } catch {
      let isRead = [FileError.tooLarge, FileError.unending].contains(error.code)
      throw isRead ? error.failure : .unreadable(path, code: error.code)
    }
    try self.init(bytes, path: path)
  }

  /// - Throws: ``Failure`` with the line of the first mistake.
  init(_ bytes: [UInt8], path: String) throws(Failure) {
    self.path = path
    let bytes = Array(bytes.withoutByteOrderMark)
    var reader = Self.reader(bytes)
    do {
      while let record = try reader.next() { try add(record) }
    } catch let invalid as CSVReader.InvalidRecord {
      throw invalid.failure(in: path)
    } catch {
      throw Failure(error)
    }
  }

  /// The reader of the records after the header.
  private static func reader(_ bytes: [UInt8]) -> CSVReader {
    for separator in [",", ";", "\t"] as [Unicode.Scalar] {
      var reader = CSVReader(bytes, columns: 2, separator: UInt8(ascii: separator))
      let header = (try? reader.next())?.fields.map { $0.cleaned.lowercased() }
      if header == ["photo", "caption"] || header == ["file", "caption"] { return reader }
    }
    return CSVReader(bytes, columns: 2)
  }

  private mutating func add(_ record: CSVReader.Record) throws(Failure) {
    let (name, text) = (record.fields[0].cleaned, record.fields[1].cleaned)
    // Spreadsheets write empty rows.
    if name.isEmpty, text.isEmpty { return }
    func refuse(_ reason: String, _ hint: String) -> Failure {
      Failure(message: "\(path ?? ""):\(record.line): \(reason)", hint: hint, kind: .unusableInput)
    }
    if name.isEmpty {
      throw refuse("the caption has no photo", "Name a photo or a chapter in the first column.")
    }
    if text.count > Self.textLimit {
      throw refuse(
        "the caption has more than \(Quantity.grouped(Self.textLimit)) characters",
        "Shorten the caption.")
    }
    if rows.count == Self.rowLimit {
      throw refuse(
        "more than \(Quantity.grouped(Self.rowLimit)) rows", "Remove the rows of other photos.")
    }
    let key = Self.heading(ofDay: name) ?? name
    if let first = exact[key] {
      throw refuse(
        "\"\(name.shortLine(limit: 80))\" is in line \(rows[first].line) too",
        "Remove one of the two rows.")
    }
    exact[key] = rows.count
    if folded[key.lowercased()] == nil { folded[key.lowercased()] = rows.count }
    rows.append(Row(line: record.line, name: name, key: key, text: text))
  }

  /// The heading of a day such as `2026-05-01`, the form in which spreadsheets save dates.
  private static func heading(ofDay name: String) -> String? {
    guard name.utf8.count == 10, let day = try? Date(name + "T00:00:00Z", strategy: .iso8601),
      let time = Clocks.utc.time(day, near: nil)
    else { return nil }
    return time.date == name ? time.longDate : nil
  }
}

// MARK: Texts

extension Captions {
  /// The caption of a visit's photo; `nil` for a photo that has no row.
  package func caption(of visit: Visit) -> Caption? {
    if rows.isEmpty { return nil }
    guard let row = Self.names(of: visit).lazy.compactMap(row).first else { return nil }
    return row.text.isEmpty ? .empty : .text(row.text)
  }

  /// The text of a chapter; `nil` for none.
  package func text(ofChapter heading: String) -> String? {
    row(heading).flatMap { $0.text.isEmpty ? nil : $0.text }
  }

  /// The rows that name none of the photos and chapters, in the order of the file.
  package func unused(
    photos: [Visit], chapters: [String]
  ) -> [(line: Int, name: String)] {
    if rows.isEmpty { return [] }
    let names = Set((photos.flatMap(Self.names) + chapters).map { $0.lowercased() })
    return rows.filter { !names.contains($0.key.lowercased()) }.map { ($0.line, $0.name) }
  }

  private func row(_ name: String) -> Row? {
    (exact[name] ?? folded[name.lowercased()]).map { rows[$0] }
  }

  /// The names of a visit's photo, the most specific first.
  private static func names(of visit: Visit) -> [String] {
    guard let photo = visit.photo else { return [] }
    let addresses = [photo.pageURL, photo.imageURL].compactMap { $0?.absoluteString }
    return ends(ofPath: visit.file ?? "") + ends(ofPath: photo.id) + addresses
  }

  /// A path without its first folder, without its first two folders, and so on to the name of the file.
  private static func ends(ofPath path: String) -> [String] {
    let slashes = path.utf8.indices.filter { path.utf8[$0] == UInt8(ascii: "/") }
    return [path] + slashes.map { String(path[path.utf8.index(after: $0)...]) }
  }
}

extension CSVReader.InvalidRecord {
  fileprivate func failure(in path: String) -> Failure {
    let (message, hint) =
      switch reason {
      case .tooFewFields:
        (
          "a row needs two columns, photo and caption",
          "Separate them by a comma, or begin the file with the line photo;caption."
        )
      case .tooManyFields:
        (
          "a row has more than two columns",
          "Put a caption with commas in quotes: IMG_1.jpg,\"The lake, at last\""
        )
      case .openQuote: ("a quote is not closed", "Put a quote at the end of the caption.")
      case .textAfterQuote:
        ("a row has text after a closing quote", "Write two quotes for a quote in a caption.")
      case .notUTF8: ("a row is not UTF-8", "Save the table as CSV in UTF-8.")
      }
    return Failure(message: "\(path):\(line): \(message)", hint: hint, kind: .unusableInput)
  }
}

extension String {
  /// The text without control characters and without spaces at its ends; line ends are LF.
  fileprivate var cleaned: String {
    var scalars = String.UnicodeScalarView()
    for scalar in replacing("\r\n", with: "\n").unicodeScalars {
      switch scalar {
      case "\n", "\r": scalars.append("\n")
      case "\t": scalars.append(" ")
      case _ where scalar.properties.generalCategory == .control: break
      default: scalars.append(scalar)
      }
    }
    return String(scalars).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
