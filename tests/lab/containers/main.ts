/**
 * `npm run lab:containers`: the platform, an exchange server, an agent and users by containers alone, on machines made
 * of namespaces with a real Docker, as docs/operate/compose.md has it; then what breaks, and whether it works again.
 *
 * Exits 0 when everything was as it should be, 1 when not, 2 on wrong usage. Needs root; leaves nothing behind but the
 * folder with its parts.
 */
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { writeArchives } from "./archives.ts";
import { playBackup } from "./backup-story.ts";
import { playClient } from "./client-story.ts";
import { killMainProcesses, loseAddress, pullPlugs, withoutPlatform } from "./faults-story.ts";
import { measure, platformWorks } from "./function.ts";
import { playHealth } from "./health-story.ts";
import { buildImages } from "./images.ts";
import { Machine } from "./machine.ts";
import { fetchParts, partsFolderDefault } from "./parts.ts";
import { Place } from "./place.ts";
import { playAgent, playExchange, playPlatform } from "./platform-story.ts";
import { playPodman } from "./podman-story.ts";
import { playInvitedAgent, playPlatformBySetup, setupFiles } from "./setup-story.ts";
import { Stopped, Table } from "./table.ts";

const usage = `Usage: npm run lab:containers -- [options]

  --dir FOLDER         where its parts are kept: an engine, base images, programs, built images; 12 GB
                       (${partsFolderDefault})
  --login-minutes N    how long a user lets the logins wait: 3
  --away-minutes N     how long the platform is off: 6
  --by-setup           the platform by vantage setup, an agent by its invitation, in place of
                       the page's commands; then it is backed up, wiped and restored
  --no-faults          only the way of a user, nothing is broken
  --no-kills           no container's main process is killed, the rest is broken
  --no-archives        without the OCI archives of npm run images
  --help               this text

The first run fetches and builds for some 25 minutes. Needs root, debootstrap, dnsmasq, Go 1.26, Maven and Java.`;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

interface Options {
  readonly dir: string;
  readonly loginMinutes: number;
  readonly awayMinutes: number;
  readonly isBySetup: boolean;
  readonly hasFaults: boolean;
  readonly hasKills: boolean;
  readonly hasArchives: boolean;
}

async function play(options: Options, table: Table): Promise<void> {
  const { dir, loginMinutes, awayMinutes, hasFaults, hasKills, hasArchives } = options;
  const parts = await table.step("parts: an engine, Debian, programs of other images", () =>
    fetchParts(dir, print),
  );
  const builder = new Machine({ name: "builder", lab: dir, engine: parts.engine, network: "host" });
  const images = await table.step("images: ours, and what stands in for others", async () => {
    await using machine = builder;
    await machine.switchOn();
    return await buildImages(machine, dir, parts);
  });
  for (const { name, is, megabytes, seconds } of images) {
    table.figure(`image ${name}: ${megabytes} MB, ${seconds.toFixed(1)} s; ${is}`);
  }
  const archives = hasArchives ? await playArchives(builder, dir, parts.bookwormArm64, table) : null;
  await using place = await table.step("machines: five with an engine, and an upstream", () =>
    Place.start(dir, parts.engine, builder, options.isBySetup ? setupFiles : undefined),
  );
  await (options.isBySetup ? playPlatformBySetup(place, table) : playPlatform(place, table));
  await playExchange(place, table);
  await (options.isBySetup ? playInvitedAgent(place, table) : playAgent(place, table));
  const client = await playClient(place, table, loginMinutes);
  const measured = await table.tryStep("agent: a measurement through the platform", () => measure(place));
  print(measured ?? "");
  await table.tryStep("platform: all of it works", () => platformWorks(place));
  await playPodman(place, table, archives);
  if (options.isBySetup) {
    await playBackup(place, table, client);
  }
  if (hasFaults) {
    await playHealth(place, table);
    const faults = { place, table, client };
    if (hasKills) {
      await killMainProcesses(faults);
    }
    await loseAddress(faults);
    await pullPlugs(faults);
    await withoutPlatform(faults, awayMinutes);
  }
}

/** Resolves to their folder; null where they could not be made. */
async function playArchives(
  builder: Machine,
  dir: string,
  debian: string | null,
  table: Table,
): Promise<string | null> {
  const made = await table.tryStep("images: OCI archives by npm run images", async () => {
    await using machine = builder;
    await machine.switchOn();
    return await writeArchives(machine, dir, debian);
  });
  for (const line of made?.lines ?? []) {
    table.figure(`archive ${line}`);
  }
  return made?.folder ?? null;
}

function optionsOf(args: readonly string[]): Options | null {
  const { values } = parseArgs({
    args: [...args],
    options: {
      dir: { type: "string", default: partsFolderDefault },
      "login-minutes": { type: "string", default: "3" },
      "away-minutes": { type: "string", default: "6" },
      "by-setup": { type: "boolean", default: false },
      "no-faults": { type: "boolean", default: false },
      "no-kills": { type: "boolean", default: false },
      "no-archives": { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const [loginMinutes, awayMinutes] = [Number(values["login-minutes"]), Number(values["away-minutes"])];
  if (!(loginMinutes >= 0 && awayMinutes >= 0)) {
    throw new Error("minutes are numbers");
  }
  return values.help
    ? null
    : {
        dir: values.dir,
        loginMinutes,
        awayMinutes,
        isBySetup: values["by-setup"],
        hasFaults: !values["no-faults"],
        hasKills: !values["no-kills"],
        hasArchives: !values["no-archives"],
      };
}

async function main(args: readonly string[]): Promise<number> {
  let options: Options | null;
  try {
    options = optionsOf(args);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${usage}\n`);
    return 2;
  }
  if (options === null) {
    print(usage);
    return 0;
  }
  if (process.getuid?.() !== 0 || !existsSync("/usr/sbin/debootstrap")) {
    process.stderr.write("Cannot run: needs root, and debootstrap (Debian: debootstrap)\n");
    return 1;
  }
  // What is typed at the machines is in temporary files, which they see below this folder alone.
  process.env.TMPDIR = join(options.dir, "tmp");
  mkdirSync(process.env.TMPDIR, { recursive: true });
  const table = new Table(print);
  try {
    await play(options, table);
  } catch (error) {
    print(error instanceof Error ? error.message : String(error));
    if (!(error instanceof Stopped)) {
      return 1;
    }
  } finally {
    table.printAll();
  }
  return table.failed === 0 ? 0 : 1;
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => process.exit(signal === "SIGINT" ? 130 : 143));
}
process.exitCode = await main(process.argv.slice(2));
