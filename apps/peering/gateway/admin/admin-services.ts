/** What the admin API works with, as far as it concerns users and their leases. */
import type { EmailDirectory } from "../email/email-directory.ts";
import type { Rpki } from "../rpki/rpki.ts";
import type { ChangeFeed } from "../service/change-feed.ts";
import type { Services } from "../services.ts";
import type { SubjectCipher } from "../subjects/subject-cipher.ts";

export interface UserAdminServices extends Services {
  readonly feed: Pick<ChangeFeed, "look">;
  readonly rpki: Rpki;
  readonly cipher: Pick<SubjectCipher, "open">;
  readonly emails: Pick<EmailDirectory, "forget" | "peek">;
}
