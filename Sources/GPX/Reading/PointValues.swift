#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What is known of a point beside its position.
struct PointValues {
  var time: Date?
  var elevation: Double?
  var speed: Double?
  var course: Double?
  var name: String?
}
