/** The context lab: its network with BIRD or FRR on every router that speaks BGP, and their dumps of what they hear. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { askFrrJson, type FrrAccess } from "../../../lib/peering/frr/vtysh.ts";
import { Bird, Daemon } from "../../exchange/daemon.ts";
import { until } from "../../exchange/until.ts";
import { run } from "../namespaces.ts";
import { BgpNet } from "./bgp-net.ts";
import { birdText } from "./bird-text.ts";
import { collectors } from "./drawing.ts";
import { allPrefixes, expectedPath } from "./expected-routes.ts";
import { bgpdText } from "./frr-text.ts";
import { found, networkOf } from "./plan.ts";
import { type Speaker, speakers } from "./sessions.ts";

/** Some 30 daemons start at a time; on a busy machine that takes its time. */
const convergenceMsMax = 120_000;
/** A question to FRR is a process: asked more often, the questions would keep the daemons from their work. */
const pollMs = 200;

export class BgpLab implements AsyncDisposable {
  readonly net: BgpNet;
  readonly folder = mkdtempSync(join(tmpdir(), "vantage-context-lab-"));
  readonly #stack = new AsyncDisposableStack();
  readonly #birds = new Map<string, Bird>();
  readonly #frrs = new Map<string, FrrAccess>();

  private constructor(net: BgpNet) {
    this.net = net;
    this.#stack.defer(() => rmSync(this.folder, { recursive: true }));
    this.#stack.use(net);
    // FRR insists on a user of its own, who must get here.
    chmodSync(this.folder, 0o711);
  }

