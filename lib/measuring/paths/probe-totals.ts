/** Probe outcomes, counted: one total for every place that shows one. Pure. */

export interface ProbeTotals {
  /** `answered` + `lost` + `unawaited`. */
  readonly sent: number;
  readonly answered: number;
  /** Awaited, without a reply. */
  readonly lost: number;
  /** Not awaited: the reply could not have added anything, or the user interrupted. */
  readonly unawaited: number;
  /** Could not be sent; not among those sent. */
  readonly failed: number;
}

export const noProbes: ProbeTotals = { sent: 0, answered: 0, lost: 0, unawaited: 0, failed: 0 };

/** For JSON. */
export function probeTotalsJson({ sent, answered, lost, unawaited, failed }: ProbeTotals) {
  return { sent, answered, lost, not_awaited: unawaited, failed };
}

/** `38 probes sent, 29 answered, 0 without answer, 9 not waited for; 2 could not be sent`. */
export function probeTotalsText(
  { sent, answered, lost, unawaited, failed }: ProbeTotals,
  done: "sent" | "submitted" = "sent",
): string {
  const parts = [
    `${sent} ${sent === 1 ? "probe" : "probes"} ${done}`,
    `${answered} answered`,
    `${lost} without answer`,
    ...(unawaited === 0 ? [] : [`${unawaited} not waited for`]),
  ];
  return `${parts.join(", ")}${failed === 0 ? "" : `; ${failed} could not be sent`}`;
}
