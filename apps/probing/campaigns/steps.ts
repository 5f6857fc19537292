/**
 * Takes the steps of runs: claims each one, does it under its own key, and journals the outcome. If a process is killed
 * in between, another one takes the step under the same key.
 */
import { LoopYield } from "../../../lib/engines/http/loop-yield.ts";
import { inTurns } from "../../../lib/engines/http/pace.ts";
import { Problem } from "../../../lib/engines/http/problem.ts";
import { stepKey } from "../../../lib/measuring/campaign/advance.ts";
import { slotStep, stepsAfter } from "../../../lib/measuring/campaign/run-steps.ts";
import { agentOffsetMs } from "../../../lib/measuring/campaign/spread.ts";
import type { CampaignServices, StepOrder } from "./campaign-services.ts";
import { budgetUsedUp, partRule } from "./discovery/rounds.ts";
import type { Step } from "./journal.ts";
import {
  claimSec,
  experimentsAtOnceMax,
  retrySec,
  spreadGroupsMax,
  stepsAtOnceMax,
  waitLookSec,
} from "./limits.ts";
import { probeTextSteps } from "./probe-text.ts";
import { conditions, makers, rules } from "./rules.ts";
import { shapeOfFields } from "./shape-fields.ts";

export class StepTaker {
  readonly #services: CampaignServices;
  readonly #onRoom: () => void;
  readonly #kind: "experiments" | "others";
  readonly #ending = new AbortController();
  readonly #underWay = new Set<Promise<void>>();
  /** More may be due than there was room for. */
  #hasMore = false;

  /** `onRoom` is called when there is room for steps that had none. */
  constructor(services: CampaignServices, onRoom: () => void, kind: "experiments" | "others" = "others") {
    this.#services = services;
    this.#onRoom = onRoom;
    this.#kind = kind;
  }

  get room(): number {
    const most = this.#kind === "experiments" ? experimentsAtOnceMax : stepsAtOnceMax;
    return most - this.#underWay.size;
  }

  /** Claims due steps, as many as there is room for; they continue after it has resolved. */
  async claim(): Promise<void> {
    const { room } = this;
    const steps = room === 0 ? [] : await this.#services.journal.claim(room, this.#kind);
    this.#hasMore = steps.length === room;
    for (const step of steps) {
      const taking = take(this.#services, step, this.#ending.signal).finally(() => {
        this.#underWay.delete(taking);
        if (this.#hasMore) {
          this.#onRoom();
        }
      });
      this.#underWay.add(taking);
    }
  }

  /** Resolves when nothing is in progress; experiments are left to other gateways. */
  async idle(): Promise<void> {
    this.#ending.abort();
    await Promise.all(this.#underWay);
  }
}

/** Never rejects: without the journal, the claim of a step ends by itself. */
async function take(services: CampaignServices, step: Step, signal: AbortSignal): Promise<void> {
  const { journal } = services;
  // Renews the claim of a long step: else it would be started again and again.
  const claiming = setInterval(() => journal.again(step, claimSec).catch(() => {}), (1000 * claimSec) / 2);
  try {
    if (step.measurement_id !== null) {
      await journal.taken(step, step.measurement_id);
    } else if (step.kind === "experiment") {
      await takeExperiment(services, step, signal);
    } else if (step.is_late) {
      await journal.over(step, "missed", "It could not start in time");
    } else {
      await takers[step.kind](services, step);
    }
  } catch (error) {
    clearInterval(claiming);
    await failed(services, step, error).catch(() => {});
  } finally {
    clearInterval(claiming);
  }
}

const takers: Readonly<Record<ShortKind, (services: CampaignServices, step: Step) => Promise<void>>> = {
  measure: takeMeasurement,
  wait: takeWait,
  compute: takeComputation,
};

type ShortKind = Exclude<Step["kind"], "experiment">;

/** It begins late rather than never, and its claim ends at once where another gateway is to continue. */
async function takeExperiment(
  { journal, experiments }: CampaignServices,
  step: Step,
  signal: AbortSignal,
): Promise<void> {
  const outcome = await experiments.take(step, signal);
  if (outcome === "ended") {
    await journal.done(step, []);
  } else if (outcome === "left") {
    await journal.again(step, 0);
  }
}

