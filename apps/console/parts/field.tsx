/** @jsxImportSource hono/jsx */
/** A field of a form with its name above it. `data-kind`: see client/forms.ts. */
import type { Child } from "hono/jsx";

interface FieldProps {
  readonly label: string;
  readonly name: string;
  readonly value?: string | null;
  readonly type?: "text" | "number" | "search" | "datetime-local";
  readonly kind?:
    | "number"
    | "numberOrNull"
    | "words"
    | "neighbors"
    | "counts"
    | "utc"
    | "textOrNull"
    | "commaWords";
  readonly isRequired?: boolean;
  /** Must be typed exactly. */
  readonly mustBe?: string;
  readonly grows?: boolean;
  readonly hint?: string;
  /** Id of a `<datalist>` with what is offered. */
  readonly list?: string;
}

export function Field(props: FieldProps) {
  const {
    label,
    name,
    value,
    type = "text",
    kind,
    isRequired = false,
    mustBe,
    grows = false,
    hint,
    list,
  } = props;
  return (
    <label class={grows ? "field grow" : "field"}>
      <span>{label}</span>
      <input
        type={type}
        name={name}
        value={value ?? ""}
        data-kind={kind}
        required={isRequired || mustBe !== undefined}
        pattern={mustBe === undefined ? undefined : mustBe.replaceAll(/[^\w-]/g, "\\$&")}
        title={mustBe === undefined ? undefined : `Type ${mustBe}`}
        placeholder={hint}
        list={list}
        autocomplete="off"
        spellcheck={false}
      />
    </label>
  );
}

/** What is measured: client/targets.ts reads it. */
export function Targets({ value }: { readonly value: string | null }) {
  return (
    <Field
      label="Targets (names or addresses)"
      name="to"
      value={value}
      isRequired
      grows
      hint="example.org, 192.0.2.1"
    />
  );
}

interface FileFieldProps extends Pick<FieldProps, "label" | "name"> {
  readonly accept: string;
  readonly isRequired?: boolean;
}

export function FileField({ label, name, accept, isRequired = false }: FileFieldProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <input type="file" name={name} accept={accept} required={isRequired} />
    </label>
  );
}

/** True when ticked, else absent. */
export function Tick({ label, name }: Pick<FieldProps, "label" | "name">) {
  return (
    <label>
      <input type="checkbox" name={name} data-kind="flag" /> {label}
    </label>
  );
}

interface YesProps extends Pick<FieldProps, "label" | "name"> {
  readonly isYes: boolean;
}

/** True or false. */
export function YesOrNo({ label, name, isYes }: YesProps) {
  return (
    <label>
      <input type="checkbox" name={name} data-kind="yes" checked={isYes} /> {label}
    </label>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  /** Values with their labels. */
  readonly options: Readonly<Record<string, string>>;
}

export function Choice({ label, name, value, options }: ChoiceProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <select name={name}>
        {Object.entries(options).map(([one, word]) => (
          <option value={one} selected={one === value}>
            {word}
          </option>
        ))}
      </select>
    </label>
  );
}

interface ActionProps {
  /** `DELETE /admin/…`: see client/forms.ts. */
  readonly call: string;
  readonly word: string;
  /** The object, for screen readers, which read the button alone. */
  readonly of: string;
  readonly done: string;
  readonly isDangerous?: boolean;
  readonly body?: unknown;
  /** Shown from the response: a text with its members as `{id}`. */
  readonly shows?: string;
  /** Title of a dialog with it: a key that is not shown again. */
  readonly once?: string;
  /** The page that is opened next, where this one is about what is gone. */
  readonly then?: string;
  readonly children?: Child;
}

/** A button that calls the API. */
export function Action({
  call,
  word,
  of,
  done,
  isDangerous,
  body,
  shows,
  once,
  then,
  children,
}: ActionProps) {
  return (
    <form
      class="action"
      data-call={call}
      data-done={done}
      data-shows={shows}
      data-once={once}
      data-then={then}
      data-body={body === undefined ? undefined : JSON.stringify(body)}
    >
      {children}
      <button type="submit" class={isDangerous === true ? "danger" : undefined} aria-label={`${word} ${of}`}>
        {word}
      </button>
    </form>
  );
}
