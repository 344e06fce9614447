import Foundation
import GRDB

/// A connection as another process has one.
///
/// It waits for locks: a store may close its file a moment after its last result.
func otherConnection(to url: URL) throws -> DatabaseQueue {
  var configuration = Configuration()
  configuration.busyMode = .timeout(10)
  configuration.allowsUnsafeTransactions = true
  return try DatabaseQueue(path: url.path, configuration: configuration)
}
