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
