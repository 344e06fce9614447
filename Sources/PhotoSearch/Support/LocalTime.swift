/// Times by the clock of a place, without a zone.
enum LocalTime {
  /// `2019-05-04 15:44:01` as `2019-05-04T15:44:01`; a date alone stays one.
  ///
  /// - Returns: `nil` for text of another form.
  static func normalized(_ text: some StringProtocol) -> String? {
    let bytes = Array(text.utf8.prefix(19))
    guard matches(bytes.prefix(10), "0000-00-00") else { return nil }
    let date = String(decoding: bytes.prefix(10), as: UTF8.self)
    guard bytes.count >= 16, bytes[10] == UInt8(ascii: " ") || bytes[10] == UInt8(ascii: "T")
    else { return date }
    let time = bytes.dropFirst(11)
    for form in ["00:00:00", "00:00"] where matches(time.prefix(form.utf8.count), form) {
      return "\(date)T\(String(decoding: time.prefix(form.utf8.count), as: UTF8.self))"
    }
    return date
  }

  /// Whether the text has the form, in which 0 stands for any digit.
  private static func matches(_ bytes: ArraySlice<UInt8>, _ form: String) -> Bool {
    bytes.count == form.utf8.count
      && zip(bytes, form.utf8).allSatisfy { byte, sign in
        sign == UInt8(ascii: "0")
          ? (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) : byte == sign
      }
  }
}
