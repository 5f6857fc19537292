/**
 * The house as data: which part may import which, and the few files that are excused from a rule.
 *
 * A file belongs to the first area whose path starts its own; a test belongs to `tests`, wherever it lies.
 */

export interface Area {
  /** A folder, or one file. */
  readonly path: string;
  /** Folders or files of ours that it may import, besides itself. */
  readonly ours: readonly string[];
  /** npm packages; a subpath of a package is the package. */
  readonly packages: readonly string[];
  /** Pure: takes clock, randomness, network and disk as arguments, so uses none of the platform's globals. */
  readonly pure: boolean;
}

const pureLibs = [
  "lib/api",
  "lib/failure",
  "lib/ip",
  "lib/packet",
  "lib/wire",
  "lib/probing",
  "lib/lease",
  "lib/policy",
];

function pureLib(path: string, ours: readonly string[], packages: readonly string[] = []): Area {
  return { path, ours, packages, pure: true };
}

function clientLib(path: string, packages: readonly string[], data: readonly string[] = []): Area {
  return { path, ours: [...pureLibs, ...data], packages, pure: false };
}

function app(path: string, otherApps: readonly string[] = [], packages: readonly string[] = []): Area {
  return { path, ours: ["lib", "ffi", ...otherApps], packages, pure: false };
}

const databasePackages = ["postgres", "@electric-sql/pglite", "@electric-sql/pglite-socket"];
const httpPackages = ["hono", "hono-openapi", "valibot", "@valibot/to-json-schema", "eta"];

export const areas: readonly Area[] = [
  pureLib("lib/api", [], ["valibot"]),
  pureLib("lib/failure", []),
  pureLib("lib/ip", [], ["ipaddr.js"]),
  pureLib("lib/packet", ["lib/ip"]),
  // What makes the generated files: tools of the work bench, held apart from the library they lie in.
  { path: "lib/wire/generate.ts", ours: ["lib/wire"], packages: ["capnp-es"], pure: false },
  pureLib("lib/wire", ["lib/ip", "lib/packet"], ["capnp-es"]),
  pureLib("lib/probing", ["lib/api", "lib/ip", "lib/packet"], ["valibot"]),
  pureLib("lib/lease", ["lib/ip"]),
  // Sets of context on disk; what they say is pure.
  { path: "lib/context/disk", ours: ["lib/context"], packages: ["valibot"], pure: false },
  pureLib("lib/context", ["lib/ip", "lib/probing"], ["valibot"]),
  pureLib("lib/discovery", []),
  pureLib("lib/templates", [], ["eta"]),
  pureLib("lib/policy", ["lib/ip", "lib/templates", "templates/policy"], ["valibot"]),
  clientLib("lib/terminal", []),
  pureLib("lib/paths", ["lib/ip", "lib/packet", "lib/terminal"]),
  // What stored results look like, to the command line and over HTTP.
  clientLib("lib/results", ["valibot"], ["lib/gateway-client", "lib/paths", "lib/store", "lib/terminal"]),
  clientLib("lib/disk", []),
  clientLib("lib/broker", ["kafkajs"], ["lib/disk"]),
  clientLib("lib/store", [...databasePackages, "@clickhouse/client", "valibot"], ["sql", "lib/disk"]),
  clientLib(
    "lib/http",
    [...httpPackages, "prom-client"],
    ["lib/auth", "lib/config", "lib/observe", "templates"],
  ),
  clientLib("lib/auth", ["jose"]),
  // What every service is made with: its life, its app, what both gateways are configured with.
  clientLib(
    "lib/service",
    ["hono", "postgres", "prom-client", "valibot"],
    ["lib/auth", "lib/config", "lib/http", "lib/observe", "lib/terminal", "package.json"],
  ),
  // Cuts measurements into records: what everything does that publishes probes.
  clientLib("lib/submission", [], ["lib/broker"]),
  clientLib(
    "lib/config",
    ["valibot", "yaml"],
    ["lib/broker/broker.ts", "lib/broker/broker-options.ts", "lib/terminal"],
  ),
  clientLib("lib/routing-daemon", []),
  clientLib("lib/bird", [], ["lib/routing-daemon"]),
  clientLib("lib/frr", ["valibot"], ["lib/routing-daemon"]),
  clientLib("lib/observe", ["prom-client"], ["lib/disk", "lib/terminal"]),
  clientLib("lib/gateway-client", ["valibot", "openid-client", "eventsource-parser"], ["lib/terminal"]),
  // What `vantage doctor` looks at on a machine; each app says which of it concerns itself.
  clientLib("lib/checkup", [], ["lib/bird", "lib/config", "lib/frr", "lib/routing-daemon", "lib/store"]),
  // The frame of every command, and of those that ask a gateway.
  clientLib(
    "lib/command",
    ["valibot"],
    ["lib/config", "lib/gateway-client", "lib/submission", "lib/terminal", "package.json"],
  ),
  // What builds the WebAssembly module runs before anything else can, so it imports next to nothing.
  { path: "ffi/hotpath/build.ts", ours: ["ffi/hotpath/memory-layout.ts"], packages: [], pure: false },
  { path: "ffi", ours: ["lib/ip", "lib/packet", "lib/wire/layout.ts"], packages: [], pure: false },
  // Composes the commands; trace and stack put several apps into one process.
  app("apps/vantage.ts", ["apps"]),
  app("apps/commands.ts", ["apps", "package.json"]),
  app("apps/commands-page.ts", ["apps"]),
  app("apps/completions.ts"),
  app("apps/trace", ["apps/agent/engine"]),
  app("apps/stack", ["apps", "templates/pages"], ["prom-client", "oidc-provider", "jose", "eta"]),
  app("apps/agent", [], ["prom-client", "valibot"]),
  app("apps/client", [], ["valibot"]),
  app("apps/probes"),
  app("apps/context"),
  app("apps/install-service"),
  // Lists the checks that the parts have of themselves.
  app("apps/doctor", ["apps"]),
  app("apps/health"),
  app(
    "apps/probing-gateway",
    ["sql/postgres/probing", "templates/pages", "package.json"],
    ["hono", "hono-openapi", "valibot", "postgres", "prom-client", "eta"],
  ),
  app(
    "apps/peering-gateway",
    ["sql/postgres/peering", "package.json"],
    ["hono", "hono-openapi", "valibot", "postgres", "prom-client", "jose"],
  ),
  app("apps/policy-generator", ["package.json"], ["hono", "prom-client", "valibot"]),
  app("apps/exchange", ["templates/bird", "templates/headscale"], ["valibot"]),
  app(
    "apps/bootstrap",
    ["templates/bird", "templates/frr", "templates/pages", "package.json"],
    ["hono", "valibot", "prom-client", "eta"],
  ),
];

