/** `vantage stack`: the one-machine platform, and its parts by themselves. */
import { join } from "node:path";
import { keepFilesPrivate } from "../../lib/base/disk/private-file.ts";
import { printLine } from "../../lib/base/terminal/output.ts";
import { defineCommand, subcommand } from "../../lib/command/command/command.ts";
import { type ExitCode, exitCodes } from "../../lib/command/command/exit-codes.ts";
import { feedPlace } from "../../lib/engines/broker/ingest-feeds.ts";
import { makeFront } from "../../lib/engines/store/clickhouse/front.ts";
import { migrate } from "../../lib/engines/store/clickhouse/migrate.ts";
import { openStore } from "../../lib/engines/store/clickhouse/open.ts";
import { needRoot } from "./exchange/need-root.ts";
import { runIngest } from "./ingest-process.ts";
import { startObserver } from "./observer.ts";
import {
  brokerOption,
  childOption,
  clusterOption,
  directoryDefault,
  directoryOption,
  gatewayUrlOption,
  historyDaysOption,
  issuerUrlOption,
  kafkaBrokersFor,
  kafkaBrokersOption,
  listenOption,
  observerOption,
  peeringOptions,
  peeringUrlOption,
  probingOptions,
  repliesTopicOption,
  storeOption,
  storeOrFileOption,
  ttlDaysOption,
} from "./options.ts";
import { StopRequest } from "./parent.ts";
import { Stack } from "./stack.ts";
import { runStoreProcess } from "./store-process.ts";
import { welcome } from "./welcome.ts";

const exits = { ok: "stopped" } as const;

const store = defineCommand({
  options: { dir: directoryOption, child: childOption },
  arguments: {},
  examples: ["vantage stack store --dir /var/lib/vantage/stack/store"],
  exits,
  act: ({ dir, child }) => privately(() => runStoreProcess(dir, child)),
});

const ingest = defineCommand({
  about: `Replies and submitted probes go to the store, each once; DIR keeps the journal. A login at Kafka comes by \
variables, as VANTAGE_KAFKA__AUTH_PROTOCOL=SASL_SSL (docs/operate/encrypted-links.md).`,
  options: {
    broker: brokerOption,
    store: storeOrFileOption,
    repliesTopic: repliesTopicOption,
    history: {
      flag: true,
      default: true,
      meaning:
        "keep figures of measurements beyond their rows; not for a shard, which has only a part of each",
    },
    dir: directoryOption,
    listen: { ...listenOption, defaultText: "nowhere" },
    child: childOption,
  },
  arguments: {},
  examples: [
    "vantage stack ingest --broker kafka:192.0.2.11:9092 --store @/etc/vantage/store --dir /var/lib/vantage/ingester",
  ],
  exits,
  act: ({ dir: directory, child: hasParent, history: hasHistory, ...order }) =>
    privately(() => runIngest({ ...order, hasHistory, directory, hasParent })),
});

const gateway = defineCommand({
  about: "For development. In production, use vantage probing-gateway.",
  options: {
    broker: brokerOption,
    store: storeOption,
    dir: directoryOption,
    ...probingOptions,
    peeringGateway: { ...peeringUrlOption, meaning: "the peering gateway that logins lead to, too" },
    exchangeStatus: {
      ...peeringUrlOption,
      meaning: "the exchange's policy generator, whose sessions the console shows",
    },
    child: childOption,
  },
  arguments: {},
  examples: ["vantage stack gateway --broker embedded:lab/broker --store chdb:lab/store --dir lab"],
  exits,
  act: ({ dir: directory, child: hasParent, gatewayListen, ...order }) =>
    privately(async () => {
      // Loaded on demand: it is large, and other parts do not need it.
      const { runGateway } = await import("./gateway-process.ts");
      await runGateway({ ...order, directory, hasParent, gateway: gatewayListen });
    }),
});

