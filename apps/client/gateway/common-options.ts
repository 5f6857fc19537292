/** What every command that asks a gateway is told on its command line. */
import type { Service } from "../../../lib/gateway-client/choose-gateway.ts";
import type { Format } from "../../../lib/terminal/rows-output.ts";

export interface CommonOptions {
  readonly service: Service;
  /** Null = by environment or login. */
  readonly address: string | null;
  readonly profile: string | null;
  readonly tokenStdin: boolean;
  readonly format: Format;
}
