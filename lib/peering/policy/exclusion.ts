/** Reasons for exclusion from a policy: a closed list, each with a text for people. */

/** Reasons that are a mistake or an attack: counted and logged. */
const faults = {
  badMapping: "the gateway's entry cannot be read",
  badAsn: "the ASN is not a number of the pool",
  badPrefix: "a leased prefix is not an IPv6 /48 without host bits",
  badEndTime: "the end of a lease cannot be read",
  tooManyLeases: "there are more leases than a policy allows",
  duplicateUser: "the gateway lists the user twice",
  duplicateAsn: "another user has the same ASN",
  duplicatePrefix: "another user has the same prefix",
  badNode: "the VPN's entry cannot be read",
  badSubject: "the VPN's name of the user holds no plain subject",
  badAddress: "an address in the VPN is not in 100.64.0.0/10",
  duplicateAddress: "another user has the same address in the VPN",
  tooManyAddresses: "the user has more devices in the VPN than a policy allows",
  ambiguousEmail: "several users have this e-mail address",
} as const;

/** Ordinary reasons: a user has not finished signing up, or is not ours. */
const absences = {
  noAsn: "the user has no ASN yet",
  noMapping: "no such user at the gateway",
  noNode: "the user has no device in the VPN",
  otherIssuer: "the device belongs to no account of this platform",
} as const;

export type Fault = keyof typeof faults;
type Absence = keyof typeof absences;

export interface Exclusion {
  /** Null if the user is unknown. */
  readonly userHash: string | null;
  readonly reason: Fault | Absence;
  /** The value found, shortened and printable; for the operator. */
  readonly detail: string;
}

export function isFault(reason: Fault | Absence): reason is Fault {
  return reason in faults;
}

export function explainExclusion(reason: Fault | Absence): string {
  return isFault(reason) ? faults[reason] : absences[reason];
}
