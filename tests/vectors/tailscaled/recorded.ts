/**
 * What a real tailscaled 1.94.1 answered on a user's machine in the lab of the VPN, keys taken out; made again by
 * `npm run lab:vpn -- exchange --record`.
 */
import prefs from "./prefs-1.94.1.json" with { type: "json" };
import status from "./status-1.94.1.json" with { type: "json" };
import loggedOut from "./status-logged-out-1.94.1.json" with { type: "json" };

const [peer] = Object.values(status.Peer);

export const recorded = {
  /** Logged in, with one exchange server; the leased /48 is offered and approved. */
  status,
  /** The exchange server in it. */
  peer,
  /** While it waited for the person to log in. */
  loggedOut,
  prefs,
} as const;
