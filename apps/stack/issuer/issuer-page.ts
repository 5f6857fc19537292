/** The pages of the development issuer: each says in big letters what it is. */
import { Eta } from "eta";
import template from "../../../templates/pages/issuer.eta" with { type: "text" };

export interface IssuerPage {
  readonly title: string;
  readonly text: string;
  /** HTML of ours or of oidc-provider, whose values are escaped already. Null = nothing to fill in. */
  readonly form: string | null;
  /** `id` of a form without a button of its own. */
  readonly formId?: string;
  readonly button?: string;
}

/** HTML. */
export function issuerPage(page: IssuerPage): string {
  return new Eta({ varName: "page" }).renderString(template, page);
}

export const loginForm = `<form id="login" method="post">
<label>Name <input name="name" autofocus required maxlength="255" autocomplete="username"></label>
</form>`;
