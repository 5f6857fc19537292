/** Debian's `capnp` as the judge of our bytes, and our records in the JSON that it reads and writes. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { Probe } from "../../lib/net/packet/probe.ts";
import type { Reply } from "../../lib/net/packet/reply.ts";

export const schemaFolder = join(import.meta.dirname, "../../lib/net/wire");
/** Runs `capnp convert FROM:TO` with the schemas of a folder, the messages of one kind on its standard input. */
export function capnpConvert(
  conversion: string,
  type: "Probe" | "Reply",
  input: Uint8Array,
  flags: string[] = [],
  cwd = schemaFolder,
) {
  // capnp warns when PWD is not the folder that it runs in.
  const env = { ...process.env, PWD: cwd };
  const args = ["convert", conversion, ...flags, `${type.toLowerCase()}.capnp`, type];
  const result = spawnSync("capnp", args, { cwd, env, input, maxBuffer: 1 << 28 });
  if (result.status !== 0) {
    throw new Error(`capnp ${args.join(" ")}: ${result.error?.message ?? result.stderr.toString()}`);
  }
  return new Uint8Array(result.stdout);
}

/** The JSON values that `capnp convert binary:json --short` wrote, one a line. */
export function capnpJson(type: "Probe" | "Reply", messages: Uint8Array, folder = schemaFolder): unknown[] {
  const text = new TextDecoder().decode(capnpConvert("binary:json", type, messages, ["--short"], folder));
  return text
    .split("\n")
    .filter(Boolean)
    .map((line): unknown => JSON.parse(line));
}

export function probeJson(probe: Probe): object {
  const { dst, ...fields } = probe;
  return { ...fields, dstAddr: [...dst] };
}

/** Lists and texts that are empty are left out, as in what capnp writes for our null pointers. */
export function replyJson(reply: Reply): object {
  const { replyMplsLabels, rttTenthMs, agentId, replySite, replyQuotedSrcAddr, ...fields } = reply;
  const labels = replyMplsLabels.map(({ bottomOfStack, ...label }) => ({ ...label, sBit: bottomOfStack }));
  return {
    ...fields,
    timeReceivedNs: String(reply.timeReceivedNs),
    replySrcAddr: [...reply.replySrcAddr],
    replyDstAddr: [...reply.replyDstAddr],
    probeSrcAddr: [...reply.probeSrcAddr],
    probeDstAddr: [...reply.probeDstAddr],
    ...(agentId !== "" && { agentId }),
    ...(replySite !== "" && { replySite }),
    ...(labels.length > 0 && { replyMplsLabel: labels }),
    ...(isRewritten(reply) && { replyQuotedSrcAddr: [...replyQuotedSrcAddr] }),
    rtt: rttTenthMs,
  };
}

/** The message has what follows the fields that every message has. */
export function isRewritten(reply: Reply): boolean {
  const { replyRewritten, replyQuotedSrcPort, replyChecksumDelta, replyQuotedSrcAddr } = reply;
  return [replyRewritten, replyQuotedSrcPort, replyChecksumDelta, ...replyQuotedSrcAddr].some(
    (value) => value !== 0,
  );
}
