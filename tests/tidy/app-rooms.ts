/** Rooms with commands: a folder each. A part of a room comes before it. */
import { type Room, room } from "./room.ts";

export const appRooms: readonly Room[] = [
  room(
    "apps/vantage.ts",
    "the one executable; `apps/commands.ts` is the table of its commands, each loaded when it is called",
    { ours: ["lib", "apps"] },
  ),
  room("apps/commands.ts", "the table of the commands", { ours: ["lib", "apps", "package.json"] }),
  room("apps/upkeep-commands.ts", "commands that maintain installed services", {
    ours: ["lib", "apps"],
  }),
  room("apps/command-groups.ts", "under which headings `vantage --help` shows them", { ours: ["lib"] }),
  room("apps/version.ts", "`vantage version`", { ours: ["lib", "package.json"] }),
  room("apps/completions.ts", "`vantage completions`: for shells, from the same table", { ours: ["lib"] }),
  room(
    "apps/probing/agent/engine",
    "the probe engine: senders, receivers, what is shared between their threads",
    {
      ours: ["lib", "ffi"],
    },
  ),
  room(
    "apps/probing/agent",
    "`vantage agent` around the engine: `config`, `consume` (broker to rings), `produce` (rings to broker), " +
      "`gateway` (its client), `host` (limits and pause of its host), `observe`, `privileges` (as whom it runs)",
    { ours: ["lib", "ffi", "apps/probing/agent/engine"], packages: ["prom-client", "valibot"] },
  ),
  room("apps/user/trace", "`vantage trace` and `vantage ping`: from here, or by agents of a gateway", {
    ours: ["lib", "ffi", "apps/probing/agent/engine"],
  }),
  room("apps/user/probes", "`vantage probes`: makes probe lines", { ours: ["lib"] }),
  room(
    "apps/probing/campaigns",
    "campaigns: the port to their journal (`journal.ts`) and its engine, a gateway's database; what " +
      "takes their steps; `discovery`, the rounds of those that discover; their routes",
    { ours: ["lib"], packages: ["hono", "hono-openapi", "valibot", "postgres", "nodemailer"] },
  ),
  room(
    "apps/probing/ingester",
    "from the broker into the column store, in batches, each exactly once: where no ClickHouse server reads the " +
      "broker itself",
    { ours: ["lib"] },
  ),
  room(
    "apps/probing/gateway",
    "`vantage probing-gateway`: `submit` (bodies to the spool to the broker), `measurements`, `users`, `agents`, " +
      "`admin`, `safety`, `public`, `reads`, `sql`, `tokens`, `sharing`: docs/operate/probing-gateway.md",
    {
      ours: [
        "lib",
        "ffi",
        "apps/probing/campaigns",
        "apps/console",
        "sql/postgres/probing",
        "templates/pages",
        "package.json",
      ],
      packages: ["hono", "hono-openapi", "valibot", "postgres", "prom-client", "eta"],
    },
  ),
  room(
    "apps/console/client",
    "the script of the console's pages: runs in browsers, with types of its own (`tsconfig.json`)",
    { packages: ["uplot"] },
  ),
  room(
    "apps/console",
    "the console: pages over the APIs, which gateways serve; `page.ts` explains how to add one",
    {
      ours: ["lib"],
      packages: ["hono", "valibot", "openid-client", "postgres", "uplot"],
    },
  ),
  room(
    "apps/user/client",
    "the user's commands: `vantage client` (probe lines to the broker), `replies` (from store or gateway), those of " +
      "`gateway/`, `campaign/`, `discover/`, `experiment/`, `token/`, `share/`, `peering/`",
    { ours: ["lib", "apps/probing/campaigns", "apps/peering/bootstrap"], packages: ["valibot", "yaml"] },
  ),
  room(
    "apps/peering/gateway",
    "`vantage peering-gateway`: `users`, `leases`, `pools`, `rpki`, `service` (for generators), `email`, `subjects`, " +
      "`admin`: docs/operate/peering-gateway.md",
    {
      ours: ["lib", "sql/postgres/peering", "package.json"],
      packages: ["hono", "hono-openapi", "valibot", "postgres", "prom-client", "jose"],
    },
  ),
  room(
    "apps/peering/generator",
    "on an exchange server: from leases and VPN devices to routing policy, in time: docs/operate/policy-generator.md",
    { ours: ["lib", "package.json"], packages: ["hono", "prom-client", "valibot"] },
  ),
  room(
    "apps/peering/collector",
    "`vantage collector`: receives routes by BMP and MRT files, keeps the live table: docs/operate/collector.md",
    { ours: ["lib", "package.json"], packages: ["hono", "prom-client", "valibot"] },
  ),
  room(
    "apps/peering/exchange",
    "`vantage exchange`: an exchange server's whole configuration, its check, its state: docs/operate/exchange.md",
    { ours: ["lib", "templates/bird", "templates/headscale"], packages: ["valibot"] },
  ),
  room(
    "apps/peering/bootstrap",
    "`vantage bootstrap`: a user's side: exchange servers out of the VPN, the daemon's configuration, the status " +
      "page: docs/announce/bootstrap.md",
    {
      ours: ["lib", "templates/bird", "templates/frr", "templates/pages", "package.json"],
      packages: ["hono", "valibot", "prom-client", "eta"],
    },
  ),
  room("apps/operator/admin", "`vantage admin`: what operators do at both gateways, by their admin APIs", {
    ours: ["lib"],
    packages: ["valibot"],
  }),
  room("apps/user/mcp", "`vantage mcp`: the SDK as tools of a language model: docs/measure/sdk.md", {
    ours: ["lib", "package.json"],
    packages: ["@modelcontextprotocol/server", "@valibot/to-json-schema", "valibot"],
  }),
  room(
    "apps/user/routes",
    "`vantage routes`: BGP routes, from files and from a collector: docs/measure/routes.md",
    {
      ours: ["lib"],
    },
  ),
  room(
    "apps/user/context",
    "`vantage context`: data files to sets of context by day, lookups: docs/measure/context.md",
    {
      ours: ["lib"],
    },
  ),
  room(
    "apps/stack",
    "`vantage stack`: broker, store, identity provider, both gateways and an exchange on one machine, to try it",
    {
      ours: ["lib", "ffi", "apps", "templates/pages"],
      packages: ["prom-client", "oidc-provider", "jose", "eta"],
    },
  ),
  room("apps/operator/doctor", "`vantage doctor`: lists the checks that apps export (`checkup`)", {
    ours: ["lib", "ffi", "apps"],
  }),
  room(
    "apps/operator/backup",
    "`vantage backup` and `restore`: everything that a machine keeps, into a folder and back: docs/operate/backup.md",
    { ours: ["lib", "apps", "package.json"], packages: ["valibot", "postgres", "jose"] },
  ),
  room(
    "apps/operator/upgrade",
    "`vantage upgrade --check`: the migrations that are to come: docs/operate/upgrade.md",
    {
      ours: ["lib", "apps/operator/backup", "package.json"],
    },
  ),
  room("apps/operator/health", "`vantage health`: checks a service, for supervisors", {
    ours: ["lib"],
  }),
  room(
    "apps/operator/setup",
    "`vantage setup`: configures a machine as a platform or an agent, from a few answers and the files of `deploy`: " +
      "docs/operate/from-the-archive.md",
    {
      ours: ["lib", "apps/operator/install-service", "deploy", "compose.yaml"],
      packages: ["valibot", "yaml"],
    },
  ),
  room(
    "apps/operator/install-service",
    "`vantage install-service`: units of systemd, and their users: docs/operate/services.md",
    {
      ours: ["lib"],
    },
  ),
];
