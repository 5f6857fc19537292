/** Completions for zsh. Pure. */
import { type CompletedCommand, type CompletedOption, singleQuoted, spellings } from "./completed-command.ts";

export function zshCompletions(commands: readonly CompletedCommand[]): string {
  const described = commands.map(({ name, purpose }) => `    ${quoted(`${name}:${purpose}`)}`);
  return `#compdef vantage
# Completes the words of vantage in zsh: source <(vantage completions zsh)
_vantage() {
  local -a commands=(
${described.join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
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

function commandCase({ name, options, words }: CompletedCommand): string {
  const rest = words.length > 0 ? `1:word:(${words.join(" ")})` : "*:file:_files";
  const specifications = [
    ...options.map(specification),
    "'(-h --help)'{-h,--help}'[this text]'",
    quoted(rest),
  ];
  return `    ${name}) _arguments -s ${specifications.join(" ")} ;;`;
}

/** `'(-o --output)'{-o,--output}'[format]:value:(table json)'`. */
function specification(option: CompletedOption): string {
  const all = spellings(option);
  const exclusive = all.length > 1 ? `${quoted(`(${all.join(" ")})`)}{${all.join(",")}}` : (all[0] ?? "");
  const meaning = option.meaning === "" ? "" : `[${option.meaning.replaceAll(/[[\]\\:]/g, "\\$&")}]`;
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
