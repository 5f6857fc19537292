/**
 * What an exchange tells a user of the Internet, by the TCP port that the user's daemon dials: everything; a default
 * route, and what peers, route servers and users tell; or a default route alone.
 */
export const feedPorts = { full: 179, partial: 1179, default: 1180 } as const;
