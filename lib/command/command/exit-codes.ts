/**
 * How commands end, in one closed table. Scripts and service managers rely on the numbers: a unit of systemd does not
 * restart a service that ended with `usage`, which holds for a configuration that cannot be used too.
 */
export const exitCodes = {
  ok: 0,
  failure: 1,
  usage: 2,
  /** Done in part: lines skipped, agents or targets missing, the time over. */
  partial: 3,
  /** Ctrl-C: what a shell gives for a process that SIGINT ended, 128 and the signal's number. */
  interrupted: 130,
} as const;

export type Outcome = keyof typeof exitCodes;
export type ExitCode = (typeof exitCodes)[Outcome];

/** What the codes mean unless a command says otherwise. */
export const exitMeanings = {
  ok: "done",
  failure: "failure",
  usage: "wrong usage",
} as const;
