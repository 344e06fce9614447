#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// The CPU time in milliseconds that this process has used, or all its children that have ended.
func processorTime(ofChildren: Bool = false) -> Double {
  var usage = rusage()
  #if canImport(Darwin)
    getrusage(ofChildren ? RUSAGE_CHILDREN : RUSAGE_SELF, &usage)
  #else
    getrusage((ofChildren ? RUSAGE_CHILDREN : RUSAGE_SELF).rawValue, &usage)
  #endif
  func milliseconds(_ time: timeval) -> Double {
    Double(time.tv_sec) * 1_000 + Double(time.tv_usec) / 1_000
  }
  return milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime)
}

/// The least CPU time of several rounds, in milliseconds for each of `count` operations.
func measure(
  rounds: Int = 7, count: Int, _ round: () async throws -> Void
) async rethrows -> Double {
  try await round()
  var least = Double.infinity
  for _ in 0..<rounds {
    let start = processorTime()
    try await round()
    least = min(least, processorTime() - start)
  }
  return least / Double(count)
}
