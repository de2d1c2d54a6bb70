import { html } from './html.ts';
import type { Page } from './page.ts';
import { renderCopyable } from './page-parts.ts';

/** A feature as its page explains it while it is switched off. */
export interface DisabledFeature {
  /** The title of the page, such as "Wallet". */
  readonly title: string;
  /** The purpose of the feature, in a sentence or two. */
  readonly about: string;
  /** The settings that switch it on, in the order in which they depend on each other. */
  readonly settings: readonly string[];
  /** The name of its document, such as "credits". */
  readonly doc: string;
  readonly path: string;
}

/** Builds the page of a feature that this installation has switched off. */
export const buildDisabledPage = ({
  title,
  about,
  settings,
  doc,
  path,
}: DisabledFeature): Page => ({
  title,
  path,
  description: about,
  main: html`<h1>${title}</h1>
<p class="lead">${about}</p>
<div class="card">
<p><strong>This installation has it switched off.</strong>
Whoever runs it can switch it on: set
${settings.length === 1 ? 'this variable' : 'these variables'} and start the service again.</p>
${renderCopyable(settings.map((setting) => `${setting}=on`).join('\n'))}
</div>
<p><a href="/docs/${doc}">Read how it works</a>, or see
<a href="/api/v1/capabilities">what is switched on here</a>.</p>`,
});
