/** Small projects in memory whose files import, or are imported by, what they should not. */

const ffiMay = "ffi may import only lib/net/ip, lib/net/packet, lib/net/wire/layout.ts";

type Files = Readonly<Record<string, string>>;

/** Rule, what is wrong, files of the project in memory, the one problem that the rule must find. */
export type BrokenProject = readonly [rule: string, what: string, files: Files, problem: string];

export const brokenImports: readonly BrokenProject[] = [
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
    "wings import downwards",
    "measuring, which takes from peering beside it",
    { "lib/measuring/paths/a.ts": 'import "../../peering/lease/b.ts";', "lib/peering/lease/b.ts": "" },
    'lib/measuring/paths/a.ts:1: imports "lib/peering/lease/b.ts": lib/measuring may not import lib/peering',
  ],
  [
    "no two folders import each other",
    "through other files",
    {
      "apps/probing/agent/consume/a.ts": 'import "../keep/b.ts";\nimport "../engine/e.ts";',
      "apps/probing/agent/keep/b.ts": "",
      "apps/probing/agent/keep/c.ts": 'import type { D } from "../consume/d.ts";',
      "apps/probing/agent/consume/d.ts": "",
      "apps/probing/agent/engine/e.ts": "",
    },
    'apps/probing/agent/consume/a.ts:1: imports "apps/probing/agent/keep/b.ts", and apps/probing/agent/keep/c.ts ' +
      '"apps/probing/agent/consume/d.ts": move what both need above them',
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
];
