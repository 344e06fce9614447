/// An element of a list that may be of another form; the rest of the list is still read.
struct Lossy<Value: Decodable & Sendable>: Decodable, Sendable {
  let value: Value?

  init(from decoder: any Decoder) throws {
    value = try? Value(from: decoder)
  }
}
