/**
 * Makes lib/net/wire/layout.ts (field offsets) and tests/capnp (capnp-es classes, beside which our codecs are tried)
 * from the schema files, and docs/reference/reply-fields.md from the table of reply fields: `npm run generate`. It
 * needs `capnp` (Debian: capnproto).
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Message } from "capnp-es";
import { CodeGeneratorRequest } from "capnp-es/capnp/schema";
import { compileAll } from "capnp-es/compiler";
import { layoutSource } from "./layout-source.ts";
import { replyFieldsPage } from "./reply-fields-page.ts";

const root = join(import.meta.dirname, "../..");
const schemas = ["probe.capnp", "reply.capnp", "update.capnp"];

/** Every generated file: path -> text. Throws when `capnp` is missing or refuses a schema. */
export async function generatedFiles(): Promise<Map<string, string>> {
  const compiled = spawnSync("capnp", ["compile", "-o-", ...schemas], { cwd: join(root, "lib/net/wire") });
  if (compiled.status !== 0) {
    const reason = compiled.error?.message ?? compiled.stderr.toString();
    throw new Error(`Cannot compile the schemas with capnp (Debian: capnproto): ${reason}`);
  }
  const files = new Map<string, string>();
  const { files: sources } = await compileAll(compiled.stdout, { ts: true, js: false, dts: false });
  for (const [name, text] of sources) {
    files.set(join("tests/capnp", name), strictText(text));
  }
  const request = new Message(compiled.stdout, false).getRoot(CodeGeneratorRequest);
  files.set("lib/net/wire/layout.ts", layoutSource(request));
  files.set("docs/reference/reply-fields.md", replyFieldsPage());
  return files;
}

/** capnp-es leaves out `override`, which our compiler settings ask for. */
function strictText(text: string): string {
  return text
    .replaceAll("    toString(): string {", "    override toString(): string {")
    .replaceAll("    static readonly _capnp =", "    static override readonly _capnp =")
    .trimEnd()
    .concat("\n");
}

if (import.meta.main) {
  for (const [path, text] of await generatedFiles()) {
    const target = join(root, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
}
