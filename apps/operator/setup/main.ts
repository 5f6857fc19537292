/** `vantage setup`: configures this machine, as a platform or as an agent, from a few answers. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { printLine } from "../../../lib/base/terminal/output.ts";
import { defineCommand } from "../../../lib/command/command/command.ts";
import { cannot } from "../../../lib/command/command/command-error.ts";
import { type ExitCode, exitCodes } from "../../../lib/command/command/exit-codes.ts";
import { file, folder } from "../../../lib/command/command/kinds.ts";
import { executableOf, executableOption } from "../install-service/executable.ts";
import { agentAuthority } from "./agent-files.ts";
import type { Answers } from "./answers.ts";
import { answersFrom, keptAnswers, sections } from "./answers-files.ts";
import { applySection, checkSection } from "./apply.ts";
import { gatewaysInContainers } from "./compose-files.ts";
import { inContainer } from "./containers.ts";
import { authorityFiles } from "./deploy-files.ts";
import { nextSteps, type Steps } from "./next-steps.ts";

const example = `Answers of a platform; only domain and issuer must be given:
  platform:
    domain: example.net            # probing.example.net and so on
    contact: noc@example.net       # for certificates, and for people who find our packets
    issuer: keycloak               # on this machine; or https://login.example.net/, of any OpenID Connect provider
    audience: vantage              # what that provider writes into tokens
    operators: []                  # subjects (sub) of operators; with keycloak the role vantage-operator does it
    services: systemd              # or containers, all of them by Docker Compose
    database: postgresql           # or embedded
    broker: kafka                  # for agents anywhere; embedded: for agents on this machine
    certificates: public           # Let's Encrypt; local: an authority made here, to try things out
    pool: ["2001:db8:1000::/40"]   # prefixes that users lease; none: no peering gateway
    alerts: https://hooks.example.net/vantage
Those of an agent are made on the platform: vantage setup invite ID. To them you may add interface, ipv4_prefix,
ipv6_prefix, probing_rate and metrics_address.`;

export const command = defineCommand({
  about: `Writes configurations, secrets, units and drop-ins of systemd, and what Caddy, Prometheus, Alertmanager, \
Grafana, Keycloak and Kafka need beside them; then runs vantage doctor, and lists what is left to do. Without \
--answers it takes those of the last run (/etc/vantage/setup-*.yaml), else asks. Run again, it updates what it wrote, \
keeps what you have changed, and makes no secret anew.`,
  subcommands: [
    {
      name: "invite",
      purpose: "on the platform: make the answers of an agent's machine",
      load: () => import("./invite.ts"),
    },
  ],
  options: {
    answers: { kind: file, defaultText: "those of the last run", meaning: "the answers; - = standard input" },
    prefix: {
      kind: folder,
      default: "/",
      meaning: "write below DIR, as a preview; needs no root, and nothing is started or checked",
    },
    check: { flag: true, default: false, meaning: "show what would be written; change nothing" },
    executable: executableOption,
  },
  arguments: {},
  notes: example,
  examples: [
    ["vantage setup", "asks, and sets this machine up"],
    ["vantage setup --answers platform.yaml --check", "what it would write"],
    ["vantage setup --answers platform.yaml --prefix /tmp/preview", "the files themselves, without root"],
    ["vantage setup invite west --grant 192.0.2.7/32 >west.yaml", "for an agent's machine"],
  ],
  exits: {
    ok: "written, and vantage doctor finds nothing wrong",
    failure: "something could not be written",
    usage: "wrong usage, or wrong answers",
    partial: "written, but something fails in vantage doctor: follow the steps that are printed",
  },
  act: async ({ answers: given, prefix: below, check, executable: program }) => {
    const prefix = resolve(below);
    const executable = executableOf(program);
    const answers = await answersFrom({ file: given, prefix });
    const order = { answers, prefix, executable };
    if (check) {
      const lines = sections.flatMap((section) => checkSection(section, order));
      printLine(lines.join("\n"));
      return exitCodes.ok;
    }
    refuseUnusable(prefix, executable);
    return await setUp(order);
  },
});

interface Order {
  readonly answers: Answers;
  readonly prefix: string;
  readonly executable: string;
}

/** Before anything is written. */
function refuseUnusable(prefix: string, executable: string): void {
  if (prefix !== "/") {
    return;
  }
  if (process.getuid?.() !== 0) {
    throw cannot("this needs root: it writes into /etc. To preview the files: --prefix DIR, or --check");
  }
  if (/^\/(root|home|tmp|var\/tmp|run\/user)\//.test(executable)) {
    const next = "install -m 755 vantage libchdb.so /usr/local/bin/, then run vantage setup from there";
    throw cannot(`services cannot start ${executable}, which is hidden from them: ${next}`);
  }
}

async function setUp(order: Order): Promise<ExitCode> {
  const { answers, prefix } = order;
  process.umask(0o077);
  const applied = sections.map((section) => applySection(section, order));
  for (const line of applied.flatMap(({ lines }) => lines)) {
    printLine(line);
  }
  const steps = nextSteps(answers, (path) => !existsSync(join(prefix, path)));
  if (prefix !== "/") {
    printSteps(steps);
    printLine(`\nThese files are a preview: no service reads them below ${prefix}.`);
    return exitCodes.ok;
  }
  // It checks everything that is set up here.
  const kept = sections.map((section) => keptAnswers(prefix, section));
  const all = Object.assign({}, ...kept) as Answers;
  const { text, isFine } = await (isInContainersOnly(all) ? askContainers() : askDoctor(authorityOf(all)));
  if (!isFine || applied.some(({ hasChanged }) => hasChanged)) {
    printSteps(steps);
  }
  printLine(`\nvantage doctor, of this machine now:\n${text}`);
  return isFine ? exitCodes.ok : exitCodes.partial;
}

/** The doctor checks them from inside. */
function isInContainersOnly({ platform, agent }: Answers): boolean {
  return platform?.services === "containers" && agent === undefined;
}

function printSteps(steps: readonly Steps[]): void {
  for (const { heading, lines } of steps) {
    printLine(`\n${heading}:\n${lines.map((line) => `  ${line}`).join("\n")}`);
  }
}

function authorityOf({ platform, agent }: Answers): string | null {
  const own = platform?.certificates === "local" ? authorityFiles.certificate : null;
  return own ?? (agent === undefined ? null : agentAuthority(agent));
}

interface DoctorSays {
  readonly text: string;
  /** Whether nothing fails. */
  readonly isFine: boolean;
}

/** The doctor of each gateway, inside of its container. */
function askContainers(): DoctorSays {
  const all = gatewaysInContainers.map((name): DoctorSays => {
    const { output, errors, failure } = inContainer(name, ["vantage", "doctor"]);
    const said = `${output}${errors}`.trimEnd() || failure;
    return { text: `${name}:\n${said}`, isFine: failure === null };
  });
  return { text: all.map(({ text }) => text).join("\n"), isFine: all.every(({ isFine }) => isFine) };
}

/** `authority`: a file that is trusted besides the public authorities. */
export async function askDoctor(authority: string | null): Promise<DoctorSays> {
  const own = Bun.main.startsWith("/$bunfs/") ? [process.execPath] : [process.execPath, Bun.main];
  const env = authority === null ? process.env : { ...process.env, NODE_EXTRA_CA_CERTS: authority };
  const child = Bun.spawn([...own, "doctor"], { env, stdin: "ignore", stdout: "pipe", stderr: "inherit" });
  const text = await new Response(child.stdout).text();
  return { text: text.trimEnd(), isFine: (await child.exited) === 0 };
}
