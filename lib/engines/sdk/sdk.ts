/** What the published TypeScript SDK exports; `npm run sdk` makes the package of it: docs/measure/sdk.md. */
export { GatewayError } from "../gateway-client/gateway-error.ts";
export type { TokenSource } from "../gateway-client/token-source.ts";
export type * from "./answers.ts";
export type { Answer, CallOrder, Method, PathWith } from "./calls.ts";
export {
  type Probe,
  type ProbeProtocol,
  type ProbeShape,
  pingProbes,
  probeLines,
  traceProbes,
} from "./probes.ts";
export type { ResultFilter } from "./result-rows.ts";
export {
  type Labels,
  type MeasurementFilter,
  type MeasureOrder,
  Vantage,
  type VantageOptions,
} from "./vantage.ts";
export type { Waited, WaitOptions, WaitOutcome } from "./wait.ts";
