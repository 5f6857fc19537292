/**
 * Parses the arguments after a command's name by its table. Node's `parseArgs` splits them into options and arguments;
 * errors are reported here, in the same way for every command.
 */
import { parseArgs } from "node:util";
import { nearest } from "../../engines/config/nearest.ts";
import { quoted } from "../../engines/config/quoted.ts";
import { wrongUsage } from "./command-error.ts";
import { shownOptions } from "./description.ts";
import { UnfitValue } from "./kinds.ts";
import {
  type Argument,
  type ArgumentTable,
  type Given,
  isRequired,
  type Kind,
  type Option,
  type OptionTable,
  optionName,
  type ValueOption,
} from "./table.ts";

interface Token {
  readonly kind: "option" | "positional" | "option-terminator";
  /** Position among the arguments. */
  readonly index: number;
  readonly name?: string;
  readonly rawName?: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

/** Splits arguments into options and others, without checking them. */
export function tokensOf(args: readonly string[], options: OptionTable): readonly Token[] {
  const known = Object.entries(options).map(([name, { short, ...option }]) => [
    optionName(name),
    { type: "flag" in option ? "boolean" : "string", ...(short === undefined ? {} : { short }) } as const,
  ]);
  const help = { type: "boolean", short: "h" } as const;
  const { tokens } = parseArgs({
    args: [...args],
    options: { ...Object.fromEntries(known), help },
    strict: false,
    tokens: true,
    allowPositionals: true,
    allowNegative: true,
  });
  // The parser mistakes an option named no-export for the negation of export.
  const whole = new Set(
    Object.keys(options)
      .map(optionName)
      .filter((name) => name.startsWith("no-")),
  );
  return tokens.map((token) => {
    const name = token.kind === "option" ? token.rawName.slice(2) : "";
    return whole.has(name) ? { ...token, name } : token;
  });
}

/** Whether help is requested; then nothing else is checked. */
export function asksForHelp(args: readonly string[], options: OptionTable): boolean {
  return tokensOf(args, options).some(({ kind, name, rawName }) => {
    return kind === "option" && name === "help" && rawName !== "--no-help";
  });
}

/** Throws CommandError `usage`. */
export function parseGiven<Options extends OptionTable, Arguments extends ArgumentTable>(
  args: readonly string[],
  options: Options,
  argumentTable: Arguments,
): Given<Options, Arguments> {
  const tokens = tokensOf(args, options);
  const positionals = tokens.flatMap(({ kind, value = "" }) => (kind === "positional" ? [value] : []));
  return {
    ...optionValues(tokens, options),
    ...argumentValues(positionals, argumentTable),
  } as Given<Options, Arguments>;
}

function optionValues(tokens: readonly Token[], options: OptionTable): Record<string, unknown> {
  const given = new Map<string, unknown[]>();
  for (const token of tokens) {
    if (token.kind === "option") {
      const [name, option] = knownOption(token, options);
      const value = "flag" in option ? flagIn(token) : valueIn(token, name, option);
      given.set(name, [...(given.get(name) ?? []), value]);
    }
  }
  checkTogether(given, options);
  return Object.fromEntries(
    Object.entries(options).map(([name, option]) => [name, givenOr(option, name, given.get(name))]),
  );
}

function knownOption({ name = "", rawName = "" }: Token, options: OptionTable): [string, Option] {
  const found = Object.entries(options).find(
    // With a value, the parser mistakes --no-live=yes for an option of that name.
    ([known, option]) =>
      optionName(known) === name || ("flag" in option && `no-${optionName(known)}` === name),
  );
  const isNegated = rawName === `--no-${name}`;
  if (found !== undefined && !(isNegated && !("flag" in found[1]))) {
    return found;
  }
  const names = [
    "help",
    ...shownOptions({ options }).flatMap(([known, option]) => spellingsOf(known, option)),
  ];
  const meant = rawName.startsWith("--") ? nearest(rawName.slice(2), names) : null;
  throw wrongUsage(
    `there is no option ${quoted(rawName)}${meant === null ? "" : `; did you mean "--${meant}"?`}`,
  );
}

function spellingsOf(name: string, option: Option): string[] {
  return "flag" in option ? [optionName(name), `no-${optionName(name)}`] : [optionName(name)];
}

function flagIn({ name, rawName, value }: Token): boolean {
  if (value !== undefined) {
    throw wrongUsage(`${rawName} takes no value`);
  }
  return rawName !== `--no-${name}`;
}

function valueIn(
  { value, inlineValue, rawName }: Token,
  name: string,
  { kind, placeholder }: ValueOption<unknown>,
) {
  if (value === undefined) {
    throw wrongUsage(`${rawName} needs a value: ${rawName} ${placeholder ?? kind.placeholder}`);
  }
  if (inlineValue !== true && value.startsWith("-") && value.length > 1) {
    throw wrongUsage(
      `${rawName} needs a value; write --${optionName(name)}=${value} if ${quoted(value)} is meant`,
    );
  }
  return readBy(kind, `--${optionName(name)}`, value);
}

/** `what`: the value's name in messages. Throws CommandError `usage`. */
export function readBy<Value>(kind: Kind<Value>, what: string, text: string): Value {
  try {
    return kind.read(text);
  } catch (error) {
    if (error instanceof UnfitValue) {
      throw wrongUsage(`${what} ${quoted(text)} ${error.message}`);
    }
    throw error;
  }
}

function checkTogether(given: ReadonlyMap<string, unknown>, options: OptionTable): void {
  for (const name of given.keys()) {
    const { needs, notWith = [] } = options[name] as Option;
    const foe = notWith.find((other) => given.has(other));
    if (foe !== undefined) {
      throw wrongUsage(`--${optionName(name)} does not go with --${optionName(foe)}`);
    }
    if (needs !== undefined && !given.has(needs)) {
      throw wrongUsage(`--${optionName(name)} requires --${optionName(needs)}`);
    }
  }
}

function givenOr(option: Option, name: string, given: readonly unknown[] | undefined): unknown {
  const isMany = "multiple" in option && option.multiple === true;
  const value = isMany ? given : (given?.at(-1) ?? option.default);
  if (value === undefined && isRequired(option)) {
    throw wrongUsage(`--${optionName(name)} is missing: ${option.meaning}`);
  }
  return value ?? (isMany ? [] : null);
}

function argumentValues(given: readonly string[], table: ArgumentTable): Record<string, unknown> {
  const rest = [...given];
  const values = Object.entries(table).map(([name, argument]) => {
    const texts = argument.many ? rest.splice(0) : rest.splice(0, 1);
    return [name, valueOfArgument(argument, texts)] as const;
  });
  if (rest.length > 0) {
    throw wrongUsage(`there is an argument too many: ${quoted(rest.join(" "))}`);
  }
  return Object.fromEntries(values);
}

function valueOfArgument(argument: Argument<unknown>, texts: readonly string[]): unknown {
  const name = argument.placeholder ?? argument.kind.placeholder;
  if (texts.length === 0 && argument.required) {
    throw wrongUsage(`${name} is missing: ${argument.meaning}`);
  }
  const values = texts.map((text) => readBy(argument.kind, name, text));
  return argument.many ? values : (values[0] ?? null);
}
