/**
 * Small projects in memory that break one rule each: the proof that each rule of tests/tidy can fail.
 */

const ffiMay = "ffi may import only lib/net/ip, lib/net/packet, lib/net/wire/layout.ts";

/** A path or comment that would break the rule it tests if it stood here whole. */
function glued(...parts: string[]): string {
  return parts.join("");
}

type Files = Readonly<Record<string, string>>;

/** Rule, what is wrong, files of the project in memory, the one problem that the rule must find. */
export const brokenProjects: readonly [rule: string, what: string, files: Files, problem: string][] = [
  [
    "each route has bounds of its work",
    "a route that is not in the table",
    {
      "apps/a/routes.ts":
        'const app = new Hono<HttpEnv>();\napp.post(\n  "/api/forgotten", user, async (c) => c.json({}));',
    },
    "apps/a/routes.ts: POST /api/forgotten has no bounds; list it in lib/engines/http/route-work.ts",
  ],
  [
    "each route has bounds of its work",
    "a loop that yields by itself",
    { "apps/probing/campaigns/a.ts": "await new Promise((resolve) => setImmediate(resolve));" },
    "apps/probing/campaigns/a.ts: setImmediate goes around the turns of requests; take a Pace " +
      "(lib/engines/http/pace.ts)",
  ],
  [
    "imports follow the table",
    "a library that imports upwards",
    { "lib/net/ip/a.ts": 'import "../packet/b.ts";', "lib/net/packet/b.ts": "" },
    'lib/net/ip/a.ts:1: imports "../packet/b.ts": lib/net/ip may import only itself',
  ],
  [
    "imports follow the table",
    "a type from another app",
    {
      "apps/probing/agent/a.ts": '\nimport type { B } from "../../user/client/b.ts";',
      "apps/user/client/b.ts": "",
    },
    'apps/probing/agent/a.ts:2: imports "../../user/client/b.ts": apps/probing/agent may import only lib, ffi, ' +
      "apps/probing/agent/engine",
  ],
  [
    "imports follow the table",
    "a re-export out of tests",
    { "ffi/a.ts": 'export { b } from "../tests/b.ts";', "tests/b.ts": "" },
    `ffi/a.ts:1: imports "../tests/b.ts": ${ffiMay}`,
  ],
  [
    "imports follow the table",
    "a codec in ffi, which may take only the layout",
    {
      "ffi/a.ts": 'await import("../lib/net/wire/codec.ts");',
      "lib/net/wire/codec.ts": "",
      "lib/net/wire/layout.ts": "",
    },
    `ffi/a.ts:1: imports "../lib/net/wire/codec.ts": ${ffiMay}`,
  ],
  [
    "imports follow the table",
    "bun:ffi outside ffi",
    { "apps/probing/agent/a.ts": 'import { ptr } from "bun:ffi";' },
    'apps/probing/agent/a.ts:1: imports "bun:ffi": native memory stays inside ffi/',
  ],
  [
    "imports follow the table",
    "a pointer taken out of ffi",
    {
      "apps/probing/agent/a.ts": 'import { SystemError, pointerOf as p } from "../../../ffi/libc.ts";',
      "ffi/libc.ts": "",
    },
    'apps/probing/agent/a.ts:1: imports "../../../ffi/libc.ts": pointerOf gives native memory away, ' +
      "which stays inside ffi/",
  ],
  [
    "imports follow the table",
    "a package that the area does not use",
    { "lib/net/packet/a.ts": 'import { stream } from "@scope/name/sub";' },
    'lib/net/packet/a.ts:1: imports "@scope/name/sub": lib/net/packet does not use the package @scope/name',
  ],
  [
    "imports follow the table",
    "a file that is not there",
    { "lib/net/ip/a.ts": 'import "./gone.ts";' },
    'lib/net/ip/a.ts:1: imports "./gone.ts": there is no such file',
  ],
  [
    "imports follow the table",
    "a test as a library",
    { "lib/net/ip/b.test.ts": "", "tests/a.ts": 'import "../lib/net/ip/b.test.ts";' },
    'tests/a.ts:1: imports "../lib/net/ip/b.test.ts": nothing imports a test',
  ],
  [
    "every file is in the table",
    "a new library",
    { "lib/cloud/a.ts": "" },
    "lib/cloud/a.ts: belongs to no room of tests/tidy/rooms.ts; add one there",
  ],
  [
    "no imports in a circle",
    "a circle of three, one of them a type",
    {
      "lib/net/ip/a.ts": 'import "./b.ts";',
      "lib/net/ip/b.ts": 'import type { C } from "./c.ts";',
      "lib/net/ip/c.ts": 'export * from "./a.ts";',
    },
    "lib/net/ip/a.ts: imports itself in a circle: lib/net/ip/a.ts -> lib/net/ip/b.ts -> lib/net/ip/c.ts -> " +
      "lib/net/ip/a.ts; move what both need into a third file",
  ],
  [
    "no import points upwards",
    "a room that takes from above what is made of the room",
    {
      "apps/probing/agent/services.ts": 'import type { A } from "./parts.ts";',
      "apps/probing/agent/parts.ts": 'import type { B } from "./users/directory.ts";',
      "apps/probing/agent/users/directory.ts": 'import "../limits.ts";',
      "apps/probing/agent/users/routes.ts":
        'import "../../../../lib/net/ip/a.ts";\nimport type { C } from "../services.ts";',
      "apps/probing/agent/limits.ts": "",
      "lib/net/ip/a.ts": "",
    },
    'apps/probing/agent/users/routes.ts:2: imports "apps/probing/agent/services.ts", which builds on ' +
      "apps/probing/agent/users/directory.ts: let apps/probing/agent/users say what it needs",
  ],
  [
    "every file is reached",
    "a file that nothing names",
    {
      "apps/vantage.ts": 'await import("./user/trace/main.ts");',
      "apps/user/trace/main.ts": 'new Worker(new URL("./worker.ts", import.meta.url));',
      "apps/user/trace/worker.ts": 'import type { T } from "./type.ts";',
      "apps/user/trace/type.ts": `start(\`\${import.meta.dir}/child.ts\`);`,
      "apps/user/trace/child.ts": "",
      "apps/user/trace/lost.ts": 'import "./main.ts";',
      "package.json": '{ "scripts": { "bench": "bun tests/bench.ts" } }',
      "tests/bench.ts": "",
    },
    "apps/user/trace/lost.ts: no command, worker, script or test reaches it; use it or remove it",
  ],
  ...[
    "Bun.nanoseconds()",
    "process.env",
    "performance.now()",
    "crypto.subtle",
    "setTimeout(() => {}, 1)",
  ].map((use): [string, string, Files, string] => [
    "pure rooms are pure",
    use,
    { "lib/net/wire/a.ts": `export const a = { process: 1 }.process;\n${use};` },
    `lib/net/wire/a.ts:2: uses ${use.split(/[.(]/)[0]}; lib/net/wire is pure: take it as an argument`,
  ]),
  ...["Date.now()", "new Date()", "Date()"].map((use): [string, string, Files, string] => [
    "pure rooms are pure",
    use,
    { "lib/net/ip/a.ts": `new Date(0);\n${use};` },
    "lib/net/ip/a.ts:2: uses Date (the clock); lib/net/ip is pure: take it as an argument",
  ]),
  [
    "every export has a user",
    "a type that only its own file names",
    {
      "apps/vantage.ts": 'import { a } from "../lib/net/ip/a.ts"; a();',
      "lib/net/ip/a.ts": "export function a(): B {}\n/** Text. */\nexport interface B {}",
    },
    "lib/net/ip/a.ts:3: exports B, which no other file names; take the word away",
  ],
  [
    "pure rooms are pure",
    "a clock in what it builds on; a type is erased",
    {
      "lib/net/ip/a.ts": 'import { b } from "./b.ts"; export { b };',
      "lib/net/ip/b.ts":
        'import "../../base/terminal/text.ts"; import type { C } from "../../base/terminal/screen.ts";',
      "lib/base/terminal/text.ts": "Date.now();",
      "lib/base/terminal/screen.ts": "Date.now();",
    },
    "lib/base/terminal/text.ts:1: uses Date (the clock); lib/net/ip is pure: take it as an argument",
  ],
  [
    "pure rooms are pure",
    "Math.random",
    { "lib/net/ip/a.ts": "Math.floor(Math.random());" },
    "lib/net/ip/a.ts:1: uses Math.random; lib/net/ip is pure: take it as an argument",
  ],
  ...["node:net", "net", "bun", "bun:sqlite"].map((name): [string, string, Files, string] => [
    "pure rooms are pure",
    `import of ${name}`,
    { "lib/net/ip/a.ts": `import x from "${name}";` },
    `lib/net/ip/a.ts:1: imports "${name}"; lib/net/ip is pure: take it as an argument`,
  ]),
  [
    "pure rooms are pure",
    "chance from a module that also hashes",
    { "lib/net/ip/a.ts": 'import { createHmac, randomBytes } from "node:crypto";' },
    'lib/net/ip/a.ts:1: imports "node:crypto"; lib/net/ip is pure: take it as an argument',
  ],
  [
    "no any, no silenced compiler",
    "a cast",
    { "tests/a.ts": "\nexport const a = (1 as any).b; // any" },
    "tests/a.ts:2: the type any; say what it is, or unknown",
  ],
  [
    "no any, no silenced compiler",
    "a comment",
    {
      "tests/a.ts": `const text = "@ts-ignore";\n${glued("// @ts", "-expect-error")}\nexport const a = text.b;`,
    },
    "tests/a.ts:3: a comment silences the compiler; fix the type",
  ],
  ...["console.log(", "process.stdout.write(", "writeSync(2,"].map((use): [string, string, Files, string] => [
    "text of others is printed by lib/base/terminal",
    use,
    { "lib/base/terminal/a.ts": `${use}name);`, "apps/probing/agent/b.ts": `\n${use}name);` },
    `apps/probing/agent/b.ts:2: ${use} goes around lib/base/terminal; use printLine or printErrorLine`,
  ]),
  [
    "routes resolve ids by the caller's grant",
    "an id without the grant in a route, not elsewhere",
    { "apps/probing/agent/routes.ts": "\nOwned.of(a, b)", "apps/probing/agent/a.ts": "Owned.of(a, b)" },
    "apps/probing/agent/routes.ts:2: Owned.of goes around the grant of a narrowed token; use Owned.by with userOf(c)",
  ],
  [
    "no small part of one file",
    "a small file of one importer; not one that is loaded, tested, shared or elsewhere",
    {
      "apps/probing/agent/a.ts":
        'import "./b.ts"; import "./c.ts"; import "./engine/e.ts"; import "./f.ts"; import("./d.ts");',
      "apps/probing/agent/b.ts": "//\n//\n",
      "apps/probing/agent/c.ts": "",
      "apps/probing/agent/c.test.ts": 'import "./c.ts"; import "./b.ts";',
      "apps/probing/agent/d.ts": 'import "./f.ts";',
      "apps/probing/agent/engine/e.ts": "",
      "apps/probing/agent/f.ts": "",
    },
    "apps/probing/agent/b.ts: 2 lines that only apps/probing/agent/a.ts imports; move them there (exceptions: " +
      "smallFiles in tests/tidy/house.ts)",
  ],
  [
    "no long file",
    "301 lines",
    { "ffi/a.ts": "\n//".repeat(300) },
    "ffi/a.ts: 301 lines, more than 300; split it by noun",
  ],
  [
    "pages say whose elements they use",
    "nothing said",
    { "apps/console/a.tsx": "export const A = () => <p>a</p>;" },
    "apps/console/a.tsx: begin it with /** @jsxImportSource hono/jsx */, so that it works from any folder",
  ],
  ["no wide line", "121", { "a.sh": `\n${"x".repeat(121)}` }, "a.sh:2: 121 characters, more than 120"],
  [
    "plain sentences",
    "a docstring without a subject",
    { "lib/a.ts": "/**\n * Of a list. */" },
    'lib/a.ts:2: "* Of"; write: say what it is, or what it does',
  ],
  ...[
    ["users are told", "are told", "sees, gets, receives, is printed"],
    ["a probe that is none", "that is none", "name the thing"],
    ["what is no probe", "is no", "is not a, are not"],
  ].map(([text, phrase, advice]): [string, string, Files, string] => [
    "plain sentences",
    `"${phrase}"`,
    { "docs/a.md": `there is no longer a rule\n${text}` },
    `docs/a.md:2: "${phrase}"; write: ${advice}`,
  ]),
  ...[
    glued("/ho", "me/ada"),
    glued("/wo", "rk/tree"),
    glued("registry.", "npm", "js.org"),
    glued("npm.", "corp.example"),
  ].map((name): [string, string, Files, string] => [
    "no path or host of one machine",
    name,
    { "README.md": `one\n(see ${name}/x)` },
    `README.md:2: names "${name}", which is of one machine only`,
  ]),
  [
    "no download address in the lock file",
    "an address",
    { "bun.lock": '{\n  "a": ["a@1.0.0", "https://host.example/a.tgz"] }' },
    "bun.lock:2: a download address; install with the default registry",
  ],
  ["no download address in the lock file", "no lock", {}, "bun.lock: missing, so versions are not pinned"],
];
