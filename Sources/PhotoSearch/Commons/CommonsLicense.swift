/// Commons' names for licences.
enum CommonsLicense {
  /// - Parameters:
  ///   - code: The machine's name, such as `cc-by-sa-4.0` or `pd`.
  ///   - name: The shown name, such as `CC BY-SA 4.0` or `Public domain`.
  static func terms(code: String?, name: String) -> PhotoLicense.Terms {
    let words = [code ?? "", name].map { $0.lowercased().replacing("-", with: " ") }
    func anyHas(_ prefixes: String...) -> Bool {
      words.contains { word in prefixes.contains { word.hasPrefix($0) } }
    }
    if anyHas("cc0", "cc zero") { return .creativeCommonsZero }
    if anyHas("cc by") {
      let isNonCommercial = words.contains { " \($0) ".contains(" nc ") }
      return isNonCommercial ? .creativeCommonsNonCommercial : .creativeCommons
    }
    if anyHas("pd", "public domain", "cc pd", "no restrictions") { return .publicDomain }
    // Whatever else Commons accepts permits commercial use.
    return .otherFree
  }
}
