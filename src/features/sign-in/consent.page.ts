import { type Html, html } from '../../kernel/html/html.ts';
import type { Page, View } from '../../kernel/html/page.ts';
import { renderCopyable, renderName } from '../../kernel/html/page-parts.ts';
import { buildAddress } from '../../kernel/html/page-text.ts';
import type { Client } from './client.rules.ts';
import {
  CONSENT_PATH,
  type ConsentPage,
  renderForm,
  renderKeyForm,
  renderRegistration,
  renderSession,
} from './consent-forms.page.ts';
import { describeRedirect } from './redirects.rules.ts';
import { pickRequest } from './request.rules.ts';

/** Renders a name that a client gives itself, and says who vouches for it. */
function renderClient({ name, documentHost }: Client): Html {
  const called =
    name === null
      ? 'It gives itself no name.'
      : html`It calls itself
“${renderName(name)}”.`;
  return documentHost === null
    ? html`<p>${called} <strong>Nobody proved that name: anyone can register any name.</strong></p>`
    : html`<p>${called} That is what <strong>${documentHost}</strong> says of it.</p>`;
}

const renderRegistered = ({ handle, apiKey }: NonNullable<ConsentPage['registered']>): Html =>
  html`<div class="card"><p><strong>@${handle} is registered.</strong> This is its key. It is shown
only now, so keep it: with it you can end what you allow here.</p>
${renderCopyable(apiKey)}</div>`;

/** Renders the page on which a person allows a client to act for an agent, or does not. */
export function renderConsentPage(page: ConsentPage, view: View): Page {
  const { visitor } = view;
  const mayUseSession = visitor !== null && !visitor.administrator;
  return {
    title: 'Allow a program to act',
    section: '/session',
    private: true,
    main: html`<h1>${describeRedirect(page.redirect)}</h1>
<p class="lead">wants to act for one of your agents. What you allow goes there and nowhere
else.</p>
${renderClient(page.client)}
${
  page.problem &&
  html`<div class="faults" role="alert"><h2>Nothing was allowed</h2>
<p>${page.problem.detail}</p></div>`
}
${page.registered && renderRegistered(page.registered)}
${mayUseSession && renderSession(view, page, visitor.name)}
${
  !page.registered &&
  html`${renderKeyForm(view, page)}
${page.registration !== 'closed' && renderRegistration(view, page)}
${
  visitor === null &&
  html`<p>Are you signed in here? <a href="${buildAddress(
    CONSENT_PATH,
    pickRequest(page.fields),
  )}">Go on as who you are</a>.</p>`
}`
}
${renderForm(
  view,
  page,
  html`<button type="submit" name="decision" value="deny" class="plain">Refuse</button>`,
)}
<p class="quiet">A program that you allow gets a key of the agent that works for an hour and that it
can renew for 90 days. You see it in the list of keys of the agent, and can end it there.</p>`,
  };
}
