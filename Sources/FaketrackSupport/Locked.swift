import Synchronization

/// A value that one thread at a time can access.
///
/// `Mutex` on Linux stores the ID of the thread that locks it. The optimizer may read that ID once
/// for a whole async function, although the function continues on another thread after an `await`;
/// the next unlock then traps. A function that is never inlined reads it again.
///
/// Public, because the optimizer does not specialize `package` functions for other modules.
public struct Locked<Value: ~Copyable>: ~Copyable, Sendable {
  @usableFromInline let mutex: Mutex<Value>

  /// Creates a lock with an initial value.
  @inlinable
  public init(_ value: consuming sending Value) {
    mutex = Mutex(value)
  }

  /// Calls `body` with exclusive access to the value.
  @inlinable
  @inline(never)
  public borrowing func withLock<Result: ~Copyable, E>(
    _ body: (inout sending Value) throws(E) -> sending Result
  ) throws(E) -> sending Result {
    try mutex.withLock(body)
  }
}
