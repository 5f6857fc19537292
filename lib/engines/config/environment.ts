/**
 * Overrides from the environment: `VANTAGE_AGENT__ID=west` is `agent.id`, `VANTAGE_PROBER__0__PROBING_RATE=10` is the
 * rate of the first prober. Two underscores separate the levels; one alone is part of a name. An empty variable is as
 * one that is not set.
 *
 * `VANTAGE_AGENT__ID_FILE=/run/secrets/id` sets the same key to the content of that file, trimmed: a secret that comes
 * as a file is then neither in the environment nor in a configuration file. A key with this very name, as `key_file`,
 * takes precedence.
 */
import { readFileSync } from "node:fs";
import { systemReason } from "../../base/failure/system-reason.ts";
import { type Draft, isBlank, type Path, type PlainSection, type PlainValue } from "./draft.ts";
import type { Shape } from "./shape.ts";
import type { Aliases } from "./yaml-file.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Whether any variable sets a key of a configuration, of whichever program. */
export function hasVariables(environment: Environment): boolean {
  return Object.keys(environment).some((variable) => /^(VANTAGE_\w+__|SAIMIRIS__)/.test(variable));
}

/**
 * Applies the environment over the draft. A variable counts when it starts with one of `prefixes` and has two
 * underscores after its first level; others belong to other programs.
 */
export function overrideBy(
  environment: Environment,
  prefixes: readonly string[],
  draft: Draft,
  shape: Shape,
  aliases: Aliases,
): void {
  for (const [variable, text] of Object.entries(environment).sort()) {
    const prefix = prefixes.find((start) => variable.startsWith(start));
    const levels = variable
      .slice(prefix?.length ?? 0)
      .toLowerCase()
      .split("__");
    if (prefix === undefined || text === undefined || text === "" || levels.length < 2) {
      continue;
    }
    const [first = "", ...rest] = levels;
    const place = `environment ${variable}`;
    const own = [aliases[first] ?? first, ...rest];
    const held = keyOfFile(shape, own);
    if (held === null) {
      override(draft, shape, own, text, place);
    } else if ((environment[variable.slice(0, -fileEnding.length)] ?? "") !== "") {
      draft.fail(held, "is given by its value too: remove one of the two", place);
    } else {
      overrideByFile(draft, shape, { key: held, file: text, place });
    }
  }
}

const fileEnding = "_file";

/** The key whose value the file holds; null when the levels name a key themselves, or no file of one. */
function keyOfFile(root: Shape, levels: readonly string[]): string[] | null {
  const last = levels.at(-1) ?? "";
  if (!last.endsWith(fileEnding) || shapeAt(root, levels) !== null) {
    return null;
  }
  const key = [...levels.slice(0, -1), last.slice(0, -fileEnding.length)];
  const shape = shapeAt(root, key);
  return shape === null || shape.kind === "section" ? null : key;
}

function shapeAt(root: Shape, levels: readonly string[]): Shape | null {
  return levels.reduce<Shape | null>(
    (shape, level) => (shape === null ? null : (stepInto(shape, level)?.shape ?? null)),
    root,
  );
}

function overrideByFile(
  draft: Draft,
  root: Shape,
  { key, file, place }: { key: readonly string[]; file: string; place: string },
): void {
  try {
    override(draft, root, key, readFileSync(file, "utf8").trim(), `${place} (${file})`);
  } catch (error) {
    draft.fail(key, `cannot be read: ${systemReason(error)}`, place);
  }
}

/** Only the variables of these sections: others on the same machine are for other programs. */
export function sectionsOf(
  environment: Environment,
  prefixes: readonly string[],
  sections: readonly string[],
): Environment {
  const mine = new RegExp(`^(${prefixes.join("|")})(${sections.join("|")})__`, "i");
  return Object.fromEntries(Object.entries(environment).filter(([name]) => mine.test(name)));
}

function override(draft: Draft, root: Shape, levels: readonly string[], text: string, place: string): void {
  let shape = root;
  let holder: PlainSection | PlainValue[] = draft.root;
  const path: (string | number)[] = [];
  for (const [depth, level] of levels.entries()) {
    const step = stepInto(shape, level);
    if (step === null) {
      if (shape.kind === "section") {
        draft.failUnknown([...path, level], shape.entries.keys(), place);
      } else {
        draft.fail([...path, level], "must be the number of an entry of the list: 0, 1, …", place);
      }
      return;
    }
    path.push(step.key);
    shape = step.shape;
    if (depth === levels.length - 1) {
      setValue(draft, holder, { path, shape, text, place });
      return;
    }
    holder = descend(holder, step.key, shape);
  }
}

function stepInto(shape: Shape, level: string): { key: string | number; shape: Shape } | null {
  if (shape.kind === "list") {
    return /^\d{1,3}$/.test(level) ? { key: Number(level), shape: shape.item } : null;
  }
  const entry = shape.kind === "section" ? shape.entries.get(level) : undefined;
  return entry === undefined ? null : { key: level, shape: entry };
}

/** The section or list behind a key, made when the file has none. */
function descend(holder: PlainSection | PlainValue[], key: string | number, shape: Shape) {
  const found = Array.isArray(holder) ? holder[Number(key)] : holder[key];
  if (typeof found === "object" && found !== null) {
    return found;
  }
  const made = shape.kind === "list" ? [] : {};
  assign(holder, key, made);
  return made;
}

function setValue(
  draft: Draft,
  holder: PlainSection | PlainValue[],
  given: { path: Path; shape: Shape; text: string; place: string },
): void {
  const { path, shape, text, place } = given;
  const key = path.at(-1) ?? "";
  if (shape.kind === "section") {
    draft.fail(path, "is a section; name a key in it", place);
    return;
  }
  draft.setPlace(path, place);
  const value = shape.kind === "list" ? listOf(text, shape.item) : plainOf(text, shape);
  if (isBlank(value, shape) && !Array.isArray(holder)) {
    delete holder[key];
  } else {
    assign(holder, key, value);
  }
}

function assign(holder: PlainSection | PlainValue[], key: string | number, value: PlainValue): void {
  if (Array.isArray(holder)) {
    holder[Number(key)] = value;
  } else {
    holder[key] = value;
  }
}

function listOf(text: string, item: Shape): PlainValue[] {
  return text === "" ? [] : text.split(",").map((part) => plainOf(part.trim(), item));
}

/** The environment has only text; the key's type decides. A text that does not fit stays text. */
function plainOf(text: string, shape: Shape): PlainValue {
  if (shape.kind === "value" && shape.type === "number" && /^-?\d+(\.\d+)?$/.test(text)) {
    return Number(text);
  }
  if (shape.kind === "value" && shape.type === "boolean" && /^(true|false)$/i.test(text)) {
    return text.toLowerCase() === "true";
  }
  return text;
}
