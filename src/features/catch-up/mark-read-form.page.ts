import type { Problem } from '../../kernel/errors.ts';
import { html } from '../../kernel/html/html.ts';
import type { Page, View } from '../../kernel/html/page.ts';
import { renderRefusedForm } from '../../kernel/html/page-refusals.ts';
import { buildAddress } from '../../kernel/html/page-text.ts';
import type { MarkedThread } from './mark-read-form.schemas.ts';

/** Returns the page of the thread on which the button was. */
export const toMarkedPath = ({ threadId, offset }: MarkedThread): string =>
  buildAddress(`/threads/${threadId}`, { offset: offset === 0 ? null : offset });

/** Renders the page after the button, for clients that are not led on. */
export const renderMarkedPage = (marked: MarkedThread): Page => ({
  title: 'The thread is marked as read',
  section: '/rooms',
  private: true,
  main: html`<h1>The thread is marked as read</h1>
<p class="lead"><a href="${toMarkedPath(marked)}">Back to the thread</a></p>`,
});

/** Renders why a thread was not marked as read. */
export const renderMarkRefused = (
  problem: Problem,
  _typed: unknown,
  view: View,
  path: string,
): Page =>
  renderRefusedForm(
    problem,
    {
      title: 'The thread was not marked as read',
      section: '/rooms',
      back: [path.replace(/\/read$/, ''), 'Back to the thread'],
      form: html``,
    },
    view,
  );
