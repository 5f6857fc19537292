/** What the story is played on: machines on one wire, an upstream of the exchange, and the pages' commands. */
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readPage } from "../../docs/page-blocks.ts";
import { PageRun } from "../../docs/page-run.ts";
import { Bird } from "../../exchange/daemon.ts";
import { runToEnd } from "../../run/said.ts";
import { inNamespace, ipBatch } from "../namespaces.ts";
import { copyProject } from "./images.ts";
import { idle, Machine } from "./machine.ts";
import { must } from "./parts.ts";
import { internet, lan, type MachineName, platformAsn, target, upstream } from "./plan.ts";
import { Wire } from "./wire.ts";

const page = "docs/operate/compose.md";
/** Why these are not run as the page has them. */
const notRun = {
  build: "these machines have no Internet; the same command has built the images on one that has",
};
/** Keycloak fills its database in minutes at its first start, on a busy machine in many. */
const blockMsMax = 1_200_000;
/** Machines with a clone; a user has one file. */
const clones = ["platform", "exchange", "agent"] as const;

/** Where a machine needs more than the usual file: lab.yaml is of this laboratory alone. */
const withLab = "compose.yaml:compose.override.yaml:lab.yaml";
const composeFilesOf: Readonly<Partial<Record<MachineName, string>>> = {
  platform: withLab,
  exchange: withLab,
  user: "compose.client.yaml:compose.override.yaml",
};

export class Place implements AsyncDisposable {
  readonly folder: string;
  readonly machines: Readonly<Record<Exclude<MachineName, "upstream">, Machine>>;
  readonly upstream: Bird;
  readonly #wire: Wire;
  readonly #owned: AsyncDisposableStack;
  readonly #builder: Machine;
  readonly #composeFilesOf: typeof composeFilesOf;

  private constructor(parts: {
    folder: string;
    wire: Wire;
    machines: Place["machines"];
    upstream: Bird;
    owned: AsyncDisposableStack;
    platformFiles: string;
    builder: Machine;
  }) {
    this.folder = parts.folder;
    this.machines = parts.machines;
    this.upstream = parts.upstream;
    this.#wire = parts.wire;
    this.#owned = parts.owned;
    this.#builder = parts.builder;
    this.#composeFilesOf = { ...composeFilesOf, platform: parts.platformFiles };
  }

  /** All are on, with the builder's images. `platformFiles`: what Compose reads on the platform's machine. */
  static async start(
    folder: string,
    engine: string,
    builder: Machine,
    platformFiles = withLab,
  ): Promise<Place> {
    await using owned = new AsyncDisposableStack();
    owned.defer(() => emptyFolder(folder));
    emptyFolder(folder);
    for (const part of ["clones", "tmp"]) {
      mkdirSync(join(folder, part));
    }
    const wire = owned.use(await Wire.start(join(folder, "tmp")));
    const on = async (name: Exclude<MachineName, "upstream">, command?: readonly string[]) => {
      const network = { namespace: wire.namespace(name), nameserver: internet };
      const machine = new Machine({ name, lab: folder, engine, network, ...(command && { command }) });
      owned.use(machine);
      await wire.plug(name);
      if (command === undefined) {
        await machine.takeImages(builder);
      }
      await machine.switchOn();
      return machine;
    };
    const machines = {
      platform: await on("platform"),
      exchange: await on("exchange"),
      user: await on("user"),
      agent: await on("agent"),
      second: await on("second", idle),
    };
    const far = owned.use(await startUpstream(wire, join(folder, "tmp")));
    const place = new Place({
      folder,
      wire,
      machines,
      upstream: far,
      owned: owned.move(),
      platformFiles,
      builder,
    });
    await place.#prepare();
    return place;
  }

  /** Where a machine's reader stands. */
  home(name: MachineName): string {
    return join(this.folder, "clones", name);
  }

