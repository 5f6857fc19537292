/** What the rules allow and whom they excuse; the rooms, and who may import whom, are in rooms.ts. */

/** Built-in modules that give the same output for the same input, with the names that do. */
export const pureBuiltins: Readonly<Record<string, readonly string[]>> = {
  "node:crypto": ["createHash", "createHmac"],
};

/** Globals that a pure library must be given instead: the machine, chance, the network, timers, the clock. */
export const impureGlobals: ReadonlySet<string> = new Set([
  ...["Bun", "process", "require", "globalThis", "navigator", "console", "Worker"],
  ...["performance", "crypto", "fetch", "WebSocket", "EventSource", "XMLHttpRequest"],
  ...["setTimeout", "setInterval", "setImmediate", "queueMicrotask"],
  // As source.ts calls them where they read the clock or throw dice.
  ...["Date (the clock)", "Math.random"],
]);

/** Native memory and handles: `bun:ffi` itself, and what ffi/libc.ts lends to the files beside it. */
export const nativeModules: readonly string[] = ["bun:ffi"];
export const nativeNames: Readonly<Record<string, readonly string[]>> = {
  "ffi/libc.ts": ["libc", "addressOf", "pointerOf"],
};

/** Files that nothing imports because they are started: the executable and its workers; and what is published. */
export const entryFiles: readonly string[] = ["apps/vantage.ts", "lib/engines/sdk/sdk.ts"];

/** Files whose text names the scripts that are started by hand or by npm. */
export const scriptSources: readonly string[] = [
  "package.json",
  "tests/setup.sh",
  ".ci/run",
  "CONTRIBUTING.md",
];

/** Starts of paths whose exports are taken without an import: by WebAssembly's host, by users; what is generated. */
export const exportedToOthers: readonly string[] = [
  "ffi/hotpath/assembly/",
  "lib/net/wire/layout.ts",
  "tests/capnp/",
  "lib/engines/sdk/openapi.ts",
  "lib/engines/sdk/sdk.ts",
];

/** What writes by itself: JSON to a parent or a log. */
export const outputFiles: readonly string[] = [
  "lib/base/terminal/",
  "lib/engines/observe/log.ts",
  "apps/stack/parent.ts",
];

export const fileLinesMax = 300;
export const lineLengthMax = 120;

/** A file as small as this, which one file beside it imports, is a part of that one if both fit into so many lines. */
export const smallFileLines = 40;
export const mergedFileLinesMax = 200;

/** Small files that stay alone: a reader looks for them where they are. */
export const smallFiles: readonly string[] = [
  // The schemas of the gateways, which tests migrate with: they are the list of sql/postgres.
  "apps/peering/gateway/migrations.ts",
  "apps/probing/gateway/migrations.ts",
  // The app of a service, in each service: tests serve it without the command.
  "apps/peering/gateway/app.ts",
  // Each subject of the admin API has its file of routes.
  "apps/probing/gateway/admin/source-routes.ts",
  // The list of the console's pages, where who adds one looks.
  "apps/console/pages.ts",
  // As lib/net/packet/siphash.ts and lib/net/packet/tag.ts are, which it is compared with.
  "ffi/hotpath/assembly/siphash.ts",
];

/** Tables of constants, generated code and dumps: a limit on lines would only split what belongs together. */
export const longFiles: readonly string[] = [
  "lib/engines/sdk/openapi.ts",
  "tests/capnp/reply.ts",
  "tests/capnp/update.ts",
  "tests/upgrade/releases/",
];
/** Generated code, dumps, and expected output that is as wide as a terminal allows. */
export const wideFiles: readonly string[] = [
  "lib/engines/sdk/openapi.ts",
  "tests/capnp/",
  "tests/golden/",
  "tests/upgrade/releases/",
];
