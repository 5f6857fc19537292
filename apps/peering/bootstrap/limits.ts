/** Every limit of this app: what it guards, its unit, and why the value is safe. */

/** /48s of one user: a gateway leases one by default, an operator may allow some. */
export const prefixesMax = 64;

/** Bytes of `USER_PREFIXES`: 64 prefixes of 43 characters with room for spaces. */
export const prefixesTextMax = 4096;

/** Exchange servers that are joined: each is a full table, some 44 MB in BIRD. */
export const exchangesMax = 16;

/** Bytes of an answer of tailscaled: a network of 5,000 devices is some 10 MB. */
export const vpnAnswerBytesMax = 32 << 20;

/** Milliseconds that tailscaled may take to answer: it is on this machine. */
export const vpnAnswerMsMax = 5000;

/** Bytes of the status of an exchange: it lists the user's own devices, at most 200 routes of each kind. */
export const exchangeAnswerBytesMax = 1 << 20;

/** Milliseconds that an exchange may take to answer through the tunnel. */
export const exchangeAnswerMsMax = 5000;

/** Milliseconds that a round waits for exchanges: a silent one must delay neither the others nor an order. */
export const exchangeWaitMs = 500;

/** Milliseconds that an exchange may be absent from the VPN's list before its session is removed. */
export const absenceMsMax = 60_000;

/** Seconds between two polls of the VPN and the daemon, both on this machine. */
export const intervalSecDefault = 2;
export const intervalSecMax = 60;

/** Seconds between two requests to each exchange: 1,000 users make 200 requests a second there. */
export const exchangeEverySecDefault = 5;

/** Milliseconds between two requests to the gateway; while it has not said who the user is, or could not be reached. */
export const gatewayEveryMs = 60_000;
export const gatewayAgainMs = 10_000;

/** Milliseconds until offered routes that are not served are offered anew, at first and at most. */
export const reofferMsFirst = 30_000;
export const reofferMsMax = 600_000;

/** Milliseconds between two checks of the service's own login. */
export const loginEveryMs = 2000;

/** Announcement requests of a user: 64 prefixes, each at 16 exchange servers and at all. */
export const requestsMax = prefixesMax * (exchangesMax + 1);

/**
 * Seconds that the gateway holds a poll for new announcement requests: below the 60 s after which quiet connections
 * are cut.
 */
export const requestWaitSec = 25;

/** Milliseconds between two questions where one failed, or was not held: a gateway has room for 500 that wait. */
export const requestPauseMs = 5000;

/** Milliseconds until a gateway without announcement requests is polled again. */
export const oldGatewayEveryMs = 60_000;

/** Milliseconds that the gateway may take for a report, and until the next try after a failure. */
export const reportAnswerMs = 5000;
export const reportPauseMs = 10_000;

/** Seconds of silence after which a session is given up, as exchange servers have it. */
export const holdTimeSec = 90;
export const keepaliveSec = 30;

/** Routes of one exchange: the full IPv6 table has some 230,000. */
export const routesMax = 500_000;

/** Bytes of a file of orders: each exchange and prefix has one line of some 100 bytes. */
export const ordersBytesMax = 1 << 20;

/** Bytes of a request by the control socket: 32 announcements with all that they may ask for. */
export const orderBytesMax = 32 << 10;

/** Milliseconds that a command waits until its order is active: BIRD may take 30 s to read a configuration. */
export const orderMsMax = 60_000;

/** Bytes of the user's own additions to FRR's configuration: some thousand lines. */
export const snippetsBytesMax = 256 << 10;

/** Networks behind an exchange that the page lists of one announcement. */
export const receiversShownMax = 32;

/** Communities that an exchange lists of a route: it takes 15, and two marks. */
export const actionsShownMax = 32;

/** Refused routes that the page lists of each exchange. */
export const refusedShownMax = 50;
