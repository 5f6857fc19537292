/**
 * Exit codes of commands, in one closed table. Scripts and service managers rely on the numbers: systemd units do not
 * restart a service that exited with `usage`, which includes an invalid configuration.
 */
export const exitCodes = {
  ok: 0,
  failure: 1,
  usage: 2,
  /** Partly done: lines skipped, agents or targets missing, timed out. */
  partial: 3,
  /** Ctrl-C: a shell's code for a process ended by SIGINT, 128 plus the signal's number. */
  interrupted: 130,
} as const;

export type Outcome = keyof typeof exitCodes;
export type ExitCode = (typeof exitCodes)[Outcome];

/** Default meanings of the codes. */
export const exitMeanings = {
  ok: "done",
  failure: "failure",
  usage: "wrong usage",
} as const;