const peering = defineCommand({
  about: "For development. In production, use vantage peering-gateway.",
  options: {
    dir: directoryOption,
    ...peeringOptions,
    issuer: { ...issuerUrlOption, required: true },
    neighbors: {
      flag: true,
      default: false,
      meaning: "announcement requests may name the upstreams of the stack's exchange",
    },
    child: childOption,
  },
  arguments: {},
  examples: ["vantage stack peering --issuer http://127.0.0.1:8095 --dir lab"],
  exits,
  act: ({ dir: directory, child: hasParent, peeringListen, issuer, neighbors: hasNeighbors }) =>
    privately(async () => {
      const { runPeering } = await import("./peering-process.ts");
      await runPeering({ directory, hasParent, issuer, hasNeighbors, peering: peeringListen });
    }),
});

const exchange = defineCommand({
  about: `For development, as root. In production, use vantage exchange and vantage policy-generator \
(docs/operate/exchange.md). \
Its settings are in DIR/exchange/exchange.yaml; a user's side runs behind a tunnel, in a network namespace of its own.`,
  options: {
    dir: directoryOption,
    broker: {
      kind: brokerOption.kind,
      defaultText: "embedded:DIR/broker",
      meaning: "the broker to which the collector publishes",
    },
    gateway: { ...gatewayUrlOption, required: true },
    peeringGateway: { ...peeringUrlOption, required: true },
    issuer: { ...issuerUrlOption, meaning: "their issuer, where only this machine reaches it" },
    child: childOption,
  },
  arguments: {},
  examples: [
    `vantage stack exchange --dir lab --gateway http://127.0.0.1:8093 \
--peering-gateway http://127.0.0.1:8094`,
  ],
  exits,
  act: ({ dir: directory, broker, child: hasParent, ...urls }) =>
    privately(async () => {
      const { runExchange } = await import("./exchange/exchange-process.ts");
      const order = { ...urls, broker: broker ?? `embedded:${join(directory, "broker")}` };
      await runExchange({ ...order, directory, hasParent });
    }),
});

const migrateStore = defineCommand({
  about: `With --kafka-brokers a server reads replies by itself, at least once, and the ingester leaves them to it. \
With --cluster it holds nothing, and asks the shards, which are made first (docs/internals/store.md).`,
  options: {
    store: storeOrFileOption,
    ttlDays: ttlDaysOption,
    historyDays: historyDaysOption,
    kafkaBrokers: kafkaBrokersOption,
    repliesTopic: repliesTopicOption,
    cluster: clusterOption,
  },
  arguments: {},
  examples: [
    "vantage stack migrate --store http://192.0.2.12:8123 --kafka-brokers 192.0.2.11:9092",
    "vantage stack migrate --store http://192.0.2.20:8123 --cluster vantage",
  ],
  act: ({ store: address, ttlDays, historyDays, kafkaBrokers: brokers, repliesTopic, cluster }) => {
    const kafkaBrokers = kafkaBrokersFor(address, brokers);
    return privately(async () => {
      await using opened = await openStore(address);
      if (cluster !== null) {
        const shards = await makeFront(opened, { cluster });
        printLine(`${opened.address}: the front of ${cluster}, ${shards} shards`);
        return;
      }
      const { group: repliesGroup } = feedPlace("replies", repliesTopic);
      const values = { ttlDays, historyDays, kafkaBrokers, repliesTopic, repliesGroup };
      const { applied, ttlChanged, historyChanged, feedChanged } = await migrate(opened, values);
      const changed = ttlChanged.length === 0 ? "" : `; results are now kept for ${ttlDays} days`;
      const history = historyChanged.length === 0 ? "" : `; the history is now kept for ${historyDays} days`;
      const feeder = kafkaBrokers === "" ? "vantage stack ingest" : "the server itself";
      const fed = feedChanged ? `; replies are now read by ${feeder}` : "";
      printLine(`${opened.address}: ${applied.length} migrations applied${changed}${history}${fed}`);
    });
  },
});

