/** What traces in the bench: ours, and the tools that people use, each asked for the same. */
import { writeTargets } from "./trace-paths.ts";

export interface Tracer {
  readonly name: string;
  readonly program: string;
  readonly command: readonly string[];
  readonly isOurs: boolean;
  /** Only where every router replies: to many targets, and what takes minutes elsewhere. */
  readonly needsReplies: boolean;
}

interface Course {
  readonly executable: string;
  readonly folder: string;
  readonly target: string;
  readonly targetsCount: number;
}

export function tracersOf({ executable, folder, target, targetsCount }: Course): Tracer[] {
  const file = writeTargets(folder, targetsCount);
  const ours = (name: string, words: string, needsReplies = false): Tracer => ({
    ...{ name: `vantage: ${name}`, program: executable, isOurs: true, needsReplies },
    command: [executable, "trace", "--no-live", ...words.split(" ")],
  });
  const other = (name: string, command: readonly string[], needsReplies = false): Tracer => ({
    ...{ name, program: command[0] ?? "", command, isOurs: false, needsReplies },
  });
  return [
    ours("all branches", target),
    other("scamper: tracelb", ["scamper", "-I", `tracelb ${target}`], true),
    ours("one path", `--flows 1 ${target}`),
    other("traceroute", ["traceroute", "-n", target]),
    other("scamper: trace", ["scamper", "-I", `trace -P udp-paris -q 1 ${target}`]),
    other("mtr, one cycle", ["mtr", "-n", "-u", "-r", "-c", "1", target]),
    ours(`${targetsCount} targets, 1000/s`, `--flows 1 -q 1 --rate 1000 -f ${file}`, true),
    other(
      `scamper: ${targetsCount} targets, 1000/s`,
      ["scamper", "-p", "1000", "-w", "1000", "-c", "trace -P udp-paris -q 1", "-f", file],
      true,
    ),
  ];
}
