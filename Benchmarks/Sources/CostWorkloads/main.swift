#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

// Runs one workload for `script/cost`, which counts the instructions of `measured`.
//
//     CostWorkloads                   lists the names
//     CostWorkloads <name> <folder>   runs one; its files go to the folder

let arguments = CommandLine.arguments
if arguments.count < 3 {
  for workload in Workload.all { print(workload.name) }
  exit(0)
}
guard let workload = Workload.all.first(where: { $0.name == arguments[1] }) else {
  fatalError("there is no workload \(arguments[1])")
}

SingleThread.install()
let body = try workload.prepare(arguments[2])
// The first run loads what is loaded once in a process.
let first = try body()
// Printed, so that the compiler cannot leave out what was computed.
print(try measured(body, after: first))

/// Uses the first result, so that the linker does not merge it with a function that only calls another.
@inline(never)
func measured(_ body: () throws -> Int, after first: Int) rethrows -> Int { try body() ^ first }
