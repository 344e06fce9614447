import ArgumentParser

/// Completion scripts for bash, zsh and fish.
enum Completions {
  /// The words after which the name of a command can follow in a request for help.
  private static var names: [(word: String, commands: String)] {
    let groups = Faketrack.visible.filter { !$0.visible.isEmpty }
    let words = ["help"] + groups.map { $0._commandName }
    return zip(words, [Faketrack.self] + groups).map { word, group in
      (word, group.visible.map { $0._commandName }.joined(separator: " "))
    }
  }

  /// Completes names after `help` too, which the argument parser's script does not.
  static func completingHelp(in script: String) -> String {
    func function(_ opening: String, _ line: (String, String) -> String, _ closing: String)
      -> String
    {
      let cases = names.map { "    \($0.word)) \(line($0.word, $0.commands)) ;;\n" }.joined()
      return "_faketrack_help() {\n\(opening)\(cases)    esac\n\(closing)}\n\n"
    }
    // Of two functions with one name, a shell keeps the later one.
    if let end = script.range(of: "complete -o filenames") {
      let help = function(
        "    case \"${prev}\" in\n",
        { "COMPREPLY=($(compgen -W '\($1)' -- \"${cur}\"))" }, "")
      return script[..<end.lowerBound] + help + script[end.lowerBound...]
    }
    if let end = script.range(of: "if [[ \"${funcstack[1]}\"") {
      let help = function(
        "    local -a names\n    case \"${words[CURRENT-1]}\" in\n", { "names=(\($1))" },
        "    compadd -a names\n")
      return script[..<end.lowerBound] + help + script[end.lowerBound...]
    }
    return script
      + names.map { word, commands in
        "\ncomplete -c faketrack -n 'string match -q -- \(word) (commandline -opc)[-1]' "
          + "-fa '\(commands)'"
      }.joined()
  }
}

extension ParsableCommand {
  /// The commands that help lists.
  static var visible: [any ParsableCommand.Type] {
    configuration.subcommands.filter { $0.configuration.shouldDisplay }
  }
}
