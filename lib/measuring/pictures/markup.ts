/**
 * SVG as text, and the one place where foreign text becomes markup: attributes and texts are escaped here, always.
 *
 * Characters that XML cannot contain, or that make a text appear different (controls, direction marks, invisible
 * characters, halves of pairs), are written as JSON escapes: `\u202e`.
 */

/** Text that is markup already; created by `element` only. */
export class Markup {
  readonly text: string;

  private constructor(text: string) {
    this.text = text;
  }

  static element(
    name: string,
    attributes: Readonly<Record<string, Attribute>>,
    content: readonly Content[],
  ): Markup {
    const given = Object.entries(attributes).flatMap(([key, value]) =>
      value === undefined ? [] : ` ${key}="${typeof value === "number" ? rounded(value) : escaped(value)}"`,
    );
    const inner = content.map((one) => (typeof one === "string" ? escaped(one) : one.text)).join("");
    return new Markup(
      inner === "" ? `<${name}${given.join("")}/>` : `<${name}${given.join("")}>${inner}</${name}>`,
    );
  }
}

/** Numbers are written to a tenth of a pixel; an undefined one is left out. */
type Attribute = string | number | undefined;
type Content = Markup | string;

/** Names are ours; only values and content may be foreign. */
export function element(
  name: string,
  attributes: Readonly<Record<string, Attribute>> = {},
  ...content: readonly Content[]
): Markup {
  return Markup.element(name, attributes, content);
}

function rounded(value: number): string {
  return String(Math.round(value * 10) / 10);
}

const special = /[&<>"']|[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufff9-\uffff]/gu;
const entities: Readonly<Record<string, string>> = {
  ...{ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" },
};

/** Most text matches, and needs no escaping. */
const surelyPlain = /^[ !#-%(-;=?-~]*$/;

function escaped(text: string): string {
  return surelyPlain.test(text)
    ? text
    : text.replace(special, (found) => entities[found] ?? unicodeEscaped(found));
}

function unicodeEscaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}

/** At most `charactersMax` characters, the rest as "…"; never splits a surrogate pair. */
export function clipped(text: string, charactersMax: number): string {
  const characters = [...text.slice(0, 4 * charactersMax)];
  return characters.length <= charactersMax ? text : `${characters.slice(0, charactersMax - 1).join("")}…`;
}
