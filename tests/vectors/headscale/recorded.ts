/**
 * What a real Headscale 0.28.0 answered to `GET /api/v1/node` in the lab of the VPN, keys taken out: an exchange server
 * that joined by a key with its tag, and the machine of somebody who logged in as `auth0|alice`; made again by
 * `npm run lab:vpn -- exchange --record`.
 */
import list from "./nodes-0.28.0.json" with { type: "json" };

const [exchange, user] = list.nodes;

export const recorded = { list, exchange, user, issuer: "http://127.0.0.1:8444" } as const;
