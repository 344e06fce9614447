extension String {
  /// The text with all but the unreserved characters of RFC 3986 percent-encoded, including `/`, and `+`,
  /// which some services decode as a space.
  package var percentEncoded: String {
    var encoded = ""
    for byte in utf8 {
      if byte.isASCIIAlphanumeric || "-._~".utf8.contains(byte) {
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        encoded += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return encoded
  }
}