const withGateways = ["gatewayListen", "peeringListen", "issuerPort", "exchange"] as const;

export const command = defineCommand({
  about: `Runs a broker (a durable log in DIR/broker), a column store (ClickHouse in a process of its own, on \
DIR/store), the ingester that takes replies and submitted probes from the one to the other, both gateways \
(PostgreSQL in their processes, on DIR/gateway and DIR/peering-gateway) with an issuer that lets anyone log in \
under any name, and with --exchange an exchange server, until Ctrl-C or SIGTERM. A part that dies is started again. \
Nothing \
listens beyond the loopback and the exchange's tunnel but what --listen, --gateway-listen and --peering-listen say.
Without a command it runs everything; the commands run single parts, on machines of their own.`,
  subcommands: [
    subcommand("store", "the column store alone", store),
    subcommand("ingest", "the ingester alone", ingest),
    subcommand("gateway", "the probing gateway and the issuer alone", gateway),
    subcommand("peering", "the peering gateway alone", peering),
    subcommand("exchange", "an exchange server with its policy generator alone", exchange),
    {
      name: "join",
      purpose: "take the user's end of the tunnel to the stack's exchange",
      load: () => import("./exchange/join.ts"),
    },
    subcommand(
      "migrate",
      "make or update the tables of a ClickHouse server, or of a running chdb:DIR",
      migrateStore,
    ),
  ],
  options: {
    dir: {
      kind: directoryOption.kind,
      defaultText: "/var/lib/vantage/stack, or ~/.local/share/vantage without root",
      meaning: "where everything is kept",
    },
    ttlDays: ttlDaysOption,
    historyDays: historyDaysOption,
    listen: observerOption,
    gateway: {
      flag: true,
      default: true,
      notWith: withGateways,
      meaning: "broker, store and ingester only",
    },
    ...probingOptions,
    ...peeringOptions,
    exchange: {
      flag: true,
      default: false,
      meaning: "an exchange server too, of BIRD, with two upstreams and a collector; needs root",
    },
  },
  arguments: {},
  notes: `The gateways' configuration comes by variables, as VANTAGE_LIMITS__PROBES_PER_DAY=100000 \
(docs/reference/probing-gateway-configuration.md) or VANTAGE_LEASES__POOL=2001:db8:1000::/40 \
(docs/reference/peering-gateway-configuration.md).`,
  examples: [
    ["vantage stack", "keeps the platform running, prints its addresses"],
    ["vantage stack --dir lab --ttl-days 30", "everything in ./lab, results for 30 days"],
    ["vantage stack --dir lab --exchange", "with an exchange, as root: docs/start/first-announcement.md"],
    "vantage login --gateway=http://127.0.0.1:8093",
    ["vantage replies --store chdb:lab/store", "what came back"],
  ],
  exits,
  act: ({ dir, ttlDays, historyDays, listen, gateway: hasGateways, exchange: hasExchange, ...places }) =>
    privately(async () => {
      if (hasExchange) {
        needRoot();
      }
      const directory = dir ?? directoryDefault();
      using stop = new StopRequest(false);
      const { gatewayListen, peeringListen, issuerPort } = places;
      const gateways = hasGateways ? { gateway: gatewayListen, peering: peeringListen, issuerPort } : null;
      const isTerminal = process.stderr.isTTY === true;
      const order = { directory, ttlDays, historyDays, observer: listen, gateways, hasExchange, isTerminal };
      await using stack = await Stack.start(order);
      await using observer = startObserver(stack, listen);
      printLine(welcome(stack, observer.url, gatewayListen));
      await stop.came;
      printLine("stopping");
    }),
});

/** Files that a part makes are its user's alone. */
async function privately(run: () => Promise<void>): Promise<ExitCode> {
  keepFilesPrivate();
  await run();
  return exitCodes.ok;
}
