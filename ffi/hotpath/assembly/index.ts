/** The hot path module: `fill` for senders, `receive` for receivers. */
export { fill, stopReason } from "./fill";
export { forgetNeighbours, rememberNeighbour } from "./frame";
export { receive, repliesEnd } from "./receive";
