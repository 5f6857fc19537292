/** All problems of a configuration, each with its place, its key and the reason. */

export interface ConfigProblem {
  /** `agent.yaml:7`, or `environment VANTAGE_AGENT__ID`. */
  readonly place: string;
  /** `prober.0.probing_rate`; empty when the file as a whole is meant. */
  readonly key: string;
  readonly reason: string;
}

/** Problems shown of a file with many mistakes. */
const shownMax = 20;

export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    super(problems.slice(0, shownMax).map(line).join("\n"));
    this.problems = problems;
  }
}

function line({ place, key, reason }: ConfigProblem): string {
  return `${place}: ${key === "" ? "" : `${key}: `}${reason}`;
}
