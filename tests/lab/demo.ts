/**
 * `npm run demo`: makes the Internet of the lab, traces it from two vantage points, runs the measurement pipeline on
 * it, and says what there is to see. With numbers (`npm run demo 1 4`) it plays these scenes only.
 *
 * Exits 0 when every scene did what it should, 1 when not, 2 on a scene that is not there; leaves nothing behind.
 */
import { vantageCommand } from "../run/vantage-command.ts";
import { Internet } from "./internet.ts";
import { playPipeline } from "./pipeline-scene.ts";
import { runWithPrivilege } from "./privilege.ts";
import { type Scene, scenes } from "./scenes.ts";
import { internet as topology } from "./topology.ts";

const traceMsMax = 240_000;

async function playScene(net: Internet, scene: Scene): Promise<boolean> {
  const shown = ["vantage", "trace", ...scene.args];
  say(`\n── ${scenes.indexOf(scene) + 1}/${plays.length}  ${scene.title}  (at ${scene.vantage})`);
  say(`   ${scene.lookAt}`);
  say(`   $ ${shown.join(" ")}\n`);
  const command = [...vantageCommand, ...shown.slice(1)];
  const child = Bun.spawn(net.at(scene.vantage, command), {
    stdio: ["ignore", "inherit", "inherit"],
    timeout: traceMsMax,
    killSignal: "SIGKILL",
  });
  const exitCode = await child.exited;
  const isRight = exitCode === scene.exitCode;
  if (!isRight) {
    process.stderr.write(`Trace ended with exit code ${exitCode} where ${scene.exitCode} was expected\n`);
  }
  return isRight;
}

type Play = (net: Internet) => Promise<boolean>;

/** The traces, then the pipeline: what the numbers on the command line mean, from 1 on. */
const plays: readonly Play[] = [
  ...scenes.map((scene) => (net: Internet) => playScene(net, scene)),
  (net) => playPipeline(net, `${scenes.length + 1}/${scenes.length + 1}`, say),
];

/** All, or those of the given numbers; null when one of them is not there. */
function chosenPlays(numbers: readonly string[]): readonly Play[] | null {
  const chosen = numbers.flatMap((text) => (/^\d+$/.test(text) ? (plays[Number(text) - 1] ?? []) : []));
  if (chosen.length < numbers.length) {
    return null;
  }
  return numbers.length === 0 ? plays : chosen;
}

async function main(): Promise<number> {
  const chosen = chosenPlays(process.argv.slice(2));
  if (chosen === null) {
    process.stderr.write(`Cannot play that scene: give numbers from 1 to ${plays.length}, or none for all\n`);
    return 2;
  }
  const codeFromInside = await runWithPrivilege();
  if (codeFromInside !== null) {
    return codeFromInside;
  }
  const startedAt = performance.now();
  say(
    "This makes a small Internet in network namespaces of this machine, IPv4 and IPv6. Nothing leaves it.\n",
  );
  say(drawing);
  await using net = await Internet.start(topology);
  say(`${topology.nodes.length} nodes are up after ${secondsSince(startedAt)} s.`);
  let failures = 0;
  for (const play of chosen) {
    failures += (await play(net)) ? 0 : 1;
  }
  const outcome = failures === 0 ? "All scenes" : `${chosen.length - failures} of ${chosen.length} scenes`;
  say(`\n${outcome} went as expected, in ${secondsSince(startedAt)} s. The namespaces are removed again.`);
  return failures === 0 ? 0 : 1;
}

const drawing = `  east ─ eastAccess ┐       ┌ up1 ── up2 ┐                    ┌ target   (a Linux host)
                    ├ split ┤            ├ join ─ quiet ─ edge ┤
  west ─ westAccess ┘       └ low1 ─ low2 ┘    (silent)        └ virtual ─ hops and targets played by a program
`;

function secondsSince(startedAt: number): string {
  return ((performance.now() - startedAt) / 1000).toFixed(1);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

// The reader of a pipe has seen enough: end, and clean up on the way.
process.stdout.on("error", () => process.exit(1));
try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
