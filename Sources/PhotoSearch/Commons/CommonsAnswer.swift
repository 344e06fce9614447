#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import FaketrackServices

/// One part of Commons' answer: a search may take several until each file has all it has.
struct CommonsAnswer: Sendable {
  let files: [CommonsFile]
  /// What to send along to get the next part, or `nil` after the last.
  let next: [String: String]?
  /// Whether the files so far have everything, so that what comes next are other files.
  let isBatchComplete: Bool

  /// Reads a part.
  ///
  /// - Throws: ``ServiceFault`` for a failure that Commons reports inside status 200, anything
  ///   else for what is not an answer.
  init(json: Data) throws {
    let envelope = try JSONDecoder().decode(Envelope.self, from: json)
    if let error = envelope.error {
      throw Self.fault(code: error.code?.text ?? "none", message: error.info?.text ?? "")
    }
    guard envelope.query != nil || envelope.batchcomplete != nil || envelope.next != nil else {
      throw ServiceFault.broken("an answer without files")
    }
    files = envelope.query?.pages.compactMap(\.value) ?? []
    isBatchComplete = envelope.batchcomplete != nil
    next = envelope.next?.compactMapValues(\.text)
  }

  private static func fault(code: String, message: String) -> ServiceFault {
    let passing = ["ratelimited", "maxlag", "readonly", "timeout", "http-", "internal_api_error"]
    return passing.contains(where: code.lowercased().hasPrefix)
      ? .unavailable(code: code, message: message) : .refused(code: code, message: message)
  }

  private struct Envelope: Decodable {
    let error: Failure?
    let query: Query?
    /// `true` in the format's second version, an empty string in its first.
    let batchcomplete: LooseValue?
    let next: [String: LooseValue]?

    enum CodingKeys: String, CodingKey {
      case error, query, batchcomplete
      case next = "continue"
    }
  }

  private struct Failure: Decodable {
    let code: LooseValue?
    let info: LooseValue?
  }

  private struct Query: Decodable {
    let pages: [Lossy<CommonsFile>]
  }
}
