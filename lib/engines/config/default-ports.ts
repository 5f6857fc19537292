/**
 * The default port of each part: all parts fit on one machine. A part that connects to another one there by itself, as
 * `vantage exchange status` does, uses that part's number.
 */
export const defaultPorts = {
  /** Metrics and health of an agent: the port that existing monitoring uses. */
  agent: 8080,
  /** Health and metrics of `vantage stack`. */
  stack: 8090,
  policyGenerator: 8091,
  /** The status page of `vantage bootstrap`. */
  statusPage: 8092,
  probingGateway: 8093,
  peeringGateway: 8094,
  /** The development issuer of `vantage stack`. */
  issuer: 8095,
  collector: 8096,
  /** Where routers speak BMP to the collector: the port that others use for it. */
  bmp: 11019,
} as const;
