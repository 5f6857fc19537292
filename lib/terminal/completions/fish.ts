/** Completions for fish 3 and later. Pure. */
import { type CompletedCommand, type CompletedOption, singleQuoted } from "./completed-command.ts";

export function fishCompletions(commands: readonly CompletedCommand[]): string {
  const first = commands.map(
    ({ name, purpose }) => `complete -c vantage -f -n __fish_use_subcommand -a ${name} -d ${quoted(purpose)}`,
  );
  return [
    "# Completes the words of vantage in fish: vantage completions fish | source",
    ...first,
    ...commands.flatMap(ofCommand),
  ].join("\n");
}

function ofCommand({ name, options, words }: CompletedCommand): string[] {
  const start = `complete -c vantage -n '__fish_seen_subcommand_from ${name}'`;
  return [
    ...options.map((option) => `${start} ${described(option)}`),
    ...(words.length === 0 ? [] : [`${start} -f -a ${quoted(words.join(" "))}`]),
  ];
}

function described({ name, short, values, meaning }: CompletedOption): string {
  const spelling = `${short === null ? "" : `-s ${short} `}-l ${name}`;
  return `${spelling}${argumentOf(values)}${meaning === "" ? "" : ` -d ${quoted(meaning)}`}`;
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
