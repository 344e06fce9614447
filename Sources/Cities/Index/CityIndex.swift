import CCityData
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Cities to be found by position, by the start of their name and by their number.
///
/// The index is one run of bytes that is used in place, in the executable or mapped from a file:
/// opening it reads nothing but what checks it.
///
/// ## Topics
/// ### Opening
/// - ``builtIn()``
/// - ``init(contentsOf:)``
/// ### Finding
/// - ``nearest(to:count:within:)``
/// - ``search(_:)``
/// - ``subscript(id:)``
/// - ``cities(named:)``
public final class CityIndex: @unchecked Sendable {
  // Proof for `@unchecked`: `sections` is constant and points to memory that no one writes, which lives
  // as long as `file` or for ever; the rest is constant or behind a lock.
  let sections: IndexSections
  private let file: MappedFile?
  private let texts = Mutex<SharedTexts?>(nil)

  /// The cities that the package carries: every GeoNames city of 500 people or more.
  ///
  /// Checks the header; the bytes themselves are part of the executable and as sound as its code.
  /// Takes microseconds; keep the index all the same.
  ///
  /// - Throws: ``CitiesError``, only if the package was built with a damaged file.
  public static func builtIn() throws(CitiesError) -> CityIndex {
    let bytes = UnsafeRawBufferPointer(start: city_data_bytes(), count: city_data_count())
    let layout = try IndexLayout(header: bytes, path: "built-in")
    return CityIndex(IndexSections(bytes, layout), file: nil)
  }

  /// Maps the index in a file that ``CityIndexBuilder`` or ``CityImport`` wrote.
  ///
  /// Checks every byte against the checksum and every reference in it, so that a file which is not as
  /// it was written is an error here and never a wrong city later. Linear, a few milliseconds.
  ///
  /// - Throws: ``CitiesError`` that names the file.
  public convenience init(contentsOf url: URL) throws(CitiesError) {
    let file = try MappedFile(path: url.path)
    let layout = try IndexLayout(header: file.bytes, path: url.path)
    let checked = UnsafeRawBufferPointer(rebasing: file.bytes[IndexLayout.checkedOffset...])
    guard Checksum.of(checked) == IndexLayout.checksum(in: file.bytes) else {
      throw .damaged(path: url.path, reason: "its checksum does not match")
    }
    let sections = IndexSections(file.bytes, layout)
    if let fault = sections.firstFault() { throw .damaged(path: url.path, reason: fault) }
    self.init(sections, file: file)
  }

  private init(_ sections: IndexSections, file: MappedFile?) {
    self.sections = sections
    self.file = file
  }

  /// How many cities there are; at least one.
  public var count: Int { sections.records.count }

  /// The texts that cities share, made when the first city is asked for.
  var sharedTexts: SharedTexts {
    texts.withLock { texts in
      if let texts { return texts }
      let made = SharedTexts(sections)
      texts = made
      return made
    }
  }
}