  /** The page's commands below a heading, at one machine; those for the platform there. */
  page(name: MachineName, heading: string, holds: readonly string[] = []): PageRun {
    const blocks = readPage(page).filter((block) => block.heading === heading);
    const isMarked = blocks.some(({ words }) => words.has("not-run"));
    const at = (machine: Exclude<MachineName, "upstream">) => ({
      folder: this.home(machine),
      within: (command: readonly string[]) => this.machines[machine].enter(command, this.home(machine)),
      environment: {
        HOME: "/root",
        EDITOR: `sh ${join(this.folder, "edit.sh")} ${join(this.folder, "answers", machine)}`,
        CURL_CA_BUNDLE: join(this.home("platform"), "try.crt"),
        ...(this.#composeFilesOf[machine] === undefined
          ? {}
          : { COMPOSE_FILE: this.#composeFilesOf[machine] }),
      },
    });
    const own = name === "upstream" ? "user" : name;
    const scenes = { here: at(own), platform: at("platform") };
    return PageRun.of(blocks, { scenes, holds, blockMsMax, ...(isMarked ? { notRun } : {}) });
  }

  /** A command at a machine, in the folder of its reader. */
  at(name: Exclude<MachineName, "upstream">, command: readonly string[] | string): Promise<string> {
    return this.machines[name].run(command, this.home(name));
  }

  /** Whatever its exit code is. */
  tried(name: Exclude<MachineName, "upstream">, command: string) {
    return this.machines[name].tried(command, this.home(name));
  }

  /** A new disk, on which Docker has the images and nothing runs. */
  async wipe(name: Exclude<MachineName, "upstream">): Promise<void> {
    await this.machines[name].wipe(this.#builder);
    await this.#wire.plug(name);
    await this.machines[name].switchOn();
  }

  /** As a cold start after the plug was pulled, with what the page's unit of systemd runs then. */
  async restart(name: Exclude<MachineName, "upstream">): Promise<void> {
    await this.#wire.plug(name);
    await this.machines[name].switchOn();
    const files = this.#composeFilesOf[name];
    const own = files === undefined ? "" : `env COMPOSE_FILE=${files} `;
    await this.at(name, `${own}docker compose up --detach`);
  }

  /** Whether an address behind the exchange answers the upstream. */
  async isReached(address: string): Promise<boolean> {
    const ping = ["ping", "-6", "-c", "1", "-W", "1", "-I", upstream.address, address];
    const { exitCode } = await runToEnd(inNamespace(this.#wire.namespace("upstream"), ping));
    return exitCode === 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#owned.disposeAsync();
  }

  /** Clones, the user's file, and what a reader types into the editor. */
  async #prepare(): Promise<void> {
    const { folder } = this;
    for (const name of clones) {
      await copyProject(this.home(name));
      rmSync(join(this.home(name), ".env"));
      const answers = join(folder, "answers", name);
      mkdirSync(answers, { recursive: true });
      const example = readFileSync(join(this.home(name), "deploy/compose.env.example"), "utf8");
      const feed = `http://${internet}:8000/vrps.json`;
      const env = example
        .replace(/^COMPOSE_PROFILES=.*/m, `COMPOSE_PROFILES=${name}`)
        .replace(/^PLATFORM_ASN=.*/m, `PLATFORM_ASN=${platformAsn}`)
        .replace(/^RPKI_FEED=.*/m, `RPKI_FEED=${feed}`);
      writeFileSync(join(answers, ".env"), env);
      const settings = readFileSync(join(this.home(name), "deploy/exchange/exchange.yaml"), "utf8");
      writeFileSync(join(answers, "exchange.yaml"), settings.replace("asn: 64496", `asn: ${upstream.asn}`));
    }
    // No right to raise this limit here.
    writeFileSync(
      join(this.home("platform"), "lab.yaml"),
      `services:
  clickhouse: { ulimits: { nofile: 20000 } }
  peering-gateway: { environment: { VANTAGE_LEASES__PER_USER_MAX: "2" } }
`,
    );
    // Sessions break here more often than an exchange lets a prefix change.
    const generators = ["policy-generator", "policy-standby"];
    const burst = (name: string) =>
      `  ${name}: { environment: { VANTAGE_POLICY_BUDGET__PREFIX_BURST: "50" } }\n`;
    writeFileSync(join(this.home("exchange"), "lab.yaml"), `services:\n${generators.map(burst).join("")}`);
    mkdirSync(this.home("user"));
    mkdirSync(this.home("second"));
    for (const name of ["user", "second"] as const) {
      cpSync(
        join(this.home("platform"), "compose.client.yaml"),
        join(this.home(name), "compose.client.yaml"),
      );
    }
    const edit =
      'from=$1; shift\nfor file; do a=$from/$(basename "$file"); if [ -e "$a" ]; then cp "$a" "$file"; fi; done\n';
    writeFileSync(join(folder, "edit.sh"), edit);
    await must([
      process.execPath,
      "build",
      "--target=bun",
      join(import.meta.dirname, "person.ts"),
      `--outfile=${join(folder, "person.js")}`,
    ]);
    cpSync(process.execPath, join(folder, "bun"));
    chmodSync(join(folder, "bun"), 0o755);
  }
}

/** What a run leaves besides the parts and the builder's images. */
function emptyFolder(folder: string): void {
  const machines = ["platform", "exchange", "user", "agent", "second"].map((name) => join("machines", name));
  for (const part of ["clones", "answers", "tmp", ...machines]) {
    rmSync(join(folder, part), { recursive: true, force: true });
  }
}

async function startUpstream(wire: Wire, folder: string): Promise<Bird> {
  await wire.plug("upstream");
  const at = wire.namespace("upstream");
  await ipBatch([`addr add ${upstream.address}/128 dev lo`, `addr add ${target}/32 dev lo`], "-n", at);
  const file = join(folder, "upstream.conf");
  const lines = [
    "log stderr all;",
    "router id 192.0.2.6;",
    "protocol device {}",
    "protocol kernel { ipv6 { import none; export where source = RTS_BGP; }; }",
    `protocol static { ipv6; route ${upstream.network} unreachable; }`,
    `protocol bgp exchange { local ${lan.upstream} as ${upstream.asn}; neighbor ${lan.exchange} as ${platformAsn};`,
    "  connect delay time 2; connect retry time 5; error wait time 1, 5;",
    "  ipv6 { import all; export where source = RTS_STATIC; next hop self; }; }",
  ];
  writeFileSync(file, `${lines.join("\n")}\n`);
  return Bird.start("upstream", { folder, file, within: (command) => inNamespace(at, command) });
}
