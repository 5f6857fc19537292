/**
 * The port of each part unless its configuration says another: all parts fit on one machine. A part that asks another
 * one there by itself, as `vantage exchange status` does, has that part's number.
 */
export const defaultPorts = {
  /** Metrics and health of an agent: what existing monitoring asks. */
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
