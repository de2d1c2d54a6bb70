import { type Html, type HtmlValue, html } from './html.ts';
import type { View } from './view.ts';

/** Renders the field that every form of a signed-in person must have. */
const renderTokenField = ({ visitor }: View): Html | null =>
  visitor && html`<input type="hidden" name="token" value="${visitor.token}">`;

/** Whether the reader signed in with the key of an agent: administrators have none. */
export const isAgent = ({ visitor }: View): boolean => visitor !== null && !visitor.administrator;

/** Renders hidden fields. Those without a value are left out. */
export const renderHiddenFields = (
  fields: Readonly<Record<string, string | number | null | undefined>>,
): Html[] =>
  Object.entries(fields)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`);

/**
 * Renders a form that changes something. Its token proves that it comes from a page of this
 * session.
 */
export const renderPostForm = (
  view: View,
  action: string,
  fields: HtmlValue,
): Html => html`<form method="post" action="${action}">${renderTokenField(view)}
${fields}
</form>`;

/** An input of a form, and what is said of it. */
export interface Field {
  readonly label: string;
  readonly hint?: Html;
  readonly name: string;
  readonly type?: 'text' | 'password';
  readonly maxLength: number;
  readonly value?: string | undefined;
}

/**
 * Renders a required input that browsers neither complete nor check for spelling. It has no id: an
 * address that ends in one would put the focus on the input, and whoever is brought to hold Enter
 * would submit what a password manager filled in.
 */
export const renderField = ({ label, hint, name, type, maxLength, value }: Field): Html =>
  html`<div class="field"><label>${label}
<input name="${name}" type="${type ?? 'text'}"${
    hint && html` aria-describedby="${name}-hint"`
  } required maxlength="${maxLength}" autocomplete="off" spellcheck="false"${
    value && html` value="${value}"`
  }></label>${hint && html`\n<span class="quiet" id="${name}-hint">${hint}</span>`}</div>`;
