import ArgumentParser

/// Completion scripts for bash, zsh and fish.
enum Completions {
  /// The words after which the name of a command can follow in a request for help.
  private static var names: [(word: String, commands: String)] {
    let groups = Faketrack.visible.filter { !$0.visible.isEmpty }
    let words = ["help"] + groups.map { $0._commandName }
    return zip(words, [Faketrack.self] + groups).map { word, group in
      let topics = word == "help" ? HelpTopic.allCases.map(\.rawValue) : []
      return (word, (group.visible.map { $0._commandName } + topics).joined(separator: " "))
    }
  }

  /// Completes names after `help` too, which the argument parser's script does not.
  static func completingHelp(in script: String) -> String {
    let cases = names.map { "    \($0.word)) names=(\($0.commands)) ;;\n" }.joined()
    // The end of the script for bash and for zsh, the word before, and how to offer the names.
    let shells = [
      (
        "complete -o filenames", "${prev}",
        "COMPREPLY=($(compgen -W \"${names[*]}\" -- \"${cur}\"))"
      ),
      ("if [[ \"${funcstack[1]}\"", "${words[CURRENT-1]}", "compadd -a names"),
    ]
    for (end, word, offer) in shells where script.contains(end) {
      // Of two functions with one name, a shell keeps the later one.
      let help =
        "_faketrack_help() {\n    local -a names=()\n    case \"\(word)\" in\n\(cases)    esac\n"
        + "    \(offer)\n}\n\n"
      return script.replacing(end, with: help + end, maxReplacements: 1)
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