  /** Everybody has the routes that the drawing gives, in the kernel too. */
  static async start(): Promise<BgpLab> {
    const lab = new BgpLab(await BgpNet.start());
    try {
      await Promise.all(speakers().map((speaker) => lab.#startSpeaker(speaker)));
      // Twice: what was right once may be away for a moment while the others still come to their own.
      await Promise.all(speakers().map((speaker) => lab.#converged(speaker)));
      await Promise.all(speakers().map((speaker) => lab.#converged(speaker)));
      return lab;
    } catch (error) {
      await lab[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** A RIB dump in MRT of each collector, written by its daemon. */
  dumps(): Promise<string[]> {
    return Promise.all(
      collectors.map(({ name, daemon }) => (daemon === "bird" ? this.#birdDump(name) : this.#frrDump(name))),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }

  async #startSpeaker(speaker: Speaker): Promise<void> {
    const { name, daemon } = speaker;
    const within = (command: string[]) => this.net.at(name, command);
    if (daemon === "bird") {
      const file = join(this.folder, `${name}.conf`);
      writeFileSync(file, birdText(speaker));
      this.#birds.set(name, this.#stack.use(await Bird.start(name, { folder: this.folder, file, within })));
    } else {
      await this.#startFrr(speaker);
    }
  }

  async #startFrr(speaker: Speaker): Promise<void> {
    const { name, kind } = speaker;
    const folder = join(this.folder, name);
    mkdirSync(folder);
    const [zebraFile, bgpdFile, zserv] = ["zebra.conf", "bgpd.conf", "zserv.api"].map((file) =>
      join(folder, file),
    );
    writeFileSync(found(zebraFile), `hostname ${name}\n`);
    writeFileSync(found(bgpdFile), bgpdText(speaker));
    await run(["chown", "-R", "frr:frr", folder]);
    const places = [
      "-z",
      found(zserv),
      "--vty_socket",
      folder,
      "-u",
      "frr",
      "-g",
      "frr",
      "-P",
      "0",
      "--log",
      "stdout",
    ];
    const start = (program: string, file: string, ...more: string[]) =>
      this.#stack.use(
        new Daemon(
          program,
          folder,
          this.net.at(name, [program, "-f", file, "-i", join(folder, `${program}.pid`), ...places, ...more]),
        ),
      );
    const zebra = start("zebra", found(zebraFile));
    // A bgpd that does not find it looks again after ten seconds only.
    await until(`zebra of ${name}`, () => {
      zebra.mustRun();
      return existsSync(found(zserv));
    });
    const bgpd = start("bgpd", found(bgpdFile), ...(kind === "router" ? [] : ["--no_kernel"]));
    await until(`bgpd of ${name}`, () => {
      bgpd.mustRun();
      return existsSync(join(folder, "bgpd.vty"));
    });
    this.#frrs.set(name, { vtysh: "vtysh", socketFolder: folder });
  }

  /** Waits until the paths of a speaker are those of the drawing. */
  async #converged(speaker: Speaker): Promise<void> {
    const wanted = wantedPaths(speaker);
    await until(
      `the routes of ${speaker.name}`,
      async () => {
        await Bun.sleep(pollMs);
        const paths = await this.#paths(speaker);
        const wrong = wanted.filter((path) => !paths.includes(path));
        if (wrong.length > 0) {
          throw new Error(`without ${wrong.join("; ")}`);
        }
        return true;
      },
      convergenceMsMax,
    );
    if (speaker.kind === "router") {
      await until(`the kernel's routes of ${speaker.name}`, async () => {
        const routes = await run(["ip", "-n", this.net.namespaceOf(speaker.name), "route", "show"]);
        return wanted.every((path) => routes.includes(`${path.split(" ")[0]} `));
      });
    }
  }

  /** `10.1.0.0/16 64496 64497` for each route that a router uses; a collector's are all that it hears. */
  async #paths({ name, kind }: Speaker): Promise<string[]> {
    const isAll = kind === "collector";
    const bird = this.#birds.get(name);
    if (bird !== undefined) {
      return (await bird.routes(isAll ? "" : "primary")).map(({ prefix, path }) => `${prefix} ${path}`);
    }
    const { routes } = (await askFrrJson(found(this.#frrs.get(name)), "show bgp ipv4 unicast")) as FrrTable;
    return Object.entries(routes).flatMap(([prefix, all]) =>
      all.flatMap(({ path, bestpath }) => (isAll || bestpath === true ? [`${prefix} ${path}`] : [])),
    );
  }

  async #birdDump(name: string): Promise<string> {
    const file = join(this.folder, `${name}.mrt`);
    await found(this.#birds.get(name)).ask(`mrt dump table master4 to "${file}"`);
    return file;
  }

  async #frrDump(name: string): Promise<string> {
    const place = found(this.#frrs.get(name));
    const file = join(place.socketFolder, `${name}.mrt`);
    const commands = ["-c", "configure terminal", "-c", `dump bgp routes-mrt ${file}`];
    await run([place.vtysh, "--vty_socket", place.socketFolder, "-d", "bgpd", ...commands]);
    await until(`the dump of ${name}`, () => existsSync(file) && statSync(file).size > 0);
    // bgpd writes a dump in one go: when it answers again, the file is whole.
    await askFrrJson(place, "show bgp ipv4 unicast summary");
    return file;
  }
}

interface FrrTable {
  readonly routes: Readonly<
    Record<string, readonly { readonly path: string; readonly bestpath?: boolean }[]>
  >;
}

/** The best routes of a router, and what each neighbour sends to a collector; a route server waits for nothing. */
function wantedPaths({ name, kind, sessions }: Speaker): string[] {
  const own = networkOf(name);
  const senders = kind === "collector" ? sessions.map((session) => found(networkOf(session.name))) : [];
  return allPrefixes().flatMap((prefix) => {
    const best = own === null ? null : expectedPath(own.name, prefix);
    const heard = senders.flatMap((sender) => {
      const path = expectedPath(sender.name, prefix);
      return path === null ? [] : [[sender.asn, ...path]];
    });
    // A network's own prefix has an empty path.
    const paths = [...(best === null || best.length === 0 ? [] : [best]), ...heard];
    return paths.map((path) => `${prefix} ${path.join(" ")}`);
  });
}
