/** Rooms that apps share. A part of a room comes before it, and what others build on before them. */
import { pureRoom, type Room, room } from "./room.ts";

export const pureRooms: readonly Room[] = [
  pureRoom("lib/ip", "addresses, prefixes", { packages: ["ipaddr.js"] }),
  pureRoom(
    "lib/packet",
    "probes, replies, tags and time codes; what builds and reads whole packets is in `ffi/hotpath`, and beside it, " +
      "for tests, in `tests/packet`",
    { ours: ["lib/ip"] },
  ),
  pureRoom("lib/wire", "Cap'n Proto schemas and codecs, probe lines, the meaning of reply fields", {
    ours: ["lib/ip", "lib/packet"],
  }),
  pureRoom(
    "lib/api",
    "answers of HTTP APIs that two sides share: the service documents them, the reader picks from them and says " +
      "where it takes less; values of their fields",
    { packages: ["valibot"] },
  ),
  pureRoom(
    "lib/failure",
    "failures that somebody acts on: which part, and a closed set of codes; `lib/http/failure-problem.ts` says what " +
      "callers hear of each",
  ),
  pureRoom(
    "lib/probing",
    "the rules: sources, users' prefixes, the life of a measurement, what agents report, destinations; targets' probes",
    { ours: ["lib/api", "lib/ip", "lib/list", "lib/packet"], packages: ["valibot"] },
  ),
  pureRoom(
    "lib/lease",
    "pools of ASNs and /48s, what a lease is; what two users must not do at once is in `sql/postgres/peering`",
    { ours: ["lib/ip"] },
  ),
  pureRoom("lib/list", "a list in parts, a stream of bytes in messages, a computation in short steps"),
  pureRoom("lib/templates", "text from data by Eta templates", { packages: ["eta"] }),
  pureRoom(
    "lib/policy",
    "who may announce what: reads both sources, joins them, renders the policy, explains refusals",
    { ours: ["lib/ip", "lib/templates", "templates/policy"], packages: ["valibot"] },
  ),
  pureRoom("lib/bgp", "messages of BGP as a monitor reads them, also in records of MRT", {
    ours: ["lib/ip"],
  }),
  pureRoom("lib/bmp", "the BGP Monitoring Protocol: messages, and the session of a router", {
    ours: ["lib/bgp", "lib/ip", "lib/list"],
  }),
  pureRoom("lib/rib", "the current routes of routers, from the messages that a collector receives", {
    ours: ["lib/bgp", "lib/ip"],
  }),
  pureRoom(
    "lib/rpki",
    "validated ROA payloads, origin validation of routes by them; `rtr/`: the protocol of RPKI caches (RTR)",
    { ours: ["lib/ip", "lib/rib"] },
  ),
  room("lib/context/disk", "sets of context in a folder", { ours: ["lib/context"], packages: ["valibot"] }),
  pureRoom(
    "lib/context",
    "who originates an address, which exchange, place, RPKI state: readers of data files, tables, rules",
    { ours: ["lib/ip", "lib/list", "lib/probing", "lib/rpki"], packages: ["valibot"] },
  ),
  pureRoom(
    "lib/formats",
    "results in formats of other programs: warts, RIPE Atlas, Iris, mtr; parts of Parquet and Arrow as one",
    {
      ours: ["lib/ip", "lib/list", "lib/packet"],
      packages: ["valibot"],
    },
  ),
  pureRoom(
    "lib/discovery",
    "stopping points, flows of a prefix, the next round of MDA, Diamond-Miner and our shared stopping points; " +
      "networks to try them on are in `tests/discovery`: docs/discovery.md",
  ),
  pureRoom(
    "lib/campaign",
    "recurring measurements: the clock rule, the state machine that plans the next step, the steps of a run, its " +
      "cost; in `notice`, which changes between runs are worth an alert",
    { ours: ["lib/discovery"], packages: ["croner"] },
  ),
  pureRoom(
    "lib/experiment",
    "announcements and probes in steps: the file, the plan, sweeps, catchments over rounds, convergence",
    { ours: ["lib/api", "lib/ip", "lib/list", "lib/packet", "lib/probing"], packages: ["valibot"] },
  ),
  pureRoom(
    "lib/pages",
    "how pages for people look: the style sheet of the console and of a user's status page",
  ),
  pureRoom(
    "lib/pictures",
    "pictures as SVG, the same in pages, in files and from commands: a path graph, its layout, charts; " +
      "`markup.ts` is where foreign text becomes markup",
    {
      ours: ["lib/discovery"],
      packages: ["d3-geo", "topojson-client", "world-atlas"],
    },
  ),
];

