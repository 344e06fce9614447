import Synchronization

/// A value that one thread at a time can use.
///
/// `Mutex` on Linux keeps the number of the thread that locks it. The optimizer may read that number
/// once for a whole async function, although the function continues on another thread after an
/// `await`; the next unlock then traps. A call that is never inlined reads it anew.
///
/// Public, because the optimizer specializes no `package` function for another module unless it inlines
/// it; each use would look up its types at run time.
public struct Locked<Value: ~Copyable>: ~Copyable, Sendable {
  @usableFromInline let mutex: Mutex<Value>

  @inlinable
  public init(_ value: consuming sending Value) {
    mutex = Mutex(value)
  }

  /// Calls `body` with the value while no other thread can use it.
  @inlinable
  @inline(never)
  public borrowing func withLock<Result: ~Copyable, E>(
    _ body: (inout sending Value) throws(E) -> sending Result
  ) throws(E) -> sending Result {
    try mutex.withLock(body)
  }
}
