/** `vantage probes`: writes probe lines for targets and prefixes, in a reproducible random order. */
import { defineCommand } from "../../../lib/command/command/command.ts";
import { cannot, wrongUsage } from "../../../lib/command/command/command-error.ts";
import { type ExitCode, exitCodes } from "../../../lib/command/command/exit-codes.ts";
import { Permutation } from "../../../lib/measuring/probing/permutation.ts";
import { ProbeSpace } from "../../../lib/measuring/probing/probe-space.ts";
import { TargetTable } from "../../../lib/measuring/probing/target-table.ts";
import { formatAddress } from "../../../lib/net/ip/address.ts";
import { formatProbeLine } from "../../../lib/net/wire/probe-line.ts";
import { linesMax } from "./limits.ts";
import { LineOutput } from "./line-output.ts";
import { type Options, probesArguments, probesOptions, probesOrder } from "./options.ts";
import { addTarget, addTargetFile } from "./target-source.ts";

const standardOutput = 1;

export const command = defineCommand({
  about:
    "A line is dst,src_port,dst_port,ttl,protocol. There is one for each address of each target, flow and TTL.",
  options: probesOptions,
  arguments: probesArguments,
  examples: [
    ["vantage probes 192.0.2.1 2001:db8::1", "traceroute to two targets"],
    ["vantage probes --flows 16 -p tcp --dst-port 443 192.0.2.1", "16 flows, to see load balancing"],
    ["vantage probes --per-prefix 4 --ttl 2-30 -f prefixes.txt", "four addresses of each prefix of a file"],
    ["vantage probes --all --ttl 64 -p icmp 192.0.2.0/24", "ping a /24"],
  ],
  act: (given) => generate(probesOrder(given)),
});

async function generate(options: Options): Promise<ExitCode> {
  const seed = options.seed ?? crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
  const table = new TargetTable({ perPrefix: options.perPrefix, seed });
  for (const target of options.targets) {
    addTarget(table, target);
  }
  for (const file of options.files) {
    await addTargetFile(table, file);
  }
  if (table.count === 0) {
    throw cannot(`No target in ${options.files.join(", ")}: write one address or prefix a line`);
  }
  const space = new ProbeSpace(table, options.shape);
  const problem = unusable(table, space, options);
  if (problem !== null) {
    throw wrongUsage(problem);
  }
  return await write(space, options.shuffle ? seed : null);
}

function unusable(table: TargetTable, space: ProbeSpace, { shape }: Options): string | null {
  const ipv4 = shape.protocol === "icmpv6" ? table.firstOfFamily(4) : null;
  if (ipv4 !== null) {
    return `-p icmpv6 cannot go to ${formatAddress(ipv4)}: use -p icmp, which is right for both families`;
  }
  return space.size > linesMax ? `${space.size} lines are more than ${linesMax}: give fewer targets` : null;
}

/**
 * Writes all lines, shuffled by `seed` unless it is null; ends early and successfully when the reader closes the pipe.
 */
async function write(space: ProbeSpace, seed: number | null): Promise<ExitCode> {
  const order = seed === null ? null : new Permutation(space.size, seed);
  const output = new LineOutput(standardOutput);
  const dst = new Uint8Array(16);
  for (let index = 0; index < space.size && !output.closed; index++) {
    output.add(formatProbeLine(space.probe(order?.at(index) ?? index, dst)));
    if (output.isFull) {
      await output.flush();
    }
  }
  await output.flush();
  if (output.failure !== null) {
    throw cannot(`Cannot write to standard output: ${output.failure}`);
  }
  return exitCodes.ok;
}
