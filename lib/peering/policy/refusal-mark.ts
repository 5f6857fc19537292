/** The mark of a refused route: the large community (platform AS, 1, code), which no peer can set. */

/** Second part of the marks that a route may carry. */
export const markFields = { origin: 0, refusal: 1 } as const;

export interface Marked {
  /** Large communities on the route. */
  readonly marks: readonly (readonly [number, number, number])[];
}

/** The mark on the route; null if it carries none of these codes. */
export function markOf<Name extends string>(
  codes: Readonly<Record<Name, number>>,
  { marks }: Marked,
  platformAsn: number,
): Name | null {
  const code = marks.find(([asn, field]) => asn === platformAsn && field === markFields.refusal)?.[2];
  return namesOf(codes).find((name) => codes[name] === code) ?? null;
}

export function namesOf<Name extends string>(codes: Readonly<Record<Name, unknown>>): Name[] {
  return Object.keys(codes) as Name[];
}
