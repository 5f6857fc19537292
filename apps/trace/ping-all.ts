/** The loop of `vantage ping`: a probe to each target every interval, a line for each answer, a summary. */
import { familyOf, formatAddress, sameAddress } from "../../lib/ip/address.ts";
import { lossPercent, median } from "../../lib/paths/hops.ts";
import { type Outcome, Path } from "../../lib/paths/path.ts";
import { kindInWords, msInWords } from "../../lib/paths/words.ts";
import { Screen } from "../../lib/terminal/screen.ts";
import { tickMs } from "./limits.ts";
import type { Options } from "./options.ts";
import { exitCodes, type Session } from "./session.ts";
import type { Target } from "./target.ts";
import { outcomeOf } from "./tracer.ts";

interface Pinged {
  readonly target: Target;
  readonly path: Path;
}

export async function pingAll(session: Session, options: Options): Promise<number> {
  const screen = new Screen(false);
  const pinged = session.targets.map((target): Pinged => ({ target, path: new Path(target.address, 1) }));
  const startedAtMs = Date.now();
  let round = 0;
  let inFlight = 0;
  const due: Ping[] = [];
  while (!session.interrupted.aborted && (round < options.count || inFlight > 0)) {
    if (round < options.count && Date.now() >= startedAtMs + round * options.intervalMs) {
      round++;
      const sequence = round;
      for (const one of pinged) {
        inFlight++;
        const onOutcome = (outcome: Outcome) => {
          inFlight--;
          screen.print(
            options.output === "json" ? jsonLine(one, sequence, outcome) : textLine(one, sequence, outcome),
          );
        };
        due.push({ session, options, pinged: one, sequence, onOutcome });
      }
    }
    while (due[0] !== undefined && send(due[0])) {
      due.shift();
    }
    session.outstanding.poll();
    await Bun.sleep(tickMs);
  }
  for (const one of pinged) {
    screen.print(options.output === "json" ? jsonSummary(one) : textSummary(one));
  }
  for (const failure of session.engine.failures()) {
    console.error(`vantage ping: ${failure}`);
  }
  return exitCode(session, pinged);
}

interface Ping {
  readonly session: Session;
  readonly options: Options;
  readonly pinged: Pinged;
  readonly sequence: number;
  readonly onOutcome: (outcome: Outcome) => void;
}

/**
 * False when there is no room now.
 *
 * TCP takes another source port each time: an open port answers the SYN of a connection once, see Path.cell.
 */
function send({ session, options, pinged: { target, path }, sequence, onOutcome }: Ping): boolean {
  const { address: dst, protocol, source } = target;
  const srcPort = protocol === "tcp" ? (options.srcPort + sequence - 1) % 65536 : options.srcPort;
  const probe = { dst, protocol, srcPort, dstPort: options.dstPort, ttl: options.firstTtl };
  const sent = session.outstanding.send(session.instanceOf(target), probe, source, (ending) => {
    const outcome = outcomeOf(ending);
    path.record(0, options.firstTtl, outcome);
    onOutcome(outcome);
  });
  if (sent) {
    path.markSent(0, options.firstTtl);
  }
  return sent;
}

function exitCode({ interrupted }: Session, pinged: readonly Pinged[]): number {
  if (pinged.every(({ path }) => path.reached())) {
    return exitCodes.ok;
  }
  return interrupted.aborted ? exitCodes.interrupted : exitCodes.partial;
}

function textLine({ target }: Pinged, sequence: number, outcome: Outcome): string {
  const head = `${formatAddress(target.address)}  ${String(sequence).padStart(3)}`;
  if (typeof outcome === "string") {
    return `${head}  ${outcome === "lost" ? "no answer" : "could not be sent"}`;
  }
  const rtt = `${msInWords(outcome.rttMs)} ms`;
  const words = kindInWords(outcome.kind) || (outcome.kind.kind === "ttlExceeded" ? "TTL exceeded" : "");
  const from = sameAddress(outcome.from, target.address) ? "" : ` from ${formatAddress(outcome.from)}`;
  return `${head}  ${rtt.padStart(10)}${from}${words === "" ? "" : `  ${words}`}`;
}

function jsonLine({ target }: Pinged, sequence: number, outcome: Outcome): string {
  const answer = typeof outcome === "string" ? null : outcome;
  return JSON.stringify({
    target: target.name,
    address: formatAddress(target.address),
    sequence,
    outcome: answer === null ? outcome : "answered",
    from: answer === null ? null : formatAddress(answer.from),
    rttMs: answer?.rttMs ?? null,
    answer: answer?.kind ?? null,
  });
}

/** Only answers of the target itself count for its loss and times. */
function figuresOf({ target, path }: Pinged) {
  const own = path.answers().filter(({ from }) => sameAddress(from, target.address));
  const rttsMs = own.flatMap(({ rttMs }) => (rttMs === null ? [] : [rttMs])).sort((a, b) => a - b);
  const { sent } = path.totals();
  const figures = { minMs: rttsMs[0] ?? null, medianMs: median(rttsMs), maxMs: rttsMs.at(-1) ?? null };
  return {
    sent,
    answered: own.length,
    lossPercent: lossPercent({ probes: sent, answered: own.length }),
    ...figures,
  };
}

function textSummary(one: Pinged): string {
  const { sent, answered, lossPercent: loss, minMs, medianMs, maxMs } = figuresOf(one);
  const times = [minMs, medianMs, maxMs].map(msInWords).join(" / ");
  const version = `IPv${familyOf(one.target.address)}`;
  const head = `${one.target.name} (${version}, ${one.target.protocol})`;
  return `${head}: ${sent} sent, ${answered} answered, ${loss.toFixed(0)} % lost; min / median / max ${times} ms`;
}

function jsonSummary(one: Pinged): string {
  const { name, address } = one.target;
  return JSON.stringify({ target: name, address: formatAddress(address), summary: figuresOf(one) });
}
