import FaketrackSupport
import Foundation

/// Everything that is stored between runs, in one SQLite file.
///
/// A process makes one store for a file and takes all its parts from it. The file is opened on first
/// use, and created along with its directory by the first write. Several processes may read and write
/// concurrently: readers never wait, writers wait for each other for up to ten seconds. A file that cannot
/// be written is read all the same; one of a later version is left alone.
package final class Store: Sendable {
  /// The ids of favorite cities.
  package let favorites: FavoritesStore
  /// The answers of photo searches.
  package let searches: SearchStore
  /// Documents from services, such as feeds and summaries.
  package let documents: DocumentStore
  /// The budget of calls that all processes of a user share.
  package let callBudget: SharedCallBudget

  /// - Parameters:
  ///   - url: the SQLite file.
  ///   - lockLimit: the longest wait for another process that has locked the file.
  package init(at url: URL, lockLimit: Duration = LockWait.usualLimit) {
    let database = StoreDatabase(at: url, lockLimit: lockLimit)
    favorites = FavoritesStore(database)
    searches = SearchStore(database)
    documents = DocumentStore(database)
    callBudget = SharedCallBudget(database)
  }
}