async function takeMeasurement({ journal, measure }: CampaignServices, step: Step): Promise<void> {
  const { campaign_id: id, run, user_hash: userHash, agents, probes } = step;
  const shape = shapeOfFields(step.shape ?? {});
  const round = step.given?.round;
  const madeFor = { campaignId: id, run, round: typeof round === "number" ? round : null };
  const order = { userHash, key: stepKey(id, run, step.step), agents, probes, shape, step: madeFor };
  if (step.word !== null) {
    await takeMade({ journal, measure }, step, order);
    return;
  }
  if (step.step === 0 && step.spread_sec > 0) {
    const read = await inTurns(probeTextSteps(probes), new LoopYield());
    const { able, reasons } = await measure.agents(order, read);
    if (able.length > 0) {
      await journal.spread(step, slotsOf(step, able), reasons.join("; ") || undefined);
      return;
    }
  }
  // If no agent can take part, this fails with the reason.
  await journal.taken(step, await measure.submit(order));
}

/** A measurement whose probe lines are generated now; without any, there is none. */
async function takeMade(
  { journal, measure }: Pick<CampaignServices, "journal" | "measure">,
  step: Step,
  order: Pick<StepOrder, "userHash" | "key" | "agents" | "step">,
): Promise<void> {
  const maker = makers[step.word ?? ""];
  if (maker === undefined || measure.rounds === null) {
    await journal.over(step, "refused", `This version has no rule "${step.word}"`);
    return;
  }
  const made = await maker(measure, step);
  if (made === null) {
    await journal.done(step, []);
  } else {
    await journal.taken(step, await measure.rounds.submitLines({ ...order, ...made }));
  }
}

/** Each group of agents is its own step, with the same offset from the planned time in every run. */
function slotsOf({ campaign_id: id, step, spread_sec: spreadSec }: Step, agents: readonly string[]) {
  const slotMs = Math.max(1000, Math.ceil((spreadSec * 1000) / spreadGroupsMax));
  const slotOf = (agent: string) => Math.floor(agentOffsetMs(id, agent, spreadSec * 1000) / slotMs);
  return [...Map.groupBy(agents, slotOf)].map(([slot, group]) => ({
    step: slotStep(step, slot),
    wait_ms: slot * slotMs,
    agents: group.join(","),
  }));
}

async function takeWait({ journal, measure }: CampaignServices, step: Step): Promise<void> {
  const isSo = conditions[step.word ?? ""];
  if (isSo === undefined) {
    await journal.over(step, "refused", `This version has no condition "${step.word}"`);
  } else if (await isSo(measure, step)) {
    await journal.done(step, []);
  } else {
    await journal.again(step, waitLookSec);
  }
}

async function takeComputation({ journal, measure }: CampaignServices, step: Step): Promise<void> {
  const rule = rules[step.word ?? ""];
  if (rule === undefined) {
    await journal.over(step, "refused", `This version has no rule "${step.word}"`);
    return;
  }
  const { works, reason } = await rule(measure, step);
  const numbers = stepsAfter(step.step, works);
  await journal.done(
    step,
    works.map((work, at) => ({ work, step: numbers[at] ?? 0 })),
    reason,
  );
}

/** Retries transient failures while there is time. */
async function failed({ journal, log }: CampaignServices, step: Step, error: unknown): Promise<void> {
  if ((error instanceof Problem && error.status < 500) || error instanceof RangeError) {
    await journal.over(step, "refused", refusalOf(step, error));
    return;
  }
  const { campaign_id, run, step: number } = step;
  log.warn("Cannot take a step of a campaign; trying again", { campaign_id, run, step: number, error });
  await journal.again(step, retrySec);
}

/** The user's quota is the budget of a discovery without its own. */
function refusalOf({ word }: Step, error: Error): string {
  const isBudget = word === partRule && error instanceof Problem && error.code === "quota_exceeded";
  return isBudget ? `${budgetUsedUp}: ${error.message}` : error.message;
}

/** Cancels the running measurements of stopped campaigns. Idempotent. */
export async function cancelRuns({ journal, measure }: CampaignServices): Promise<void> {
  for (const run of await journal.cancelling()) {
    for (const id of run.measurement_ids) {
      await measure.cancel(run.user_hash, id);
    }
    await journal.cancelled(run);
  }
}
