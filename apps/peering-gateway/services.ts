/** What the routes of the gateway work with. */
import type { TokenVerifier } from "../../lib/auth/token-verifier.ts";
import type { Logger } from "../../lib/observe/log.ts";
import type { Database } from "../../lib/store/postgres/open.ts";
import type { GatewayConfig } from "./config.ts";
import type { EmailDirectory } from "./email/email-directory.ts";
import type { GatewayMetrics } from "./metrics.ts";
import type { Rpki } from "./rpki/rpki.ts";
import type { ChangeFeed } from "./service/change-feed.ts";
import type { ServiceKeys } from "./service/service-keys.ts";
import type { SubjectCipher } from "./subjects/subject-cipher.ts";
import type { InfoReader } from "./users/info.ts";

export interface Services {
  readonly config: GatewayConfig;
  /** In plain; compare hashes (lib/auth/secret-key.ts). */
  readonly adminKey: string;
  readonly database: Database;
  readonly tokens: TokenVerifier;
  readonly cipher: SubjectCipher;
  readonly infos: InfoReader;
  readonly emails: EmailDirectory;
  readonly feed: ChangeFeed;
  readonly rpki: Rpki;
  readonly serviceKeys: ServiceKeys;
  readonly log: Logger;
  readonly metrics: GatewayMetrics;
}
