import PhotoSearch

extension Photo {
  /// The title on one line, or a placeholder for a missing one.
  package var shownTitle: String {
    let words = title.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return words.isEmpty ? "Untitled" : words
  }

  /// The title under a picture; `nil` for none, the name of a file, and coordinates.
  package var captionTitle: String? {
    let title = shownTitle
    return title == "Untitled" || Self.isFileName(title) || Self.hasCoordinates(title) ? nil : title
  }

  /// Whether a title is the name of a picture file, or a name that a camera gives, such as `DSC01234`.
  private static func isFileName(_ title: String) -> Bool {
    let end = title.suffix(5).lowercased()
    if [".jpg", ".jpeg", ".png", ".heic", ".webp", ".gif", ".tif", ".tiff"].contains(
      where: end.hasSuffix)
    {
      return true
    }
    var digits = 0
    var hasNumber = false
    for byte in title.utf8 {
      let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      digits = isDigit ? digits + 1 : 0
      hasNumber = hasNumber || digits == 3
      guard
        isDigit || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
          || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      else { return false }
    }
    return hasNumber
  }

  /// Whether two decimal fractions follow each other, as in `Sample photo at 52.41, 13.09`.
  private static func hasCoordinates(_ title: String) -> Bool {
    var isAfterFraction = false
    for word in title.utf8.split(whereSeparator: {
      $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ",")
    }) {
      let isFraction =
        word.contains(UInt8(ascii: ".")) && Double(Substring(word)).map(\.isFinite) == true
      if isFraction, isAfterFraction { return true }
      isAfterFraction = isFraction
    }
    return false
  }
}
