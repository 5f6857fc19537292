/** `vantage bootstrap`: a user's side of the exchange, and the commands to whoever runs it. */
import { parseCommandLine } from "../../lib/config/command-line.ts";
import { failedBy, readConfigSource } from "../../lib/config/config-source.ts";
import { helpText } from "../../lib/config/help-text.ts";
import type { YamlSource } from "../../lib/config/yaml-file.ts";
import { GatewayError } from "../../lib/gateway-client/gateway-error.ts";
import { serveSocket } from "../../lib/http/serve-socket.ts";
import type { Logger } from "../../lib/observe/log.ts";
import { runService } from "../../lib/service/run-service.ts";
import { paletteFor } from "../../lib/terminal/colour.ts";
import { visible } from "../../lib/terminal/foreign-text.ts";
import { printErrorLine, printLine } from "../../lib/terminal/output.ts";
import { type Format, RowsOutput } from "../../lib/terminal/rows-output.ts";
import { askStatus, giveOrder } from "./ask-service.ts";
import { type BootstrapConfig, type DaemonKind, readBootstrapConfig, readStateFolder } from "./config.ts";
import { disagreements, leasesAtGateway } from "./leases.ts";
import { type Command, commandOf, options } from "./options.ts";
import { renderOnce } from "./render-once.ts";
import { controlSocketIn, followChanges, makeService } from "./service.ts";
import type { StatusBody } from "./status/bodies.ts";
import { statusColumns, statusRows } from "./status/status-rows.ts";

export { options, words } from "./options.ts";

const exitCodes = { ok: 0, failure: 1, usage: 2 } as const;
const name = "bootstrap";

const clocks = { nowMs: () => Date.now(), elapsedMs: () => performance.now() };

/** Runs the command with the arguments behind its name; resolves to the exit code. */
export async function run(args: string[]): Promise<number> {
  const parsed = parseCommandLine<typeof options, Command>(args, { options, check: commandOf });
  if (parsed.kind === "help") {
    printLine(helpText({ name, purpose: "join the exchange as a user", usage, options, more }));
    return exitCodes.ok;
  }
  if (parsed.kind === "wrong") {
    printErrorLine(`vantage ${name}: ${parsed.message} (see: vantage ${name} --help)`);
    return exitCodes.usage;
  }
  const { config: path } = parsed.options;
  try {
    return await execute(parsed.options, readConfigSource(path));
  } catch (error) {
    const code = failedBy(name, error);
    if (code === exitCodes.usage && path === null) {
      printErrorLine(
        `vantage ${name}: give --config FILE, or its keys as variables: ${platformVariable}=64500`,
      );
    }
    return code;
  }
}

const platformVariable = "VANTAGE_BOOTSTRAP_PLATFORM__ASN";

const usage = "run|check|render|status, or announce|withdraw PREFIX, or prepend PREFIX COUNT";
const more = `USER_ASN is the ASN that the gateway gave you. USER_PREFIXES is what you announce: nothing (receive
only), a /48, or several with commas. Keys of the configuration, each of which is a variable too:
docs/bootstrap-configuration.md.

Examples
  USER_ASN=65001 vantage bootstrap check -c bootstrap.yaml
  USER_ASN=65001 USER_PREFIXES=2001:db8:1::/48 vantage bootstrap run -c bootstrap.yaml
  vantage bootstrap withdraw 2001:db8:1::/48 --exchange ixp-fra

Exit codes: 0 good, 1 failure, or something is not good, 2 wrong usage, environment or configuration.`;

/** Who only speaks to the service needs its folder alone: who the user is, the service knows. */
function execute(command: Command, source: YamlSource): Promise<number> {
  const config = () => readBootstrapConfig(source, process.env);
  switch (command.kind) {
    case "run":
      return runUntilSignal(config());
    case "check":
      return check(config());
    case "render":
      return render(config(), command.daemon);
    case "order":
      return order(readStateFolder(source, process.env), command);
    case "status":
      return status(readStateFolder(source, process.env), command.format);
  }
}

async function runUntilSignal(config: BootstrapConfig): Promise<number> {
  await runService({
    name,
    warnings: [],
    open: async (log, owned) => {
      await compare(config, log);
      const { client, app, control } = makeService(config, { log, ...clocks });
      await client.parts.state.read();
      owned.use(serveSocket((request) => control.fetch(request), controlSocketIn(config.stateFolder)));
      return {
        fetch: (request, connection) => app.fetch(request, connection),
        listen: config.listen,
        work: (stop) => followChanges(client, stop),
        stays: "the sessions stay as they are",
      };
    },
  });
  return exitCodes.ok;
}

/** Rejects with what keeps the user out for sure; the rest is for the log. */
async function compare(config: BootstrapConfig, log: Logger): Promise<void> {
  const complaints = await complaintsOf(config).catch((error: unknown) => {
    // What was known of leases is enough to go on; a gateway that is away must not keep a user out.
    if (error instanceof GatewayError && error.status === null) {
      log.warn("Cannot ask the gateway yet", { error });
      return [];
    }
    throw error;
  });
  const wrongAsn = complaints.find((line) => line.startsWith("USER_ASN"));
  if (wrongAsn !== undefined) {
    throw new Error(wrongAsn);
  }
  for (const text of complaints) {
    log.warn("Not as the gateway has it", { text });
  }
}

async function complaintsOf({ gateway, user }: BootstrapConfig): Promise<string[]> {
  return gateway === null ? [] : disagreements(user, await leasesAtGateway(gateway), Date.now());
}

async function check(config: BootstrapConfig): Promise<number> {
  const complaints = await complaintsOf(config);
  for (const text of complaints) {
    printLine(`BAD   ${text}`);
  }
  if (complaints.length === 0) {
    const asked = config.gateway === null ? "; no gateway was asked" : ", as the gateway has it";
    const { asn, prefixes } = config.user;
    printLine(`good  AS${asn} with ${prefixes.join(", ") || "no prefix (receive only)"}${asked}`);
  }
  return complaints.length === 0 ? exitCodes.ok : exitCodes.failure;
}

async function render(config: BootstrapConfig, daemon: DaemonKind | null): Promise<number> {
  printLine((await renderOnce(config, daemon ?? config.daemon.kind)).trimEnd());
  return exitCodes.ok;
}

async function order(stateFolder: string, { order }: Command & { kind: "order" }): Promise<number> {
  show(await giveOrder(stateFolder, order), "table");
  return exitCodes.ok;
}

async function status(stateFolder: string, format: Format): Promise<number> {
  const body = await askStatus(stateFolder);
  show(body, format);
  for (const { text, advice } of body.problems) {
    printErrorLine(`vantage ${name}: ${visible(text)}. ${visible(advice)}`);
  }
  return body.problems.length === 0 ? exitCodes.ok : exitCodes.failure;
}

function show(body: StatusBody, format: Format): void {
  const { dim } = paletteFor(process.stdout.isTTY === true, process.env.NO_COLOR);
  const output = new RowsOutput({ columns: statusColumns, format, print: printLine, dim });
  for (const row of statusRows(body)) {
    output.add(row);
  }
  output.finish();
}
