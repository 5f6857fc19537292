/** The demo's last part: a campaign through client, broker, agents and column store, and what came back. */
import { join } from "node:path";
import type { Internet } from "./internet.ts";
import { Pipeline } from "./pipeline.ts";
import { targetAddress } from "./responder/scenario.ts";
import { anycastPrefix } from "./topology.ts";

/** The client tells how far it is on standard error; here all is one story. */
const standardOutput = 1;
const vantageScript = join(import.meta.dir, "../../apps/vantage.ts");
/** As the command line of the client takes them: east chooses its source, then both sites of the anycast prefix. */
const unicastTargets = "east:10.101.0.9";
const anycastTargets = "east:10.110.0.9";
const kernelTarget = "203.0.113.10";
const anycastTargetIds = [10, 11, 12, 13, 14, 20, 21, 22, 23, 24];

/** True when every command did what it should. */
export async function playPipeline(net: Internet, say: (text: string) => void): Promise<boolean> {
  say("\n── The pipeline: client, broker, agents, column store  (east and west)");
  say(
    "   One platform on this machine (vantage stack), an agent at east (unicast and anycast) and one at west.\n",
  );
  await using pipeline = await Pipeline.start(net);
  const { clientConfig } = pipeline;
  const play = (line: string) => shell(line, clientConfig, say);
  const paths = "11111111-0000-4000-8000-000000000001";
  const anycast = "11111111-0000-4000-8000-000000000002";
  const everyone = anycastTargetIds.map((id) => targetAddress(id).v4).join(" ");
  const results = [
    await play(
      `vantage probes --ttl 1-9 --flows 8 ${kernelTarget} | ` +
        `vantage client --config=client.yaml --wait --measurement-id ${paths} ${unicastTargets}`,
    ),
    await play(`vantage replies -c client.yaml -v paths ${paths}`),
    await play(`vantage replies -c client.yaml -v loss ${paths}`),
    await play(
      `vantage probes --ttl 30 --flows 1 ${everyone} | ` +
        `vantage client --config=client.yaml --wait --measurement-id ${anycast} ${anycastTargets}`,
    ),
    await play(`vantage replies -c client.yaml -v catchment -s ${anycastPrefix.v4} --since 1h`),
  ];
  say("   East asked all of them; whose answer came to west lies in the catchment of west.");
  return results.every((exitCode) => exitCode === 0);
}

/** Shows a command line and runs it, with the names of the text put in place. */
async function shell(line: string, clientConfig: string, say: (text: string) => void): Promise<number> {
  say(`   $ ${line}\n`);
  const vantage = `"${process.execPath}" "${vantageScript}"`;
  const command = line.replaceAll("vantage ", `${vantage} `).replaceAll("client.yaml", `"${clientConfig}"`);
  const child = Bun.spawn(["sh", "-c", command], { stdio: ["ignore", "inherit", standardOutput] });
  const exitCode = await child.exited;
  say("");
  return exitCode;
}
