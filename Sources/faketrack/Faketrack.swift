import ArgumentParser
import FaketrackServices
import Foundation

@main
struct Faketrack: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "faketrack",
    abstract: "Walk any GPX track from your terminal: for every 100 meters, a photo taken there.",
    version: Product.version,
    subcommands: [
      HomeCommand.self, ReplayCommand.self, InfoCommand.self, CitiesCommand.self,
      FavoritesCommand.self, ListsCommand.self, ServeCommand.self, AppCommand.self,
      AboutCommand.self,
    ],
    defaultSubcommand: HomeCommand.self)

  static func main() async {
    // A closed pipe is an error of the write, not the end of the process.
    signal(SIGPIPE, SIG_IGN)
    do {
      try FileDescriptors.check()
      var command = try parseAsRoot()
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
    } catch {
      exit(reporting: error)
    }
  }
}
