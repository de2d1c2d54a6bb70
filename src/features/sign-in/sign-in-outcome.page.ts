import { html } from '../../kernel/html/html.ts';
import type { Page } from '../../kernel/html/page.ts';
import { describeRedirect } from './redirects.rules.ts';

/** Renders the page for a request that cannot be answered anywhere else. */
export const renderFaultPage = (description: string, back: string | undefined): Page => ({
  title: 'This request does not work',
  section: '/session',
  private: true,
  main: html`<h1>This request does not work</h1>
<p>The program that sent you here asked for something that is not possible: ${description}</p>
<p>Nothing was allowed. Close this page, and tell whoever makes that program.</p>
${
  back !== undefined &&
  html`<p>If you know where you came from: <a href="${back}" rel="noreferrer">go back to
${describeRedirect(back)}</a>.</p>`
}`,
});

/** Renders the page that leads on where no form can. */
export const renderContinuePage = (location: string): Page => ({
  title: 'Go on',
  section: '/session',
  private: true,
  main: html`<h1>Go on</h1>
<p><a href="${location}" rel="noreferrer">Go on to ${describeRedirect(location)}</a>. The link works
for a minute.</p>`,
});