/** Tests and what only they use may import everything; nothing else imports them. */
export const testsArea: Area = {
  path: "tests",
  ours: ["apps", "lib", "ffi", "tests", "package.json", "templates/pages"],
  packages: [
    "valibot",
    "kafkajs",
    "fast-check",
    "typescript",
    "capnp-es",
    "ipaddr.js",
    "jose",
    "postgres",
    "hono",
    "eventsource-parser",
    "prom-client",
    "ajv",
    "dockerfile-ast",
    "yaml",
    "axe-core",
    "eta",
  ],
  pure: false,
};

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

/** Files that nothing imports because they are started: the executable and its workers. */
export const entryFiles: readonly string[] = ["apps/vantage.ts"];

/** Files whose text names the scripts that are started by hand or by npm. */
export const scriptSources: readonly string[] = [
  "package.json",
  "tests/setup.sh",
  ".ci/run",
  "CONTRIBUTING.md",
];

/** Starts of paths whose exports are taken without an import: by WebAssembly's host; and what is generated. */
export const exportedToOthers: readonly string[] = [
  "ffi/hotpath/assembly/",
  "lib/wire/layout.ts",
  "tests/capnp/",
];

/** What writes by itself: JSON of ours to a parent or a log, and what makes files of the repository. */
export const outputFiles: readonly string[] = [
  "lib/terminal/",
  "lib/observe/log.ts",
  "apps/stack/parent.ts",
  "lib/wire/generate.ts",
  "-page.ts",
];

export const fileLinesMax = 300;
export const lineLengthMax = 120;

/** A file as small as this, which one file beside it imports, is a part of that one if both fit into so many lines. */
export const smallFileLines = 40;
export const mergedFileLinesMax = 200;

/** Small files that stay alone: a reader looks for them where they are. */
export const smallFiles: readonly string[] = [
  // The schemas of the gateways, which tests migrate with: they are the list of sql/postgres.
  "apps/peering-gateway/migrations.ts",
  "apps/probing-gateway/migrations.ts",
  // The app of a service, in each service: tests serve it without the command.
  "apps/peering-gateway/app.ts",
  // As lib/packet/siphash.ts and lib/packet/tag.ts are, which it is compared with.
  "ffi/hotpath/assembly/siphash.ts",
];

/** Tables of constants, generated code and dumps: a limit on lines would only split what belongs together. */
export const longFiles: readonly string[] = ["tests/capnp/reply.ts", "tests/upgrade/releases/"];
/** Generated code, dumps, and expected output that is as wide as a terminal allows. */
export const wideFiles: readonly string[] = ["tests/capnp/", "tests/golden/", "tests/upgrade/releases/"];
