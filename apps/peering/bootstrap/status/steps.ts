/** What comes next for a user who begins: logins, the AS number, the first session. Pure. */
import type { Snapshot } from "../snapshot.ts";
import type { StepBody } from "./bodies.ts";

const plain = { url: null, code: null } as const;

/** In order; empty when all is done. */
export function stepsOf(snapshot: Snapshot): StepBody[] {
  const own = snapshot.login === "none" ? [] : [loginStep(snapshot), asnStep(snapshot)];
  const steps = [...own, vpnStep(snapshot), sessionStep(snapshot)];
  return steps.every(({ is_done: isDone }) => isDone) ? [] : steps;
}

function loginStep({ login, loginPrompt }: Snapshot): StepBody {
  const text = "Log in to the platform";
  if (login === "there") {
    return { ...plain, text, is_done: true, advice: "" };
  }
  if (loginPrompt === null) {
    return { ...plain, text, is_done: false, advice: "Wait a moment: the address is being requested" };
  }
  const { url, completeUrl, userCode } = loginPrompt;
  const advice =
    completeUrl === null ? "Open this address and enter the code" : "Open this address and check the code";
  return { text, is_done: false, advice, url: completeUrl ?? url, code: userCode };
}

function asnStep({ user: { asn, platformAsn }, login }: Snapshot): StepBody {
  const isDone = asn !== null && platformAsn !== null;
  const missing =
    asn !== null && platformAsn === null
      ? "The gateway does not state the platform's AS: set PLATFORM_ASN, and report it to the operator"
      : "The gateway assigns it";
  const advice = login === "there" ? missing : "The gateway assigns it after the login";
  return { ...plain, text: "AS number", is_done: isDone, advice: isDone ? `AS${asn}` : advice };
}

function vpnStep({ vpnState, vpnLoginUrl, ownAddress }: Snapshot): StepBody {
  const text = "Log in to the VPN";
  if (vpnState === "Running") {
    return { ...plain, text, is_done: true, advice: ownAddress ?? "" };
  }
  const advice =
    vpnLoginUrl === null
      ? "Wait a moment: the address is being requested"
      : "Open this address, with the same account";
  return { ...plain, text, is_done: false, advice, url: vpnLoginUrl };
}

function sessionStep({ sessions }: Snapshot): StepBody {
  const isDone = [...(sessions ?? new Map()).values()].some(({ isUp }) => isUp);
  const advice = "Nothing to do: it comes up by itself, some seconds after the logins";
  return { ...plain, text: "Session with an exchange server", is_done: isDone, advice: isDone ? "" : advice };
}
