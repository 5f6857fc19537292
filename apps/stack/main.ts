/** `vantage stack`: the one-machine platform, and its parts by themselves. */
import { defineCommand, subcommand } from "../../lib/command/command.ts";
import { type ExitCode, exitCodes } from "../../lib/command/exit-codes.ts";
import { keepFilesPrivate } from "../../lib/disk/private-file.ts";
import { migrate } from "../../lib/store/clickhouse/migrate.ts";
import { openStore } from "../../lib/store/clickhouse/open.ts";
import { printErrorLine, printLine } from "../../lib/terminal/output.ts";
import { repliesTopic } from "../../lib/wire/target-header.ts";
import { groups } from "./ingest/groups.ts";
import { runIngest } from "./ingest-process.ts";
import { startObserver } from "./observer.ts";
import {
  brokerOption,
  childOption,
  directoryDefault,
  directoryOption,
  gatewayOptions,
  kafkaBrokersFor,
  kafkaBrokersOption,
  listenOption,
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
  examples: ["vantage stack store --dir /var/lib/vantage/store"],
  exits,
  act: ({ dir, child }) => privately(() => runStoreProcess(dir, child)),
});

const ingest = defineCommand({
  about: `Replies and submitted probes go to the store, each once; DIR keeps the journal. A login at Kafka comes by \
variables, as VANTAGE_KAFKA__AUTH_PROTOCOL=SASL_SSL (docs/broker.md).`,
  options: {
    broker: brokerOption,
    store: storeOrFileOption,
    dir: directoryOption,
    listen: { ...listenOption, defaultText: "nowhere" },
    child: childOption,
  },
  arguments: {},
  examples: [
    "vantage stack ingest --broker kafka:192.0.2.11:9092 --store @/etc/vantage/store --dir /var/lib/vantage",
  ],
  exits,
  act: ({ dir: directory, child: hasParent, ...order }) =>
    privately(() => runIngest({ ...order, directory, hasParent })),
});

const gateway = defineCommand({
  about: "For development. In earnest, use vantage probing-gateway.",
  options: {
    broker: brokerOption,
    store: storeOption,
    dir: directoryOption,
    ...gatewayOptions,
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

const migrateStore = defineCommand({
  about: `With --kafka-brokers a server reads replies by itself, at least once, and the ingester leaves them to it.`,
  options: { store: storeOrFileOption, ttlDays: ttlDaysOption, kafkaBrokers: kafkaBrokersOption },
  arguments: {},
  examples: ["vantage stack migrate --store http://192.0.2.12:8123 --kafka-brokers 192.0.2.11:9092"],
  act: ({ store: address, ttlDays, kafkaBrokers: brokers }) => {
    const kafkaBrokers = kafkaBrokersFor(address, brokers);
    return privately(async () => {
      await using opened = await openStore(address);
      const values = { ttlDays, kafkaBrokers, repliesTopic, repliesGroup: groups.replies };
      const { applied, ttlChanged, feedChanged } = await migrate(opened, values);
      const changed = ttlChanged.length === 0 ? "" : `; results are now kept for ${ttlDays} days`;
      const feeder = kafkaBrokers === "" ? "vantage stack ingest" : "the server itself";
      const fed = feedChanged ? `; replies are now read by ${feeder}` : "";
      printLine(`${opened.address}: ${applied.length} migrations applied${changed}${fed}`);
    });
  },
});

export const command = defineCommand({
  about: `Runs a broker (a durable log in DIR/broker), a column store (ClickHouse in a process of its own, on \
DIR/store), the ingester that takes replies and submitted probes from the one to the other, and the probing \
gateway (PostgreSQL in its process, on DIR/gateway) with an issuer that lets anybody log in as anybody, until \
Ctrl-C or SIGTERM. A part that dies is started again. Nothing listens beyond the loopback but what --listen \
and --gateway-listen say.
By itself it is the whole; its commands are parts, for machines of their own.`,
  subcommands: [
    subcommand("store", "the column store alone", store),
    subcommand("ingest", "the ingester alone", ingest),
    subcommand("gateway", "the gateway and the issuer alone", gateway),
    subcommand(
      "migrate",
      "make or update the tables of a ClickHouse server, or of a running chdb:DIR",
      migrateStore,
    ),
  ],
  options: {
    dir: {
      kind: directoryOption.kind,
      defaultText: "/var/lib/vantage, or ~/.local/share/vantage without root",
      meaning: "where everything is kept",
    },
    ttlDays: ttlDaysOption,
    listen: {
      ...listenOption,
      default: { hostname: "127.0.0.1", port: 8090 },
      defaultText: "127.0.0.1:8090",
    },
    gateway: {
      flag: true,
      default: true,
      notWith: ["gatewayListen", "issuerPort"],
      meaning: "broker, store and ingester only",
    },
    ...gatewayOptions,
  },
  arguments: {},
  notes: `The gateway's configuration comes by variables, as VANTAGE_LIMITS__PROBES_PER_DAY=100000 \
(docs/probing-gateway-configuration.md).`,
  examples: [
    ["vantage stack", "keeps the platform running, prints its addresses"],
    ["vantage stack --dir lab --ttl-days 30", "everything in ./lab, results for 30 days"],
    "vantage login --gateway=http://127.0.0.1:8091",
    ["vantage replies --store chdb:lab/store", "what came back"],
  ],
  exits,
  act: ({ dir, ttlDays, listen, gateway: hasGateway, gatewayListen, issuerPort }) =>
    privately(async () => {
      const directory = dir ?? directoryDefault();
      using stop = new StopRequest(false);
      const place = hasGateway ? { gateway: gatewayListen, issuerPort } : null;
      await using stack = await Stack.start({ directory, ttlDays, gateway: place, say: printErrorLine });
      await using observer = startObserver(stack, listen);
      printLine(welcome(stack, directory, observer.url));
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
