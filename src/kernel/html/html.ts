import { memoize } from '../memoize.ts';

/** Text that is HTML already. Only `html` and `trusted` make it; everything else is escaped. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/**
 * What may stand in a template: nothing for null, undefined and false, so that `condition && html`
 * reads well.
 */
export type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[];

/** HTML has no way to write a NUL; a browser shows this in its place. */
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\0': '\ufffd',
};

const escapeText = (text: string): string =>
  text.replace(/[&<>"'\0]/g, (character) => entities[character] ?? '');

function renderValue(value: HtmlValue): string {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(renderValue).join('');
  return value === null || value === undefined || value === false ? '' : escapeText(String(value));
}

/** Where in the markup a value stands. */
type TemplatePlace = 'text' | 'attribute' | 'tag';

/**
 * One walk over a template's own text, which no value can change: a value's place is known before
 * there are values.
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

/** A template literal's strings are one object for the life of the process. */
const getPlaces = memoize(findPlaces);

/**
 * Escaping is enough in text and in a quoted value only: between the attributes of a tag stands
 * HTML of our own or nothing.
 */
function assertPlace(place: TemplatePlace | undefined, value: HtmlValue): void {
  if (place === 'tag' && renderValue(value) !== '' && !(value instanceof Html))
    throw new Error('A value inside a tag stands in quotes, or is HTML.');
}

/**
 * HTML with values: html`<p title="${title}">${text}</p>`. Texts are escaped, HTML stays, lists are
 * joined. Not for values inside <script>, <style> or a comment. Errors: throws for a text between
 * the attributes of a tag.
 */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  const places = getPlaces(strings);
  const text = values.map((value, index) => {
    assertPlace(places[index], value);
    return renderValue(value) + (strings[index + 1] ?? '');
  });
  return new Html((strings[0] ?? '') + text.join(''));
}

/** HTML that is known to be safe, because no one but us wrote it. */
export const trustHtml = (text: string): Html => new Html(text);
