/** Every limit of trace and ping, with its reason. */

/** A payload is as long as the TTL is large; 255 is what the header holds. */
export const ttlMax = 255;
/** Flows beyond this find no more branches in practice, and routers limit their answers. */
export const flowsMax = 128;
export const queriesMax = 100;
export const countMax = 1_000_000;
export const rateMax = 1_000_000;
/** An answer more than a wrap of the time code (6.55 s) late is stale: the engine drops and counts it. */
export const waitMsMax = 6500;
export const intervalMsMax = 3_600_000;
/** Names on a command line; a campaign goes through `vantage probes` and an agent. */
export const targetsMax = 1000;
/** Interfaces captured on besides those that probes leave by: each costs a thread. */
export const receiveInterfacesMax = 8;
/** Source ports of TCP pings whose route is looked up at the start; later ones take an interface that is open then. */
export const portsLookedUpMax = 64;
/** Targets traced at a time: enough to use the default rate over paths of 50 ms; on a terminal, what a screen shows. */
export const targetsAtATime = { drawn: 16, printed: 64 } as const;
/** Probes in flight or waiting, of all targets together: slots of the sent-time table. */
export const probesInFlightMax = 65_536;
/** Hops that may be silent in a row before a path is given up; also how far ahead of the last answer probes go. */
export const silentHopsMax = 8;
/** Queries of one hop are this far apart, so that routers that limit their answers give some. */
export const querySpacingMs = 120;
/** Those of a hop that has answered every query so far: it does not limit its answers to so few, or not yet. */
export const answeredSpacingMs = 40;
/** Probes of such a hop without any spacing: Linux gives six answers at once (XRLIM_BURST_FACTOR, inetpeer.c). */
export const burstProbes = 6;
/** How often the loop polls for replies. */
export const tickMs = 4;
/**
 * Probes wait in the engine at most this long at their rate. The others wait in the trace, which drops them when the
 * target turns out to be near; a low rate alone does not expire a probe.
 */
export const queueMs = 50;
/** A probe that the sender has not accepted by then is given up. */
export const sendMsMax = 10_000;
/** A file of packets: what packet viewers open at once, and all that a day's watch of a path sends. */
export const pcapLimits = { bytesMax: 256 << 20, packetsMax: 1_000_000 } as const;
/** Answers whose tag was rewritten on the way wait for the trace to accept them, or not. */
export const unprovenPacketsMax = 4096;
/** Between the beginnings of two traces of a watched path. */
export const watchEveryMs = 1000;
/** How often a watched path is drawn at most. */
export const watchDrawMs = 100;
/** Traces of a report that names no number. */
export const reportCyclesDefault = 10;
export const cyclesMax = 1_000_000;
/** Bad lines of a file of targets that are named. */
export const badTargetsShown = 10;
/** Time beyond `--wait-ms` for an answer's way from an agent to here: broker, column store, polling on both sides. */
export const remoteDelayMs = 3000;
/**
 * The same at least, once answers have come and so it is known how long they take. An agent's report that it received
 * more than was read here, which prolongs the wait, comes within about that time.
 */
export const answersLateMs = 1500;
/**
 * The same at most: twice the 7.5 s for which a server's Kafka engine collects a batch. What an agent has reported as
 * received is waited for beyond it.
 */
export const answersLateMsMax = 15_000;
/** Agents that send nothing for so long, and whose answers do not arrive for so long, are waited for no longer. */
export const remoteSendMsMax = 30_000;
/**
 * Probes that agents have not sent yet beyond which no further target begins: at least, and as time at their rate.
 * An agent's progress is known here after two seconds; with several times as much the backlog grows quickly.
 */
export const backlogProbesMin = 2048;
export const backlogMs = 8000;
/** Answers by which is judged how long others take from agents to here. */
export const delayWindowMs = 15_000;
/**
 * What the clock of a remote trace advances at most between two polls: a pause of this process is not taken as silence.
 */
export const clockStepMsMax = 500;
/** Hops beyond the last answer that a wave of a remote trace opens for all flows; the first goes `silentHopsMax`. */
export const waveHops = 4;
/** Between two waves to a target: routers limit how often they answer. */
export const remoteSpacingMs = 250;
/** Silence after which answers of a wave count as missing, at least: the gateway polls for them twice a second. */
export const waveQuietMsMin = 1000;
/** Probes that a hop gets, over all flows, before it counts as silent. */
export const silentProbesMin = 8;
/** Agents upload packets some 10 s after the measurement, and the gateway polls each second. */
export const handOverMs = 60_000;
export const handOverTickMs = 1000;
/** How often the agents' progress is redrawn. */
export const remoteDrawMs = 100;
