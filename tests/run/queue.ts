/** Runs jobs side by side, each in a process of its own, in the order of `schedule.ts`. */
import { availableParallelism } from "node:os";
import type { Costs } from "./costs.ts";
import type { Job } from "./jobs.ts";
import type { Progress } from "./progress.ts";
import type { JobResult } from "./run-job.ts";
import { nextOf, secondsLeft } from "./schedule.ts";

/** More than there are processors: many jobs wait most of the time (schedule.ts). */
const workers = 6;

interface QueueParts {
  readonly costs: Costs;
  readonly progress: Progress;
  readonly run: (job: Job) => Promise<JobResult>;
}

/** The results, in the order in which the jobs have ended. */
export async function runQueue(
  jobs: readonly Job[],
  { costs, progress, run }: QueueParts,
): Promise<JobResult[]> {
  const processors = availableParallelism();
  const waiting = new Set(jobs.map((job) => ({ job, cost: costs.of(job.name) })));
  const running = new Map<{ cost: ReturnType<Costs["of"]> }, Promise<void>>();
  const results: JobResult[] = [];
  progress.begin(jobs.length);
  while (waiting.size > 0 || running.size > 0) {
    const next = running.size < workers ? nextOf([...waiting], [...running.keys()], processors) : null;
    if (next === null) {
      await Promise.race(running.values());
      continue;
    }
    waiting.delete(next);
    const end = run(next.job).then((result) => {
      running.delete(next);
      results.push(result);
      if (next.job.isPart !== true) {
        costs.set(next.job.name, result.cost);
      }
      progress.done(result, secondsLeft([...waiting, ...running.keys()], workers, processors));
    });
    running.set(next, end);
  }
  return results;
}
