/** API token scopes. A token grants nothing without the scope of the route. */

export const scopes = [
  "measurements:read",
  "measurements:create",
  "campaigns:read",
  "campaigns:write",
  "campaigns:trigger",
  "results:public",
  "sql:read",
  "tokens:write",
  "admin:read",
  "admin:write",
] as const;

export type Scope = (typeof scopes)[number];

/** For people: each begins with a verb. */
export const scopeMeanings: Readonly<Record<Scope, string>> = {
  "measurements:read":
    "read measurements: their progress, results and packets; your quota, limits and prefixes",
  "measurements:create":
    "submit measurements, add probes to open ones, cancel them; your quota, limits and prefixes",
  "campaigns:read": "read campaigns, their runs and what they noticed; experiments",
  "campaigns:write": "make, change and stop campaigns and experiments",
  "campaigns:trigger": "start runs of campaigns that wait for webhooks",
  "results:public": "share results by link or publicly, and end sharing",
  "sql:read": "query your results, and public ones, in SQL",
  "tokens:write": "list, make and revoke tokens; a new one gets no more than the one that makes it",
  "admin:read": "read the admin API; for operators whom the gateway's configuration names",
  "admin:write": "change things by the admin API; for the same operators",
};

/** The single measurement or campaign that a token may be limited to. */
export type ObjectKind = "measurement" | "campaign";
