/** Rooms that apps share. A part of a room comes before it, and what others build on before them. */
import { pureRoom, type Room, room } from "./room.ts";

export const pureRooms: readonly Room[] = [
  pureRoom("lib/net/ip", "addresses, prefixes", { packages: ["ipaddr.js"] }),
  pureRoom(
    "lib/net/packet",
    "probes, replies, tags and time codes; what builds and reads whole packets is in `ffi/hotpath`, and beside it, " +
      "for tests, in `tests/packet`",
    { ours: ["lib/net/ip"] },
  ),
  pureRoom("lib/net/wire", "Cap'n Proto schemas and codecs, probe lines, the meaning of reply fields", {
    ours: ["lib/base/failure", "lib/net/ip", "lib/net/packet"],
  }),
  pureRoom(
    "lib/base/api",
    "answers of HTTP APIs that two sides share: the service documents them, the reader picks from them and says " +
      "where it takes less; values of their fields",
    { packages: ["valibot"] },
  ),
  pureRoom(
    "lib/base/failure",
    "failures with a part and a closed set of codes; " +
      "`lib/engines/http/failure-problem.ts` maps each to a response",
  ),
  pureRoom(
    "lib/measuring/probing",
    "the rules: sources, users' prefixes, the life of a measurement, what agents report, destinations; targets' probes",
    { ours: ["lib/base/api", "lib/net/ip", "lib/base/list", "lib/net/packet"], packages: ["valibot"] },
  ),
  pureRoom(
    "lib/peering/lease",
    "pools of ASNs and /48s, what a lease is; what two users must not do at once is in `sql/postgres/peering`",
    { ours: ["lib/net/ip"] },
  ),
  pureRoom("lib/base/list", "a list in parts, a stream of bytes in messages, a computation in short steps"),
  pureRoom("lib/base/templates", "text from data by Eta templates", { packages: ["eta"] }),
  pureRoom(
    "lib/peering/policy",
    "who may announce what: reads both sources, joins them, renders the policy, explains refusals",
    { ours: ["lib/net/ip", "lib/base/templates", "templates/policy"], packages: ["valibot"] },
  ),
  pureRoom("lib/net/bgp", "messages of BGP as a monitor reads them, also in records of MRT", {
    ours: ["lib/net/ip"],
  }),
  pureRoom("lib/net/bmp", "the BGP Monitoring Protocol: messages, and the session of a router", {
    ours: ["lib/net/bgp", "lib/net/ip", "lib/base/list"],
  }),
  pureRoom("lib/net/rib", "the current routes of routers, from the messages that a collector receives", {
    ours: ["lib/net/bgp", "lib/net/ip"],
  }),
  pureRoom(
    "lib/net/rpki",
    "validated ROA payloads, origin validation of routes by them; `rtr/`: the protocol of RPKI caches (RTR)",
    { ours: ["lib/net/ip", "lib/net/rib"] },
  ),
  room("lib/measuring/context/disk", "sets of context in a folder", {
    ours: ["lib/measuring/context"],
    packages: ["valibot"],
  }),
  pureRoom(
    "lib/measuring/context",
    "who originates an address, which exchange, place, RPKI state: readers of data files, tables, rules",
    { ours: ["lib/net/ip", "lib/base/list", "lib/measuring/probing", "lib/net/rpki"], packages: ["valibot"] },
  ),
  pureRoom(
    "lib/measuring/formats",
    "results in formats of other programs: warts, RIPE Atlas, Iris, mtr; parts of Parquet and Arrow as one",
    {
      ours: ["lib/net/ip", "lib/base/list", "lib/net/packet"],
      packages: ["valibot"],
    },
  ),
  pureRoom(
    "lib/measuring/discovery",
    "stopping points, flows of a prefix, the next round of MDA, Diamond-Miner and our shared stopping points; " +
      "networks to try them on are in `tests/discovery`: docs/measure/discovery.md",
  ),
  pureRoom(
    "lib/measuring/campaign",
    "recurring measurements: the clock rule, the state machine that plans the next step, the steps of a run, its " +
      "cost; in `notice`, which changes between runs are worth an alert",
    { ours: ["lib/measuring/discovery"], packages: ["croner"] },
  ),
  pureRoom(
    "lib/measuring/experiment",
    "announcements and probes in steps: the file, the plan, sweeps, catchments over rounds, convergence",
    {
      ours: ["lib/base/api", "lib/net/ip", "lib/base/list", "lib/net/packet", "lib/measuring/probing"],
      packages: ["valibot"],
    },
  ),
  pureRoom("lib/base/pages", "the style sheet of the console and of a user's status page"),
  pureRoom(
    "lib/measuring/pictures",
    "pictures as SVG, the same in pages, in files and from commands: a path graph, its layout, charts; " +
      "`markup.ts` is where foreign text becomes markup",
    {
      ours: ["lib/measuring/discovery", "lib/base/list", "lib/net/ip"],
      packages: ["d3-geo", "topojson-client", "world-atlas"],
    },
  ),
];

