import ArgumentParser

struct CompletionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "completion",
    abstract: "Print the completion script for bash, zsh or fish.",
    discussion: """
      Examples
        eval "$(faketrack completion bash)"
        faketrack completion zsh > ~/.zsh/completions/_faketrack
        faketrack completion fish > ~/.config/fish/completions/faketrack.fish

      For zsh, ~/.zshrc has fpath=(~/.zsh/completions $fpath) before compinit.
      """)

  @Argument(help: "The shell.")
  var shell: Shell

  enum Shell: String, ExpressibleByArgument, CaseIterable {
    case bash, zsh, fish

    var shell: CompletionShell {
      switch self {
      case .bash: .bash
      case .zsh: .zsh
      case .fish: .fish
      }
    }
  }

  func run() throws {
    let script = Faketrack.completionScript(for: shell.shell)
    try Faketrack.answer(Completions.completingHelp(in: script) + "\n")
  }
}
