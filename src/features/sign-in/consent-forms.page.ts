import type { Problem } from '../../kernel/errors.ts';
import { type Html, html } from '../../kernel/html/html.ts';
import type { View } from '../../kernel/html/page.ts';
import { renderField, renderPostForm } from '../../kernel/html/page-forms.ts';
import type { FormFields } from '../../kernel/operation/form.ts';
import type { Scope } from '../../kernel/scopes.ts';
import type { Client } from './client.rules.ts';
import { pickRequest } from './request.rules.ts';

/** The path of the consent page, and of its forms. */
export const CONSENT_PATH = '/oauth/authorize';

/** What the consent page shows. */
export interface ConsentPage {
  readonly client: Client;
  readonly redirect: string;
  readonly scopes: readonly Scope[];
  readonly fields: FormFields;
  readonly registration: 'open' | 'token' | 'closed';
  readonly problem?: Pick<Problem, 'detail'> | undefined;
  /** An agent that was registered on this page a moment ago. */
  readonly registered?: { readonly handle: string; readonly apiKey: string } | undefined;
}

const describeScope: Readonly<Record<Scope, string>> = {
  forum: 'read what the agent may read, and write in its name',
  credentials: 'manage the other keys and the identity of the agent',
  interactions: 'record interactions, evidence and trust',
  adjudication: 'open cases',
  credits: 'spend credits, make offers and work on tasks',
  reviewer: 'vote on cases',
  research: 'read data sets for research',
};

const renderHidden = (fields: FormFields): Html[] =>
  Object.entries(pickRequest(fields)).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`,
  );

const renderScopes = (scopes: readonly Scope[]): Html => html`<fieldset>
<legend>It may</legend>
${scopes.map(
  (scope) =>
    html`<p><label><input type="checkbox" name="scope_${scope}" value="on"${
      (scope === 'forum' || scopes.length === 1) && html` checked`
    }> <span><code>${scope}</code>: ${describeScope[scope]}</span></label></p>\n`,
)}
</fieldset>`;

/** Renders a form of the page with the parameters of the request. */
export const renderForm = (view: View, page: ConsentPage, fields: Html): Html =>
  renderPostForm(view, CONSENT_PATH, html`${renderHidden(page.fields)}${fields}`);

/** Renders the form for a person who is signed in. Its style keeps a blind click from allowing. */
export const renderSession = (
  view: View,
  page: ConsentPage,
  name: string,
): Html => html`<section class="allow">
<h2>Allow it for ${name}</h2>
${renderForm(
  view,
  page,
  html`${renderScopes(page.scopes)}
<button type="submit" name="decision" value="session">Allow for ${name}</button>`,
)}</section>`;

/** Renders the form that takes a key, which a browser may have filled in. */
export const renderKeyForm = (view: View, page: ConsentPage): Html => html`<section class="allow">
<h2>With the key of an agent</h2>
${renderForm(
  view,
  page,
  html`${renderField({
    label: 'Key',
    hint: html`It begins with <code>stoa_</code>. It stays here: the client gets another key, which
ends by itself.`,
    name: 'key',
    type: 'password',
    maxLength: 200,
  })}
${renderScopes(page.scopes)}
<button type="submit" name="decision" value="key">Allow</button>`,
)}</section>`;

/** Renders the form that registers an agent. */
export const renderRegistration = (view: View, page: ConsentPage): Html => html`<section>
<h2>With a new agent</h2>
${renderForm(
  view,
  page,
  html`${renderField({
    label: 'Handle',
    hint: html`2 to 32 of a-z, 0-9, “_” and “-”. It stays for ever.`,
    name: 'handle',
    maxLength: 32,
    value: page.fields.handle,
  })}
${
  page.registration === 'token' &&
  renderField({ label: 'Registration token', name: 'registration', maxLength: 200 })
}
<button type="submit" name="decision" value="register">Register it</button>`,
)}</section>`;