export const libRooms: readonly Room[] = [
  room("lib/disk", "who may read files, whether there is room for more, compressed files", {
    ours: ["pure", "ffi/bzip2.ts"],
  }),
  room("lib/terminal", "colour, the live screen, rows and records in four forms", { ours: ["pure"] }),
  room(
    "lib/enrich",
    "what is known about addresses that are shown: the fields that a reader asks for, from sets of context and " +
      "reverse DNS",
    { ours: ["pure", "lib/context/disk", "lib/paths", "lib/terminal"], packages: ["valibot"] },
  ),
  room("lib/paths", "what a path is, its hops, lanes and words, and how they are drawn", {
    ours: ["lib/ip", "lib/packet", "lib/terminal"],
  }),
  room("lib/observe", "the log, and the metrics of services", {
    ours: ["pure", "lib/disk", "lib/terminal"],
    packages: ["prom-client"],
  }),
  room(
    "lib/broker",
    "the port to the broker (`broker.ts`) and its two engines, `embedded` and `kafka`: docs/broker.md",
    { ours: ["pure", "lib/disk"], packages: ["kafkajs"] },
  ),
  room("lib/submission", "targets, the spool, and the cutting of probes into records", {
    ours: ["pure", "lib/broker"],
  }),
  room(
    "lib/store",
    "what is kept: the column store (docs/store.md), and PostgreSQL, embedded or a server (docs/http.md)",
    {
      ours: ["pure", "lib/disk", "sql"],
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
    "lib/config",
    "configuration: files, variables, secrets, defaults, and the sentence for what is wrong with them",
    {
      ours: ["pure", "lib/broker/broker.ts", "lib/broker/broker-options.ts", "lib/terminal"],
      packages: ["valibot", "yaml"],
    },
  ),
  room("lib/auth", "whose a token is; keys of agents, operators and services", {
    ours: ["pure", "lib/disk"],
    packages: ["jose"],
  }),
  room("lib/http", "what every service does alike: failures, bodies, health, documentation (docs/http.md)", {
    ours: ["pure", "lib/auth", "lib/config", "lib/observe", "templates"],
    packages: ["hono", "hono-openapi", "valibot", "@valibot/to-json-schema", "eta", "prom-client"],
  }),
  room(
    "lib/service",
    "the frame of every service: its life (open, listen, signals, drain), its app, what both gateways are configured " +
      "with and ask alike",
    {
      ours: ["pure", "lib/auth", "lib/config", "lib/http", "lib/observe", "lib/terminal", "package.json"],
      packages: ["hono", "postgres", "prom-client", "valibot"],
    },
  ),
  room(
    "lib/gateway-client",
    "logins of a user, kept and renewed; requests to a gateway, its events, its failures in words",
    { ours: ["pure", "lib/terminal"], packages: ["valibot", "openid-client", "eventsource-parser"] },
  ),
  room(
    "lib/sdk",
    "the published SDKs: `typescript` and `python` have what a package needs besides; web standards only: docs/sdk.md",
    { ours: ["lib/gateway-client"] },
  ),
  room(
    "lib/results",
    "results: `view.ts` is what a view is, `views/` are the views, one file each, `result-source.ts` is the port, " +
      "with the column store and a gateway as its engines: docs/results.md",
    {
      ours: ["pure", "lib/enrich", "lib/gateway-client", "lib/paths", "lib/store", "lib/terminal"],
      packages: ["valibot"],
    },
  ),
  room(
    "lib/command",
    "the frame of every command: a table each gives parsing, help, completions, man pages, docs/command-line.md; " +
      "exit codes; `gateway/` for those that ask a gateway",
    {
      ours: [
        ...["pure", "lib/config", "lib/context/disk", "lib/disk", "lib/enrich", "lib/gateway-client"],
        ...["lib/submission", "lib/terminal", "package.json"],
      ],
      packages: ["valibot"],
    },
  ),
  room(
    "lib/routing-daemon",
    "puts a routing daemon's configuration into force, and keeps the last good one",
    { ours: ["pure"] },
  ),
  room("lib/bird", "BIRD: its file, its control socket, and what it says", {
    ours: ["pure", "lib/routing-daemon"],
  }),
  room("lib/frr", "FRR: its file, its tools, and what they say", {
    ours: ["pure", "lib/routing-daemon"],
    packages: ["valibot"],
  }),
  room(
    "lib/checkup",
    "what `vantage doctor` looks at on a machine: host, network, daemons, services, gateways; a finding each",
    { ours: ["pure", "lib/bird", "lib/config", "lib/frr", "lib/routing-daemon", "lib/store"] },
  ),
  room("ffi/hotpath/build.ts", "compiles the WebAssembly hot path, before anything else can run", {
    ours: ["ffi/hotpath/memory-layout.ts"],
  }),
  room("ffi", "every native boundary: libc, packet sockets, libpcap, rtnetlink, the WebAssembly hot path", {
    ours: ["lib/ip", "lib/packet", "lib/wire/layout.ts"],
  }),
];
