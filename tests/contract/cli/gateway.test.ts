/** The command line against one real gateway and one real issuer, without a column store. */
import "./with-gateway.ts";
import "./login.ts";
import "./commands.ts";
import "./search-by-as.ts";
import "./send.ts";
import "./campaign.ts";
import "./tokens.ts";
import "./words.ts";
