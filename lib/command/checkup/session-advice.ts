/** Why a BGP session is down, and the next step, from the last error of BIRD or FRR. Pure. */

interface Advice {
  readonly when: RegExp;
  readonly why: string;
  readonly next: string;
}

const advices: readonly Advice[] = [
  {
    when: /bad peer as/i,
    why: "the AS numbers of both sides do not fit",
    next: "compare USER_ASN with: vantage peering asn; platform.asn with the operator's",
  },
  {
    when: /maximum number of prefixes|route limit|limit.*exceeded/i,
    why: "more prefixes were sent than may be",
    next: "announce only what is leased; the session comes back by itself",
  },
  {
    when: /hold timer/i,
    why: "the other side was silent for too long",
    next: "check the tunnel: MTU, loss (ping -s 1232 through it), and whether the other side runs",
  },
  {
    when: /no route|unreachable|invalid next hop/i,
    why: "there is no route to the other side",
    next: "is the VPN up, and is the address in it? (tailscale status)",
  },
  {
    when: /refused/i,
    why: "the other side does not listen for BGP",
    next: "wait until the other side's daemon runs; is TCP port 179 let through?",
  },
  {
    when: /rejected|administrat|cease|deconfigured|collision/i,
    why: "the other side has ended it",
    next: "ask its operator, or check its status",
  },
  {
    when: /timed out|timeout/i,
    why: "the other side does not answer",
    next: "is it online, and does a firewall let TCP port 179 through?",
  },
];

const unknown = {
  why: "it is still being set up",
  next: "check again in a minute; then see the daemon's log",
};

export function sessionAdvice({
  state,
  lastError,
}: {
  readonly state: string;
  readonly lastError: string | null;
}): {
  readonly why: string;
  readonly next: string;
} {
  const { why, next } = advices.find(({ when }) => when.test(lastError ?? "")) ?? unknown;
  const said = lastError === null ? "" : `, ${lastError}`;
  return { why: `${state}${said}: ${why}`, next };
}
