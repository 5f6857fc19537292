/** TypedDicts for Python out of JSON schemas. Equal shapes are written once, under their first name. Pure. */
import type { JsonSchema } from "./shape-text.ts";

const scalars: Readonly<Record<string, string>> = {
  string: "str",
  integer: "int",
  number: "float",
  boolean: "bool",
  null: "None",
};
/** Words that cannot name a member of a class. */
const keywords: ReadonlySet<string> = new Set([
  ..."False None True and as assert async await break class continue def del elif else except finally".split(
    " ",
  ),
  ..."for from global if import in is lambda nonlocal not or pass raise return try while with yield".split(
    " ",
  ),
]);

export class PythonTypes {
  readonly #classes: string[] = [];
  /** Names by what they stand for. */
  readonly #names = new Map<string, string>();
  readonly #taken = new Set<string>();

  /** Gives a schema this name; of an object a class is made. */
  add(name: string, schema: JsonSchema): void {
    const type = this.#typeOf(schema, name);
    if (type !== name) {
      this.#classes.push(`${name} = ${type}`);
      this.#taken.add(name);
    }
  }

  /** Classes and names, each behind those that it needs. */
  get text(): string {
    return `${this.#classes.join("\n\n\n")}\n`;
  }

  #typeOf(schema: JsonSchema, name: string): string {
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices !== undefined) {
      return [...new Set(choices.map((one) => this.#typeOf(one, name)))].join(" | ");
    }
    if (schema.const !== undefined || schema.enum !== undefined) {
      const values = (schema.enum ?? [schema.const]).map((value) => JSON.stringify(value));
      return `Literal[${values.join(", ")}]`;
    }
    if (schema.type === "object") {
      return this.#objectOf(schema, name);
    }
    if (schema.type === "array") {
      const { items = {} } = schema;
      const each = (Array.isArray(items) ? items : [items]) as readonly JsonSchema[];
      const types = new Set(each.map((one) => this.#typeOf(one, singular(name))));
      return `list[${[...types].join(" | ")}]`;
    }
    return scalars[schema.type ?? ""] ?? "Any";
  }

  #objectOf(schema: JsonSchema, name: string): string {
    const { properties = {}, required = [], additionalProperties } = schema;
    const names = Object.keys(properties);
    if (names.length === 0) {
      const rest = typeof additionalProperties === "object" ? additionalProperties : {};
      return `dict[str, ${this.#typeOf(rest, name)}]`;
    }
    const members = names.map((member): Member => {
      const type = this.#typeOf(properties[member] ?? {}, name + pascal(member));
      return { name: member, type: required.includes(member) ? type : `NotRequired[${type}]` };
    });
    const shape = JSON.stringify(members);
    const known = this.#names.get(shape);
    if (known !== undefined) {
      return known;
    }
    const own = this.#freeName(name);
    this.#names.set(shape, own);
    this.#classes.push(classText(own, members));
    return own;
  }

  /** Choices among several objects have one name each. */
  #freeName(wanted: string): string {
    let name = wanted;
    for (let i = 2; this.#taken.has(name); i++) {
      name = `${wanted}${i}`;
    }
    this.#taken.add(name);
    return name;
  }
}

interface Member {
  readonly name: string;
  readonly type: string;
}

function classText(name: string, members: readonly Member[]): string {
  if (members.some((member) => keywords.has(member.name))) {
    const lines = members.map((member) => `        ${JSON.stringify(member.name)}: ${member.type},`);
    return `${name} = TypedDict(\n    "${name}",\n    {\n${lines.join("\n")}\n    },\n)`;
  }
  return `class ${name}(TypedDict):\n${members.map((member) => `    ${member.name}: ${member.type}`).join("\n")}`;
}

/** `reply_mpls_labels` is `ReplyMplsLabels`. */
function pascal(text: string): string {
  return text.replaceAll(/(?:^|[^a-zA-Z0-9]+)([a-zA-Z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function singular(name: string): string {
  return name.replace(/(?<=[^s])s$/, "");
}
