import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { keysTable } from "../../../tests/reference/configuration/keys-page.ts";
import { ConfigError } from "./config-error.ts";
import { loadConfig } from "./load-config.ts";
import { configKey, keyWithDefault } from "./shape.ts";

const portSchema = v.pipe(
  v.number(),
  v.check((port) => Number.isInteger(port) && port > 0, "must be a port"),
);
const schema = v.object({
  server: v.object({
    name: configKey(v.string(), { meaning: "What it is called" }),
    port: keyWithDefault(portSchema, 80, { meaning: "Where it listens", blankIsDefault: true }),
    mode: keyWithDefault(v.picklist(["fast", "slow"]), "fast", { meaning: "How it works" }),
    loud: keyWithDefault(v.boolean(), false, { meaning: "Whether it talks" }),
    tags: v.optional(v.array(configKey(v.string(), { meaning: "Words" })), []),
  }),
  item: v.optional(
    v.array(v.object({ rate: keyWithDefault(v.number(), 5, { meaning: "Speed", unit: "m/s" }) })),
    [],
  ),
});

function load(text: string, environment: Record<string, string> = {}) {
  return loadConfig({
    schema,
    source: { name: "x.yaml", text },
    environment,
    environmentPrefixes: ["VANTAGE_", "SAIMIRIS__"],
    aliases: { thing: "item" },
  });
}

function problemsOf(text: string, environment: Record<string, string> = {}): string[] {
  try {
    load(text, environment);
  } catch (error) {
    if (error instanceof ConfigError) {
      return error.message.split("\n");
    }
    throw error;
  }
  return [];
}

test("a file gives typed values, with defaults for what is absent", () => {
  expect(load("server:\n  name: a\nitem:\n  - rate: 7\n  - {}\n")).toEqual({
    server: { name: "a", port: 80, mode: "fast", loud: false, tags: [] },
    item: [{ rate: 7 }, { rate: 5 }],
  });
});

test("an alias is another name of a key, and not a second one beside it", () => {
  expect(load("server: { name: a }\nthing: [{ rate: 1 }]\n").item).toEqual([{ rate: 1 }]);
  expect(problemsOf("server: { name: a }\nitem: []\nthing: []\n")).toEqual([
    "x.yaml:3: thing: is another name of item, which is given too",
  ]);
});

test("a blank is the default only where a key says so", () => {
  expect(load('server: { name: "", port: 0 }\n').server).toMatchObject({ name: "", port: 80 });
});

test("YAML's own references are followed", () => {
  expect(load("server: { name: a }\nitem:\n - &x { rate: 2 }\n - *x\n").item).toEqual([
    { rate: 2 },
    { rate: 2 },
  ]);
});

describe("a mistake is reported with its line, its key and the reason", () => {
  test.each<[string, string, string[]]>([
    [
      "a misspelt key",
      "server:\n  name: a\n  prot: 1\n",
      ['x.yaml:3: server.prot: unknown key; did you mean "port"?'],
    ],
    [
      "an unknown section",
      "server: {name: a}\nzebra: 1\n",
      ["x.yaml:2: zebra: unknown key; known here: server, item"],
    ],
    [
      "a key in a list",
      "server: {name: a}\nitem:\n- rat: 1\n",
      ['x.yaml:3: item.0.rat: unknown key; did you mean "rate"?'],
    ],
    [
      "text for a number",
      "server:\n  name: a\n  port: x\n",
      ['x.yaml:3: server.port: must be a number, not "x"'],
    ],
    ["a number for text", "server:\n  name: 7\n", ["x.yaml:2: server.name: must be text, not 7"]],
    [
      "a number out of range",
      "server:\n  name: a\n  port: -1\n",
      ["x.yaml:3: server.port: must be a port, not -1"],
    ],
    [
      "a word that is not a choice",
      "server:\n  name: a\n  mode: odd\n",
      ['x.yaml:3: server.mode: must be one of fast, slow, not "odd"'],
    ],
    ["a missing key", "server:\n  port: 1\n", ["x.yaml:1: server.name: is missing"]],
    ["a missing section", "item: []\n", ["x.yaml: server: is missing"]],
    ["a list for a section", "server: [1]\n", ["x.yaml:1: server: must be a section of keys, not a list"]],
    [
      "a section for a list",
      "server: {name: a}\nitem: {rate: 1}\n",
      ["x.yaml:2: item: must be a list, not a section of keys"],
    ],
    ["text for the whole", "hello\n", ["x.yaml: must be a section of keys"]],
    [
      "a key given twice",
      "server:\n  name: a\n  name: b\n",
      ["x.yaml:3: is not YAML: Map keys must be unique"],
    ],
    [
      "an unknown reference",
      "server: *x\n",
      ["x.yaml:1: server: must be a section of keys, not a reference to nothing"],
    ],
    [
      "everything at once",
      "server:\n  prot: 1\n  port: x\n",
      [
        'x.yaml:2: server.prot: unknown key; did you mean "port"?',
        "x.yaml:1: server.name: is missing",
        'x.yaml:3: server.port: must be a number, not "x"',
      ],
    ],
  ])("%s", (_, text, problems) => {
    expect(problemsOf(text)).toEqual(problems);
  });
});

