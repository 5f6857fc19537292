/**
 * Forms of a campaign or discovery, `<form data-plan="campaigns">`: say what it costs while one types, and make it, or
 * change the campaign that `data-edits` names.
 */
import { campaignPlan } from "./campaign-plan.ts";
import { discoveryPlan } from "./discovery-plan.ts";
import { submit, textOfError } from "./forms.ts";
import { onRenewed } from "./fresh-page.ts";
import { answerTo, type Plan } from "./plan-calls.ts";
import { showStatus } from "./status-line.ts";

/** Between the last key and the question what it costs. */
const restMs = 500;
const chosen = "form[data-plan]";

const plans: Readonly<Record<string, Plan>> = { campaigns: campaignPlan, discoveries: discoveryPlan };

let timer = 0;
/** Grows with each change, so that an answer to an earlier one is not shown. */
let version = 0;

export function listenToPlanForms(): void {
  onRenewed((place) => {
    const form = place.querySelector<HTMLFormElement>(chosen);
    if (form !== null && form.closest("details:not([open])") === null) {
      void showCost(form);
    }
  });
  const listen = ({ target }: Event) => {
    const form = target instanceof Element ? (target.closest(chosen) ?? target.querySelector(chosen)) : null;
    if (form instanceof HTMLFormElement) {
      clearTimeout(timer);
      timer = window.setTimeout(() => void showCost(form), restMs);
    }
  };
  document.addEventListener("input", listen);
  document.addEventListener("toggle", listen, true);
  document.addEventListener("submit", (event) => {
    const { target: form } = event;
    if (form instanceof HTMLFormElement && form.dataset.plan !== undefined) {
      event.preventDefault();
      void submit(form, async () => {
        const plan = planOf(form);
        return plan.page(await answerTo(await plan.order(form, showStatus)));
      });
    }
  });
}

async function showCost(form: HTMLFormElement): Promise<void> {
  const place = form.querySelector("[data-cost-text]");
  const asked = ++version;
  const plan = planOf(form);
  const text = await costOf(form, plan).catch(textOfError);
  if (place !== null && text !== null && asked === version) {
    place.textContent = text;
    await plan.more?.(form);
  }
}

async function costOf(form: HTMLFormElement, plan: Plan): Promise<string | null> {
  const call = await plan.estimate(form);
  return call === null ? null : plan.cost(await answerTo(call));
}

function planOf(form: HTMLFormElement): Plan {
  const plan = plans[form.dataset.plan ?? ""];
  if (plan === undefined) {
    throw new Error("The page and its script are of different versions: reload it");
  }
  return plan;
}
