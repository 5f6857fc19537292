/** A small discovery of a test, over HTTP and by the command. */
import { expect } from "bun:test";
import { vantageCommand } from "../../run/vantage-command.ts";
import { eventually } from "../probing-gateway/measurement-helpers.ts";
import { discoveryUser } from "./discovery-network.ts";

export const askedDiscovery = {
  agents: "west",
  targets: ["203.0.113.0/24"],
  ttl: "1-6",
  discover: { strategy: "diamond-miner", settle: 1, router_rate: 1000, probes_max: 3000 },
};

const common = ["--ttl", "1-6", "--settle", "1", "--router-rate", "1000", "--probes-max", "3000"];
export const commandOrder = [
  "-a",
  "west",
  "--targets",
  "203.0.113.0/24",
  "--strategy",
  "diamond-miner",
  ...common,
];

export function ran(url: string, ...args: string[]) {
  const child = Bun.spawn([...vantageCommand, ...args], {
    env: { PATH: process.env.PATH, VANTAGE_GATEWAY: url, VANTAGE_TOKEN: discoveryUser },
    stdout: "pipe",
    stderr: "pipe",
  });
  let err = "";
  const read = (async () => {
    for await (const chunk of child.stderr) {
      err += Buffer.from(chunk).toString();
    }
  })();
  const ended = Promise.all([new Response(child.stdout).text(), read, child.exited]).then(
    ([out, , code]) => ({
      ...{ out, err, code },
    }),
  );
  const says = (text: string) => eventually(() => Promise.resolve(expect(err).toContain(text)));
  return { child, ended, says };
}
