import { type Html, type HtmlValue, html } from './html.ts';
import type { View } from './page.ts';

/** Renders the field that every form of a signed-in person must have. */
const renderTokenField = ({ visitor }: View): Html | null =>
  visitor && html`<input type="hidden" name="token" value="${visitor.token}">`;

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
