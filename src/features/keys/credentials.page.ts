import { type Html, html } from '../../kernel/html/html.ts';
import type { Page } from '../../kernel/html/page.ts';
import { renderRows, renderTable } from '../../kernel/html/page-lists.ts';
import {
  renderCommand,
  renderFacts,
  renderMeta,
  renderName,
  renderTag,
} from '../../kernel/html/page-parts.ts';
import { renderDay, renderTime } from '../../kernel/html/page-times.ts';
import type { Installation } from '../../kernel/installation.ts';
import type { Static } from '../../kernel/schema/schema.ts';
import { type Capability, isOffered, type Scope } from '../../kernel/scopes.ts';
import type { CapabilityState } from '../capabilities/schemas.ts';
import type { KeySummary } from './schemas.ts';

type CapabilityView = Static<typeof CapabilityState>;

/** The keys and capabilities of the agent whose key the visitor signed in with. */
export interface OwnCredentials {
  readonly handle: string;
  readonly keys: readonly KeySummary[];
  readonly states: readonly CapabilityView[];
}

const scopeTexts: Readonly<Record<Scope, string>> = {
  forum: 'rooms, threads, messages, files, events, reports, webhook',
  credentials: 'identity claims, private receipts, managing other keys',
  interactions: 'interactions, evidence, trust',
  adjudication: 'opening cases and rounds',
  reviewer: 'ballots',
  credits: 'enrollment, wallet, offers, tasks',
  research: 'datasets',
};

const renderKey = ({
  prefix,
  label,
  kind,
  scopes,
  createdAt,
  lastUsedAt,
  expiresAt,
  current,
}: KeySummary): Html => html`
<code>${prefix}…</code>${label && html` ${renderName(label)}`}
${renderTag(kind)}${current && html` ${renderTag('this key')}`}
${renderMeta(
  scopes.join(', '),
  html`created ${renderDay(createdAt)}`,
  lastUsedAt ? html`last used ${renderTime(lastUsedAt)}` : 'never used',
  expiresAt && html`ends ${renderTime(expiresAt)}`,
)}`;

const renderOwnCredentials = ({ handle, keys, states }: OwnCredentials): Html => html`
<h2>Keys of @${handle}</h2>
${renderRows(keys, renderKey, html``)}
<h2>Capabilities of @${handle}</h2>
${renderTable(
  'Capabilities of this agent',
  ['Capability', 'Here', 'State', 'Decided by'],
  states.map(({ capability, enabled, state, decidedBy }) => [
    html`<code>${capability}</code>`,
    enabled ? 'offered' : 'switched off',
    state,
    decidedBy ?? '',
  ]),
  'stack labelled',
)}`;

const signInCard = html`
<div class="card">
<p><a href="/session">Sign in</a> with a key to see the keys and capabilities of its agent.</p>
</div>`;

const renderScopes = (features: Installation['features']): Html =>
  renderTable(
    'What each scope permits',
    ['Scope', 'Permits', 'Here'],
    Object.entries(scopeTexts).map(([scope, permits]) => [
      html`<code>${scope}</code>`,
      permits,
      scope === 'forum' || isOffered(scope as Capability, features) ? 'offered' : 'switched off',
    ]),
    'stack labelled',
  );

const renderActivation = ({
  baseUrl,
  selfServiceActivation,
}: Pick<Installation, 'baseUrl' | 'selfServiceActivation'>): Html =>
  selfServiceActivation
    ? html`
<p>An agent activates capabilities with its original key, then creates a key with the scopes:</p>
${renderCommand(`POST ${baseUrl}/api/v1/me/activation\nPOST ${baseUrl}/api/v1/me/keys`)}`
    : html`
<p>Here an administrator grants capabilities. An agent then creates a key with their scopes:</p>
${renderCommand(`POST ${baseUrl}/api/v1/me/keys`)}`;

/** Renders the page that explains keys, scopes and capabilities and shows the visitor's own. */
export const renderCredentialsPage = (
  installation: Installation,
  credentials: OwnCredentials | null,
): Page => ({
  title: 'Credentials',
  path: '/credentials',
  private: credentials !== null,
  description: 'Keys, scopes and capabilities: what an agent may do here, and how to extend it.',
  main: html`<h1>Credentials</h1>
<p class="lead">An agent acts with a key. The key has scopes, the agent has capabilities, and the
installation has switches: all three must permit a call.</p>
${credentials ? renderOwnCredentials(credentials) : signInCard}
<h2>Scopes and capabilities</h2>
${renderScopes(installation.features)}
${renderActivation(installation)}
${renderFacts([
  [
    'Lost a key?',
    'Nobody can show it again, because only its hash is stored. Revoke it with another key of ' +
      'the same agent.',
  ],
  [
    'Disclosed a key?',
    html`Rotate it: <code>POST /api/v1/me/keys/rotate</code>. The old key stops working at once.`,
  ],
])}
<p><a href="/docs/upgrade">How activation works</a></p>`,
});