describe("the environment", () => {
  const file = "server:\n  name: a\nitem: [{rate: 1}]\n";

  test("overrides single keys, by the type that the key has", () => {
    const environment = {
      VANTAGE_SERVER__NAME: "7",
      SAIMIRIS__SERVER__PORT: "8081",
      VANTAGE_SERVER__LOUD: "true",
      VANTAGE_SERVER__TAGS: "x, y",
      VANTAGE_THING__0__RATE: "9",
      VANTAGE_COMMIT: "somebody else's",
      OTHER__NAME: "b",
    };
    expect(load(file, environment)).toEqual({
      server: { name: "7", port: 8081, mode: "fast", loud: true, tags: ["x", "y"] },
      item: [{ rate: 9 }],
    });
  });

  test("gives sections that the file does not have", () => {
    expect(load("", { VANTAGE_SERVER__NAME: "b", VANTAGE_ITEM__0__RATE: "2" })).toMatchObject({
      server: { name: "b" },
      item: [{ rate: 2 }],
    });
  });

  describe("may name a file that holds the value", () => {
    const folder = mkdtempSync(join(tmpdir(), "vantage-config-"));
    const secret = join(folder, "secret");
    writeFileSync(secret, "hidden\n");
    afterAll(() => rmSync(folder, { recursive: true }));

    test("of any key, without the end of its line", () => {
      expect(load(file, { VANTAGE_SERVER__NAME_FILE: secret }).server.name).toBe("hidden");
      expect(load(file, { VANTAGE_SERVER__TAGS_FILE: secret }).server.tags).toEqual(["hidden"]);
    });

    test("but a key that has this name itself goes first", () => {
      const text = configKey(v.string(), { meaning: "Text" });
      const both = v.object({ a: v.object({ key: v.optional(text), key_file: v.optional(text) }) });
      const order = { schema: both, source: { name: "x.yaml", text: "" }, environmentPrefixes: ["VANTAGE_"] };
      const environment = { VANTAGE_A__KEY_FILE: secret };
      expect(loadConfig({ ...order, environment })).toEqual({ a: { key_file: secret } });
    });

    test("which says so when the value does not fit the key", () => {
      const place = `environment VANTAGE_SERVER__PORT_FILE (${secret})`;
      expect(problemsOf(file, { VANTAGE_SERVER__PORT_FILE: secret })).toEqual([
        `${place}: server.port: must be a number, not "hidden"`,
      ]);
    });

    test.each<[string, Record<string, string>, string]>([
      [
        "that is there",
        { VANTAGE_SERVER__NAME_FILE: join(folder, "none") },
        "server.name: cannot be read: there is no such file",
      ],
      [
        "beside no value",
        { VANTAGE_SERVER__NAME_FILE: secret, VANTAGE_SERVER__NAME: "b" },
        "is given by its value too",
      ],
      ["of a key that exists", { VANTAGE_SERVER__NMAE_FILE: secret }, "server.nmae_file: unknown key"],
    ])("%s", (_, environment, reason) => {
      expect(problemsOf(file, environment)).toEqual([expect.stringContaining(reason)]);
    });
  });

  test.each<[string, string, string]>([
    ["VANTAGE_SERVER__NMAE", "x", 'server.nmae: unknown key; did you mean "name"?'],
    ["VANTAGE_SERVER__PORT", "x", 'server.port: must be a number, not "x"'],
    ["VANTAGE_ITEM__A__RATE", "1", "item.a: must be the number of an entry of the list: 0, 1, …"],
    ["VANTAGE_ITEM__0", "1", "item.0: is a section; name a key in it"],
  ])("%s=%s is refused by its name", (variable, text, reason) => {
    expect(problemsOf(file, { [variable]: text })).toEqual([`environment ${variable}: ${reason}`]);
  });
});

test("the table of keys has a row for each, with unit and default", () => {
  expect(keysTable(schema).split("\n")).toEqual([
    "| key | type | unit | default | meaning |",
    "| --- | --- | --- | --- | --- |",
    "| `server.name` | text |  | required | What it is called |",
    "| `server.port` | number |  | `80` | Where it listens |",
    "| `server.mode` | text |  | `fast` | How it works |",
    "| `server.loud` | boolean |  | `false` | Whether it talks |",
    "| `server.tags` | list of texts |  | none | Words |",
    "| `item[].rate` | number | m/s | `5` | Speed |",
  ]);
});
