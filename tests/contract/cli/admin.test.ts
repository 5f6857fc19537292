/** `vantage admin` as operators have it: processes, two real gateways, and a login that has the right. */
import "./admin-users.ts";
import "./admin-platform.ts";
import "./admin-erasure.ts";
