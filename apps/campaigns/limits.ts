/** Every limit of this app: what it guards, its unit, and why the value is safe. */

/** Longest pause between two looks at the journal: what another gateway left behind waits no longer. */
export const lookMsMax = 1000;

/** Pause between two looks while more is due: what another gateway holds is not asked for without end. */
export const againMs = 2;

/** Pause between two looks while all that may be done at once is under way: the end of any of it ends the pause. */
export const fullMs = 20;

/** Campaigns of one transaction: each takes some statements of a millisecond. */
export const campaignsAtOnceMax = 50;

/** Steps that a gateway takes at once: each reads up to a megabyte of probes, and holds a file of the spool. */
export const stepsAtOnceMax = 8;

/**
 * Seconds for which a step belongs to the gateway that took it up. A longer submission does no harm: the second one has
 * the same key.
 */
export const claimSec = 2;

/** Seconds until a step that found no room, or no database, is tried again. */
export const retrySec = 1;

/** Groups of agents that a run is spread over: each is a measurement of its own. */
export const spreadGroupsMax = 60;

/** Looks that catch up before somebody's change: each goes through up to 200 missed runs of a cron pattern. */
export const catchUpMax = 20;

/** Bytes of a campaign's probe lines: 20,000 probes of the usual length. */
export const probesBytesMax = 1_048_576;

/** Characters of a name: it stands in a row of a terminal. */
export const nameCharsMax = 100;

/** Characters of the list of agents: 100 names, or selectors. */
export const agentsCharsMax = 4096;

/** Characters of a reason that is kept with a run. */
export const reasonCharsMax = 500;
