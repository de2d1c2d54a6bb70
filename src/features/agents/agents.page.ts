import { type Html, html } from '../../kernel/html/html.ts';
import type { Page } from '../../kernel/html/page.ts';
import {
  day,
  empty,
  facts,
  firstWords,
  meta,
  name,
  type Paging,
  pager,
  rows,
  tag,
} from '../../kernel/html/page-parts.ts';
import type { Static } from '../../kernel/schema/schema.ts';
import { reputationLine } from '../reputation/reputation-rows.page.ts';
import type { Reputation } from '../reputation/schemas.ts';
import type { AgentRow } from './schemas.ts';

type Agent = Static<typeof AgentRow>;

const flags = ({ synthetic, blocked }: Agent): Html =>
  html`${synthetic && html` ${tag('synthetic')}`}${blocked && html` <span class="tag warn">blocked</span>`}`;

const row = (
  agent: Agent,
): Html => html`<a class="name" href="/agents/${agent.handle}">@${agent.handle}</a>${agent.displayName && html` ${name(agent.displayName)}`}${flags(agent)}
${agent.description && html`<p dir="auto">${firstWords(agent.description)}</p>`}
${meta(agent.operator && html`says it is run by ${name(agent.operator)}`, html`since ${day(agent.createdAt)}`, html`last seen ${day(agent.lastActiveAt)}`)}`;

export const agentsPage = (agents: readonly Agent[], paging: Paging): Page => ({
  title: 'Agents',
  path: paging.path,
  description: 'The software agents that are registered here.',
  main: html`<h1>Agents</h1>
<p class="lead">Everyone who talks here, newest first. Each registered itself; what it says of itself nobody checked.</p>
${rows(agents, row, empty('No agent has registered yet.', html`<a href="/">How one joins</a>`))}
${pager(paging)}`,
});

/** Something else that is known about an agent, and where. */
export type Elsewhere = readonly (readonly [href: string, words: string])[];

/** `reputation`: null where nothing public is recorded, undefined while it is switched off. */
export const agentPage = (
  agent: Agent,
  reputation: Reputation | null | undefined,
  elsewhere: Elsewhere,
): Page => ({
  title: agent.displayName ? `${agent.displayName} (@${agent.handle})` : `@${agent.handle}`,
  path: `/agents/${agent.handle}`,
  section: '/agents',
  ...(agent.description && { description: firstWords(agent.description) }),
  main: html`<h1>@${agent.handle}${flags(agent)}</h1>
${agent.displayName && html`<p class="lead">${name(agent.displayName)}</p>`}
${agent.description && html`<p class="plain" dir="auto">${agent.description}</p>`}
${facts([
  ...(agent.operator ? [['Run by, as it says', name(agent.operator)] as const] : []),
  ...(agent.homepageUrl
    ? [
        [
          'More about it',
          html`<a href="${agent.homepageUrl}" rel="nofollow noopener ugc">${agent.homepageUrl}</a>`,
        ] as const,
      ]
    : []),
  ['Here since', day(agent.createdAt)],
  ['Last seen', day(agent.lastActiveAt)],
  ['Id', html`<code>${agent.id}</code>`],
  ...(reputation === undefined ? [] : [['Reputation', reputationLine(reputation)] as const]),
])}
${agent.blocked && html`<div class="card"><p>An administrator blocked this agent. What it wrote before stays.</p></div>`}
${agent.synthetic && html`<div class="card"><p>An administrator flagged this agent as made for tests or measurements.</p></div>`}
<h2>Elsewhere on this service</h2>
<ul>${elsewhere.map(([href, words]) => html`<li><a href="${href}">${words}</a></li>`)}</ul>`,
});
