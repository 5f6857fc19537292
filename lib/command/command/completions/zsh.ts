/** Completions for zsh. Pure. */
import { type CompletedCommand, type CompletedOption, singleQuoted, spellings } from "./completed-command.ts";

export function zshCompletions(commands: readonly CompletedCommand[]): string {
  const names = commands.filter(({ name }) => name !== "").map(({ name }) => quoted(` ${name}`));
  return `#compdef vantage
# Completes the words of vantage in zsh: source <(vantage completions zsh)
_vantage() {
  local -a commands
  local command="" last=1 i
  for (( i = 2; i < CURRENT; i++ )); do
    case "$command $words[i]" in
      (${names.join("|")}) command="$command $words[i]"; last=$i ;;
    esac
  done
  shift $(( last - 1 )) words
  (( CURRENT -= last - 1 ))
  case $command in
${commands.map(commandCase).join("\n")}
  esac
}
# Loaded by zsh when it is needed, or read at the start.
if [ "$funcstack[1]" = "_vantage" ]; then
  _vantage "$@"
else
  compdef _vantage vantage
fi`;
}

function commandCase({ name, options, words, subcommands }: CompletedCommand): string {
  const rest = words.length > 0 ? `1:word:(${words.join(" ")})` : "*:file:_files";
  const specifications = [
    ...options.map(specification),
    "'(-h --help)'{-h,--help}'[this text]'",
    ...(subcommands.length > 0 ? [] : [quoted(rest)]),
  ];
  const described = `_arguments -s ${specifications.join(" ")}`;
  const pattern = name === "" ? '""' : quoted(` ${name}`);
  if (subcommands.length === 0) {
    return `    (${pattern}) ${described} ;;`;
  }
  const below = subcommands.map(([word, purpose]) => quoted(`${word}:${purpose}`));
  return `    (${pattern})
      if [[ $words[CURRENT] == -* ]]; then
        ${described}
      else
        commands=(${below.join(" ")})
        _describe command commands
      fi ;;`;
}

/** `'(-o --output)'{-o,--output}'[format]:value:(table json)'`. */
function specification(option: CompletedOption): string {
  const all = spellings(option);
  const exclusive = all.length > 1 ? `${quoted(`(${all.join(" ")})`)}{${all.join(",")}}` : (all[0] ?? "");
  const meaning = `[${option.meaning.replaceAll(/[[\]\\:]/g, "\\$&")}]`;
  return `${exclusive}${quoted(`${meaning}${argumentOf(option)}`)}`;
}

function argumentOf({ values }: CompletedOption): string {
  switch (values) {
    case null:
      return "";
    case "any":
      return ":value: ";
    case "file":
      return ":file:_files";
    case "folder":
      return ":folder:_files -/";
    default:
      return `:value:(${values.join(" ")})`;
  }
}

function quoted(text: string): string {
  return singleQuoted(text, "'\\''");
}
