/** The mark of a refused route: the large community (platform AS, 1, code), which no peer can set. */

/** Second part of the marks that a route may carry. */
export const markFields = { origin: 0, refusal: 1 } as const;

export interface Marked {
  /** Large communities on the route. */
  readonly marks: readonly (readonly [number, number, number])[];
}

/** Undefined where it carries none. */
export function markedCode({ marks }: Marked, platformAsn: number): number | undefined {
  return marks.find(([asn, field]) => asn === platformAsn && field === markFields.refusal)?.[2];
}
