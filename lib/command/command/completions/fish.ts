/** Completions for fish 3 and later. Pure. */
import { type CompletedCommand, type CompletedOption, singleQuoted } from "./completed-command.ts";

export function fishCompletions(commands: readonly CompletedCommand[]): string {
  const names = commands.filter(({ name }) => name !== "").map(({ name }) => quoted(name));
  return [
    `# Completes the words of vantage in fish: vantage completions fish | source
function __vantage_at --description 'Whether the words so far are this command'
    set -l words (commandline -opc)
    set -e words[1]
    set -l command
    for word in $words
        if contains -- (string join ' ' $command $word) ${names.join(" ")}
            set command $command $word
        end
    end
    test (string join ' ' -- $command '') = "$argv "; or test -z "$command$argv"
end`,
    ...commands.flatMap(ofCommand),
  ].join("\n");
}

function ofCommand({ name, options, words, subcommands }: CompletedCommand): string[] {
  const start = `complete -c vantage -n ${quoted(`__vantage_at ${name}`.trim())}`;
  const names = subcommands.map(([word]) => word);
  const rest = words.filter((word) => !names.includes(word));
  return [
    ...subcommands.map(([word, purpose]) => `${start} -f -a ${word} -d ${quoted(purpose)}`),
    ...options.map((option) => `${start} ${described(option)}`),
    ...(rest.length === 0 ? [] : [`${start} -f -a ${quoted(rest.join(" "))}`]),
  ];
}

function described({ name, short, values, meaning }: CompletedOption): string {
  const spelling = `${short === null ? "" : `-s ${short} `}-l ${name}`;
  return `${spelling}${argumentOf(values)} -d ${quoted(meaning)}`;
}

/** -x: a value is needed, and it is not a file; -r: it may be one. */
function argumentOf(values: CompletedOption["values"]): string {
  switch (values) {
    case null:
      return "";
    case "any":
      return " -x";
    case "file":
      return " -r -F";
    case "folder":
      return " -x -a '(__fish_complete_directories)'";
    default:
      return ` -x -a ${quoted(values.join(" "))}`;
  }
}

function quoted(text: string): string {
  return singleQuoted(text.replaceAll("\\", "\\\\"), "\\'");
}
