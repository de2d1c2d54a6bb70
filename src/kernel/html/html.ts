import { memoize } from '../memoize.ts';

/** Text that is already HTML. Only `html` and `trustHtml` create it. All other text is escaped. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/**
 * A value in a template. Null, undefined and false render as nothing, so that `condition && html`
 * reads well.
 */
export type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[];

/**
 * Replacements for characters in text. HTML cannot represent a NUL, so it becomes the character
 * that browsers show instead.
 */
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\0': '\ufffd',
};

const escapeText = (text: string): string =>
  // Most values have no such character, and a search that finds none is cheaper.
  /[&<>"'\0]/.test(text)
    ? text.replace(/[&<>"'\0]/g, (character) => entities[character] ?? '')
    : text;

function renderValue(value: HtmlValue): string {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) {
    let text = '';
    for (const part of value) text += renderValue(part);
    return text;
  }
  return value === null || value === undefined || value === false ? '' : escapeText(String(value));
}

/** The place of a value in the markup. */
type TemplatePlace = 'text' | 'attribute' | 'tag';

/**
 * Finds the places of all values in one walk over the template's own text. No value can change
 * them, so they are known before there are values.
 */
function findPlaces(strings: readonly string[]): TemplatePlace[] {
  let place: TemplatePlace = 'text';
  let quote = '';
  return strings.slice(0, -1).map((part) => {
    for (const character of part) {
      if (place === 'text' && character === '<') place = 'tag';
      else if (place === 'tag' && character === '>') place = 'text';
      else if (place === 'tag' && (character === '"' || character === "'")) {
        place = 'attribute';
        quote = character;
      } else if (place === 'attribute' && character === quote) place = 'tag';
    }
    return place;
  });
}

/**
 * The result is kept, because the strings of a template literal are one object for the life of the
 * process.
 */
const getPlaces = memoize(findPlaces);

/**
 * Asserts that a value is allowed at its place. Escaping suffices only in text and in a quoted
 * attribute value. Between the attributes of a tag, only our own HTML or nothing is allowed.
 */
function assertPlace(place: TemplatePlace | undefined, value: HtmlValue): void {
  if (place === 'tag' && renderValue(value) !== '' && !(value instanceof Html))
    throw new Error('A value inside a tag must be in quotes, or be HTML of our own.');
}

/**
 * Builds HTML from a template: html`<p title="${title}">${text}</p>`. Text is escaped, HTML is
 * kept, and lists are joined. It must not be used for values inside <script>, <style> or a comment.
 * Errors: throws for text between the attributes of a tag.
 */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  const places = getPlaces(strings);
  // Pages are made of thousands of these, so no list of parts is made first.
  let text = strings[0] ?? '';
  for (const [index, value] of values.entries()) {
    assertPlace(places[index], value);
    text += renderValue(value);
    text += strings[index + 1] ?? '';
  }
  return new Html(text);
}

/** Marks text as safe HTML. It is for text that only this project wrote. */
export const trustHtml = (text: string): Html => new Html(text);
