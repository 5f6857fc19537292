/** The pages of the development issuer: each shows prominently that it is for development. */
import { Eta } from "eta";
import template from "../../../templates/pages/issuer.eta" with { type: "text" };

interface IssuerPage {
  readonly title: string;
  readonly text: string;
  /** HTML from us or from oidc-provider, with escaped values. Null = no form. */
  readonly form: string | null;
  /** `id` of a form without its own button. */
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
