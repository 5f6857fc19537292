/**
 * Small projects in memory that break one rule each: the proof that each rule of tests/tidy can fail.
 */
import { type BrokenProject, brokenImports } from "./broken-imports.ts";

/** A path or comment that would break the rule it tests if it stood here whole. */
function glued(...parts: string[]): string {
  return parts.join("");
}

export const brokenProjects: readonly BrokenProject[] = [
  ...brokenImports,
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
    "files say what they are",
    "an import comes first",
    { "lib/net/ip/a.ts": "import x;", "ffi/b.ts": "/** B. */", "lib/net/ip/a.test.ts": "import x;" },
    "lib/net/ip/a.ts: begin it with a comment that says what it is",
  ],
  [
    "named files exist",
    "a page that was renamed",
    { "docs/a.md": "one\nsee docs/a.md, `lib/net/ip/gone.ts` and docs/NAME.md" },
    "docs/a.md:2: there is no lib/net/ip/gone.ts",
  ],
  ...[
    "Bun.nanoseconds()",
    "process.env",
    "performance.now()",
    "crypto.subtle",
    "setTimeout(() => {}, 1)",
  ].map(
    (use): BrokenProject => [
      "pure rooms are pure",
      use,
      { "lib/net/wire/a.ts": `export const a = { process: 1 }.process;\n${use};` },
      `lib/net/wire/a.ts:2: uses ${use.split(/[.(]/)[0]}; lib/net/wire is pure: take it as an argument`,
    ],
  ),
  ...["Date.now()", "new Date()", "Date()"].map(
    (use): BrokenProject => [
      "pure rooms are pure",
      use,
      { "lib/net/ip/a.ts": `new Date(0);\n${use};` },
      "lib/net/ip/a.ts:2: uses Date (the clock); lib/net/ip is pure: take it as an argument",
    ],
  ),
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
  ...["node:net", "net", "bun", "bun:sqlite"].map(
    (name): BrokenProject => [
      "pure rooms are pure",
      `import of ${name}`,
      { "lib/net/ip/a.ts": `import x from "${name}";` },
      `lib/net/ip/a.ts:1: imports "${name}"; lib/net/ip is pure: take it as an argument`,
    ],
  ),
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
  ...["console.log(", "process.stdout.write(", "writeSync(2,"].map(
    (use): BrokenProject => [
      "text of others is printed by lib/base/terminal",
      use,
      { "lib/base/terminal/a.ts": `${use}name);`, "apps/probing/agent/b.ts": `\n${use}name);` },
      `apps/probing/agent/b.ts:2: ${use} goes around lib/base/terminal; use printLine or printErrorLine`,
    ],
  ),
  [
    "routes resolve ids by the caller's grant",
    "an id without the grant in a route, not elsewhere",
    { "apps/probing/agent/routes.ts": "\nOwned.of(a, b)", "apps/probing/agent/a.ts": "Owned.of(a, b)" },
    "apps/probing/agent/routes.ts:2: Owned.of goes around the grant of a narrowed token; use Owned.by with userOf(c)",
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
  ].map(
    ([text, phrase, advice]): BrokenProject => [
      "plain sentences",
      `"${phrase}"`,
      { "docs/a.md": `there is no longer a rule\n${text}` },
      `docs/a.md:2: "${phrase}"; write: ${advice}`,
    ],
  ),
  ...(
    [
      ["a comment", "lib/a.ts", "// The policy in force", "in force", "active, in effect, applied"],
      [
        "a message",
        "apps/a.ts",
        'fail("nobody answered here");',
        "nobody",
        "no one, anyone, a user, the passive",
      ],
      ["a page", "docs/a.md", "It goes on.", "goes on", "continues"],
      ["a name", "lib/a.ts", "const heardRoutes = 1;", "heard", "received"],
    ] as const
  ).map(
    ([what, path, line, twin, word]): BrokenProject => [
      "words of the glossary",
      what,
      { [path]: `one\n${line}` },
      `${path}:2: "${twin}"; write: ${word}`,
    ],
  ),
  ...[
    glued("/ho", "me/ada"),
    glued("/wo", "rk/tree"),
    glued("registry.", "npm", "js.org"),
    glued("npm.", "corp.example"),
  ].map(
    (name): BrokenProject => [
      "no path or host of one machine",
      name,
      { "README.md": `one\n(see ${name}/x)` },
      `README.md:2: names "${name}", which is of one machine only`,
    ],
  ),
  [
    "no download address in the lock file",
    "an address",
    { "bun.lock": '{\n  "a": ["a@1.0.0", "https://host.example/a.tgz"] }' },
    "bun.lock:2: a download address; install with the default registry",
  ],
  ["no download address in the lock file", "no lock", {}, "bun.lock: missing, so versions are not pinned"],
];
