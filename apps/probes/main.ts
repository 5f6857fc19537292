/** `vantage probes`: writes probe lines for targets and prefixes, in a reproducible random order. */
import { formatAddress } from "../../lib/ip/address.ts";
import { printErrorLine, printLine } from "../../lib/terminal/output.ts";
import { formatProbeLine } from "../../lib/wire/probe-line.ts";
import { help } from "./help.ts";
import { linesMax } from "./limits.ts";
import { LineOutput } from "./line-output.ts";
import { type Options, parseOptions } from "./options.ts";
import { Permutation } from "./permutation.ts";
import { ProbeSpace } from "./probe-space.ts";
import { addTarget, addTargetFile, TargetError } from "./target-source.ts";
import { TargetTable } from "./target-table.ts";

const standardOutput = 1;

export { probesOptions as options } from "./options.ts";

/** Runs the command with the arguments behind its name; returns the exit code: 0 done, 1 failure, 2 usage. */
export async function run(args: string[]): Promise<number> {
  const parsed = parseOptions(args);
  if (parsed.kind === "help") {
    printLine(help.trimEnd());
    return 0;
  }
  if (parsed.kind === "wrong") {
    return complain(parsed.message, 2);
  }
  return generate(parsed.options);
}

async function generate(options: Options): Promise<number> {
  const seed = options.seed ?? crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
  const table = new TargetTable({ perPrefix: options.perPrefix, seed });
  const wrongArgument = await refused(() => {
    for (const target of options.targets) {
      addTarget(table, target);
    }
  });
  if (wrongArgument !== null) {
    return complain(wrongArgument, 2);
  }
  const wrongFile = await refused(async () => {
    for (const file of options.files) {
      await addTargetFile(table, file);
    }
  });
  if (wrongFile !== null) {
    return complain(wrongFile, 1);
  }
  if (table.count === 0) {
    return complain(`No target in ${options.files.join(", ")}: write one address or prefix a line`, 1);
  }
  const space = new ProbeSpace(table, options.shape);
  const problem = unusable(table, space, options);
  return problem === null ? write(space, options.shuffle ? seed : null) : complain(problem, 2);
}

/** The message of the TargetError that an action throws, or null. */
async function refused(action: () => void | Promise<void>): Promise<string | null> {
  try {
    await action();
    return null;
  } catch (error) {
    if (error instanceof TargetError) {
      return error.message;
    }
    throw error;
  }
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
async function write(space: ProbeSpace, seed: number | null): Promise<number> {
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
  return output.failure === null ? 0 : complain(`Cannot write to standard output: ${output.failure}`, 1);
}

function complain(message: string, exitCode: 1 | 2): number {
  const hint = exitCode === 2 ? " (see: vantage probes --help)" : "";
  printErrorLine(`vantage probes: ${message}${hint}`);
  return exitCode;
}
