/// Suspends its callers until it is opened.
package actor Latch {
  private var isOpen = false
  private var held: [CheckedContinuation<Void, Never>] = []
  private var awaiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

  package init() {}

  package func hold() async {
    guard !isOpen else { return }
    await withCheckedContinuation { continuation in
      held.append(continuation)
      for waiter in awaiting where waiter.count <= held.count { waiter.continuation.resume() }
      awaiting.removeAll { $0.count <= held.count }
    }
  }

  /// Waits until a number of callers is suspended.
  package func waitFor(_ count: Int) async {
    guard held.count < count else { return }
    await withCheckedContinuation { awaiting.append((count, $0)) }
  }

  package func open() {
    isOpen = true
    for continuation in held { continuation.resume() }
    held = []
  }
}