export const libRooms: readonly Room[] = [
  room("lib/base/disk", "who may read files, whether there is room for more, compressed files", {
    ours: ["pure", "ffi/bzip2.ts"],
  }),
  room("lib/base/terminal", "colour, the live screen, rows and records in four forms", { ours: ["pure"] }),
  room(
    "lib/answers/enrich",
    "what is known about addresses that are shown: the fields that a reader asks for, from sets of context and " +
      "reverse DNS",
    {
      ours: ["pure", "lib/measuring/context/disk", "lib/measuring/paths", "lib/base/terminal"],
      packages: ["valibot"],
    },
  ),
  room("lib/measuring/paths", "what a path is, its hops, lanes and words, and how they are drawn", {
    ours: ["lib/net/ip", "lib/net/packet", "lib/base/terminal"],
  }),
  room("lib/engines/observe", "the log, and the metrics of services", {
    ours: ["pure", "lib/base/disk", "lib/base/terminal"],
    packages: ["prom-client"],
  }),
  room(
    "lib/engines/broker",
    "the port to the broker (`broker.ts`) and its two engines, `embedded` and `kafka`: docs/internals/broker.md",
    { ours: ["pure", "lib/base/disk"], packages: ["kafkajs"] },
  ),
  room("lib/engines/submission", "targets, the spool, and the cutting of probes into records", {
    ours: ["pure", "lib/engines/broker"],
  }),
  room(
    "lib/engines/store",
    "the column store (docs/internals/store.md), and PostgreSQL, embedded or a server (docs/reference/http.md)",
    {
      ours: ["pure", "lib/base/disk", "sql"],
      packages: [
        "postgres",
        "@electric-sql/pglite",
        "@electric-sql/pglite-socket",
        "@clickhouse/client",
        "valibot",
      ],
    },
  ),
  room(
    "lib/engines/config",
    "configuration: files, variables, secrets, defaults, and the sentence for what is wrong with them",
    {
      ours: [
        "pure",
        "lib/engines/broker/broker.ts",
        "lib/engines/broker/broker-options.ts",
        "lib/engines/broker/broker-address.ts",
        "lib/base/terminal",
      ],
      packages: ["valibot", "yaml"],
    },
  ),
  room("lib/engines/auth", "whose a token is; keys of agents, operators and services", {
    ours: ["pure", "lib/base/disk"],
    packages: ["jose"],
  }),
  room(
    "lib/engines/http",
    "what every service does alike: failures, bodies, health, documentation (docs/reference/http.md)",
    {
      ours: ["pure", "lib/engines/auth", "lib/engines/config", "lib/engines/observe", "templates"],
      packages: ["hono", "hono-openapi", "valibot", "@valibot/to-json-schema", "eta", "prom-client"],
    },
  ),
  room(
    "lib/engines/service",
    "the frame of every service: its life (open, listen, signals, drain), its app, what both gateways are configured " +
      "with and ask alike",
    {
      ours: [
        "pure",
        "lib/engines/auth",
        "lib/engines/config",
        "lib/engines/http",
        "lib/engines/observe",
        "lib/base/terminal",
        "package.json",
      ],
      packages: ["hono", "postgres", "prom-client", "valibot"],
    },
  ),
  room(
    "lib/engines/gateway-client",
    "logins of a user, kept and renewed; requests to a gateway, its events, its failures in words",
    { ours: ["pure", "lib/base/terminal"], packages: ["valibot", "openid-client", "eventsource-parser"] },
  ),
  room(
    "lib/engines/sdk",
    "the published SDKs: `typescript` and `python` hold the packages; web standards only: docs/measure/sdk.md",
    { ours: ["lib/engines/gateway-client"] },
  ),
  room(
    "lib/answers/results",
    "results: `view.ts` is what a view is, `views/` are the views, one file each, `result-source.ts` is the port, " +
      "with the column store and a gateway as its engines: docs/measure/results.md",
    {
      ours: [
        "pure",
        "lib/answers/enrich",
        "lib/engines/gateway-client",
        "lib/measuring/paths",
        "lib/engines/store",
        "lib/base/terminal",
      ],
      packages: ["valibot"],
    },
  ),
  room(
    "lib/command/command",
    "the frame of every command: a table each gives parsing, help, completions, docs/reference/command-line.md; " +
      "exit codes; `gateway/` for those that ask a gateway",
    {
      ours: [
        ...[
          "pure",
          "lib/engines/config",
          "lib/measuring/context/disk",
          "lib/base/disk",
          "lib/answers/enrich",
          "lib/engines/gateway-client",
        ],
        ...["lib/engines/submission", "lib/base/terminal", "package.json"],
      ],
      packages: ["valibot"],
    },
  ),
  room(
    "lib/peering/routing-daemon",
    "applies a routing daemon's configuration, and keeps the last good one",
    { ours: ["pure"] },
  ),
  room("lib/peering/bird", "BIRD: its file, its control socket, and its output", {
    ours: ["pure", "lib/peering/routing-daemon"],
  }),
  room("lib/peering/frr", "FRR: its file, its tools, and their output", {
    ours: ["pure", "lib/peering/routing-daemon"],
    packages: ["valibot"],
  }),
  room(
    "lib/command/checkup",
    "the checks of `vantage doctor`: host, network, daemons, services, gateways; a finding each",
    {
      ours: [
        "pure",
        "lib/peering/bird",
        "lib/engines/config",
        "lib/peering/frr",
        "lib/peering/routing-daemon",
        "lib/engines/store",
      ],
    },
  ),
  room("ffi/hotpath/build.ts", "compiles the WebAssembly hot path, before anything else can run", {
    ours: ["ffi/hotpath/memory-layout.ts"],
  }),
  room("ffi", "every native boundary: libc, packet sockets, libpcap, rtnetlink, the WebAssembly hot path", {
    ours: ["lib/net/ip", "lib/net/packet", "lib/net/wire/layout.ts"],
  }),
];
