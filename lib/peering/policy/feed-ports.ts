/**
 * Routes that an exchange announces to a user, selected by the TCP port that the user's daemon connects to: the full
 * table; a default route and the routes of peers, route servers and users; or a default route alone.
 */
export const feedPorts = { full: 179, partial: 1179, default: 1180 } as const;
