/** Completions for bash 4 and later. Pure. */
import { type CompletedCommand, type CompletedOption, spellings } from "./completed-command.ts";

export function bashCompletions(commands: readonly CompletedCommand[]): string {
  const names = commands.filter(({ name }) => name !== "").map(({ name }) => `" ${name}"`);
  return `# Completes the words of vantage in bash: source <(vantage completions bash)
_vantage() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" command="" i
  # bash takes --name=value for three words.
  if [ "$word" = "=" ]; then
    word=""
  elif [ "$before" = "=" ]; then
    before="\${COMP_WORDS[COMP_CWORD-2]}"
  fi
  for (( i = 1; i < COMP_CWORD; i++ )); do
    case "$command \${COMP_WORDS[i]}" in
      ${names.join("|")}) command="$command \${COMP_WORDS[i]}" ;;
    esac
  done
  COMPREPLY=()
  case "$command $before" in
${commands.flatMap(valueCases).join("\n")}
  esac
  case "$command" in
${commands.map(commandCase).join("\n")}
  esac
}
complete -o default -F _vantage vantage`;
}

/** A command's name in the script: a space before each word. */
function spaced(name: string): string {
  return name === "" ? "" : ` ${name}`;
}

/** Completions for the value of an option. */
function valueCases({ name, options }: CompletedCommand): string[] {
  return options.flatMap((option) => {
    const patterns = spellings(option).map((spelling) => `"${spaced(name)} ${spelling}"`);
    const answer = valueAnswer(option);
    return answer === null ? [] : [`    ${patterns.join("|")}) ${answer}return ;;`];
  });
}

function valueAnswer({ values }: CompletedOption): string | null {
  switch (values) {
    case null:
      return null;
    case "any":
      return "";
    case "file":
      return 'COMPREPLY=($(compgen -f -- "$word")); ';
    case "folder":
      return 'COMPREPLY=($(compgen -d -- "$word")); ';
    default:
      return `COMPREPLY=($(compgen -W "${values.join(" ")}" -- "$word")); `;
  }
}

/** Options after a hyphen, else the command's words. */
function commandCase({ name, options, words }: CompletedCommand): string {
  const known = [...words, ...options.flatMap(spellings), "--help"];
  const condition = words.length > 0 ? "" : `[ "\${word:0:1}" = "-" ] && `;
  return `    "${spaced(name)}") ${condition}COMPREPLY=($(compgen -W "${known.join(" ")}" -- "$word")) ;;`;
}
