/**
 * Plays the first hour from a release archive in an empty folder, and prints how long each step took:
 *
 *     bun tests/first-hour/main.ts ARCHIVE.tar.gz [everybody]
 *
 * With `everybody` the stories of four kinds of users follow (users.ts), for a quarter of an hour.
 * As root; everything happens in network and mount namespaces of its own, and is gone afterwards.
 */
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { run } from "../lab/namespaces.ts";
import { makeLargeFolder } from "../run/large-folder.ts";
import { playFirstHour, type TimedStep } from "./first-hour.ts";
import { playUsers } from "./users.ts";

const [, self = "", given = "", ...words] = process.argv;

/** Namespaces that are made inside are seen by what runs inside, and by nobody else. */
async function enter(archive: string): Promise<number> {
  const command = [process.execPath, self, archive, ...words, "inside"];
  const child = Bun.spawn(["unshare", "--net", "--mount", "--propagation", "private", ...command], {
    stdin: "ignore",
    stdout: "inherit",
    stderr: "inherit",
  });
  return await child.exited;
}

async function play(archive: string): Promise<void> {
  // Names of namespaces, and the lock of a machine's exchange: another run beside this one has its own.
  for (const own of ["/run/netns", "/run/vantage-exchange"]) {
    mkdirSync(own, { recursive: true });
    await run(["mount", "-t", "tmpfs", "tmpfs", own]);
  }
  await run(["ip", "link", "set", "lo", "up"]);
  const folder = makeLargeFolder("vantage-first-hour-");
  try {
    const startedMs = performance.now();
    await run(["tar", "-xzf", archive, "-C", folder]);
    const install = { heading: "Install", commands: "tar -xzf …", elapsedMs: performance.now() - startedMs };
    const [unpacked = ""] = readdirSync(folder);
    const program = join(folder, unpacked, "vantage");
    process.stdout.write(tableOf([install, ...(await playFirstHour([program]))]));
    if (words.includes("everybody")) {
      process.stdout.write(tableOf(await playUsers(program)));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function tableOf(steps: readonly TimedStep[]): string {
  const sum = steps.reduce((total, { elapsedMs }) => total + elapsedMs, 0);
  const all = [...steps, { heading: "Together", commands: "", elapsedMs: sum }];
  const width = Math.max(...all.map(({ heading }) => heading.length));
  const lines = all.map(({ heading, commands, elapsedMs }) => {
    const seconds = (elapsedMs / 1000).toFixed(1).padStart(6);
    return `${seconds} s  ${heading.padEnd(width)}  ${commands}`.trimEnd();
  });
  return `${lines.join("\n")}\n`;
}

if (words.includes("inside")) {
  await play(given);
} else {
  process.exitCode = await enter(resolve(given));
}
