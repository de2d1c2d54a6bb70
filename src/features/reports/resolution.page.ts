import type { Problem } from '../../kernel/errors.ts';
import { html } from '../../kernel/html/html.ts';
import type { Page, View } from '../../kernel/html/page.ts';
import { MODERATION_PATH } from './reports.page.ts';

/** Renders the page that confirms that a report was closed. */
export const renderResolvedPage = ({ visitor }: View): Page => ({
  title: 'The report is closed',
  section: MODERATION_PATH,
  private: true,
  main: html`<h1>The report is closed</h1>
<p>It is in <a href="${MODERATION_PATH}/audit">the audit</a>${visitor && `, under ${visitor.name}`}.
<a href="${MODERATION_PATH}">Open reports</a></p>`,
});

/** Renders the page that says why a report was not closed. */
export const renderNotResolvedPage = ({ title, detail }: Problem): Page => ({
  title: 'The report was not closed',
  section: MODERATION_PATH,
  private: true,
  main: html`<h1>The report was not closed</h1>
<div class="faults" role="alert"><h2>${title}</h2><p>${detail}</p></div>
<p><a href="${MODERATION_PATH}">Open reports</a></p>`,
});
