/** The YAML of a configuration, read against its shape: plain values with line numbers, unknown keys refused. */
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import { Draft, isBlank, type Path, type PlainSection, type PlainValue } from "./draft.ts";
import type { Shape } from "./shape.ts";

export interface YamlSource {
  /** Its name in error messages. */
  readonly name: string;
  readonly text: string;
}

/** Other names of keys at the top level: `{ caracat: "prober" }`. */
export type Aliases = Readonly<Record<string, string>>;

/** How keys are read that the shape does not have. */
interface OtherKeys {
  readonly aliases: Aliases;
  /** Keys of other programs in the same file: `agent`, `kafka.out_topic`. */
  readonly passedOver: readonly string[];
}

/**
 * Whether it has no key at all: it is empty, or has only comments. Text that is not YAML is a mistake, not an empty
 * file.
 */
export function setsNothing({ text }: YamlSource): boolean {
  const { contents, errors } = parseDocument(text);
  const isEmpty = contents === null || (isScalar(contents) && contents.value === null);
  return errors.length === 0 && (isEmpty || (isMap(contents) && contents.items.length === 0));
}

export function readYaml(source: YamlSource, shape: Shape, { aliases, passedOver }: OtherKeys): Draft {
  const draft = new Draft(source.name, passedOver);
  const lines = new LineCounter();
  const document = parseDocument(source.text, { lineCounter: lines, prettyErrors: false });
  const placeAt = (offset: number | undefined) =>
    offset === undefined ? source.name : `${source.name}:${lines.linePos(offset).line}`;
  for (const error of [...document.errors, ...document.warnings]) {
    draft.fail([], `is not YAML: ${error.message}`, placeAt(error.pos[0]));
  }
  if (draft.problems.length > 0 || document.contents === null) {
    return draft;
  }
  const walk = new Walk(draft, aliases, placeAt, (node) => (isAlias(node) ? node.resolve(document) : node));
  const root = walk.value(document.contents, shape, []);
  if (typeof root === "object" && root !== null && !Array.isArray(root)) {
    draft.root = root;
  } else if (root !== null) {
    draft.fail([], "must be a section of keys");
  }
  return draft;
}

class Walk {
  constructor(
    readonly draft: Draft,
    readonly aliases: Aliases,
    readonly placeAt: (offset: number | undefined) => string,
    readonly resolve: (node: Node) => Node | undefined,
  ) {}

  /** Null also when the shape expects something else: the schema reports it. */
  value(given: unknown, shape: Shape, path: Path): PlainValue {
    const node = this.resolve(given as Node);
    if (isMap(node) && shape.kind === "section") {
      return this.#section(node.items, shape.entries, path);
    }
    if (isSeq(node) && shape.kind === "list") {
      return node.items.map((entry, i) => {
        this.draft.setPlace([...path, i], this.placeAt((entry as Node).range?.[0]));
        return this.value(entry, shape.item, [...path, i]);
      });
    }
    if (isScalar(node)) {
      return plainScalar(node.value);
    }
    this.draft.fail(path, `must be ${kindNames[shape.kind]}, not ${nameOf(node)}`);
    return null;
  }

  #section(
    pairs: readonly { key: unknown; value: unknown }[],
    entries: ReadonlyMap<string, Shape>,
    path: Path,
  ): PlainSection {
    const section: PlainSection = {};
    for (const { key, value } of pairs) {
      const written = isScalar(key) ? String(key.value) : String(key);
      const place = this.placeAt((key as Node).range?.[0]);
      const name = (path.length === 0 ? this.aliases[written] : undefined) ?? written;
      const own = [...path, name];
      const entry = entries.get(name);
      if (entry === undefined) {
        this.draft.failUnknown([...path, written], entries.keys(), place);
        continue;
      }
      if (name in section) {
        this.draft.fail([...path, written], `is another name of ${name}, which is given too`, place);
        continue;
      }
      this.draft.setPlace(own, place);
      const plain = this.value(value, entry, own);
      if (!isBlank(plain, entry)) {
        section[name] = plain;
      }
    }
    return section;
  }
}

const kindNames = { section: "a section of keys", list: "a list", value: "one value" } as const;

function nameOf(node: Node | undefined): string {
  if (isMap(node)) {
    return kindNames.section;
  }
  return isSeq(node) ? kindNames.list : "a reference to nothing";
}

function plainScalar(value: unknown): PlainValue {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
    return value;
  }
  return value === null || value === undefined ? null : String(value);
}
