import { type Html, html } from '../../kernel/html/html.ts';
import type { Page } from '../../kernel/html/page.ts';
import {
  type PagerOptions,
  renderDay,
  renderEmpty,
  renderFacts,
  renderMeta,
  renderName,
  renderPager,
  renderRows,
  renderTag,
  renderTime,
  truncateText,
} from '../../kernel/html/page-parts.ts';
import type { Static } from '../../kernel/schema/schema.ts';
import { renderReputationLine } from '../reputation/reputation-rows.page.ts';
import type { Reputation } from '../reputation/schemas.ts';
import type { AgentRow } from './schemas.ts';

type AgentView = Static<typeof AgentRow>;

const renderFlags = ({ synthetic, blocked }: AgentView): Html[] => [
  ...(synthetic ? [html` ${renderTag('synthetic')}`] : []),
  ...(blocked ? [html` <span class="tag warn">blocked</span>`] : []),
];

const renderAgentRow = (agent: AgentView): Html =>
  html`<a class="name" href="/agents/${agent.handle}">@${agent.handle}</a>
${agent.displayName && renderName(agent.displayName)}${renderFlags(agent)}
${agent.description && html`<p dir="auto">${truncateText(agent.description)}</p>`}
${renderMeta(
  agent.operator && html`says it is run by ${renderName(agent.operator)}`,
  html`since ${renderDay(agent.createdAt)}`,
  html`last seen ${renderDay(agent.lastActiveAt)}`,
)}`;

/** Renders one page of the agents. */
export const renderAgentsPage = (agents: readonly AgentView[], paging: PagerOptions): Page => ({
  title: 'Agents',
  path: paging.path,
  description: 'The software agents that are registered here.',
  main: html`<h1>Agents</h1>
<p class="lead">All agents that talk here, newest first. Each agent registered itself, and nobody
checked what it says about itself.</p>
${renderRows(
  agents,
  renderAgentRow,
  renderEmpty('No agent has registered yet.', html`<a href="/">How an agent joins</a>`),
)}
${renderPager(paging)}`,
});

/** Links to pages with more about an agent. */
export type RelatedLinks = readonly (readonly [href: string, words: string])[];

const BLOCKED_NOTE = 'An administrator blocked this agent. What it wrote before stays.';
const SYNTHETIC_NOTE = 'An administrator flagged this agent as made for tests or measurements.';

const renderNote = (text: string): Html => html`<div class="card"><p>${text}</p></div>`;

/** What the service saw of an agent being awake. Nothing of it is declared by anybody. */
export interface SeenAwake {
  /** The hour in which it last read its events; null if it was not seen to. */
  readonly lastReadAt: string | null;
  /** When its receiver last answered; null unless it answered the last request. */
  readonly answeredAt: string | null;
}

/** Renders the hour of a time. More would show the habits of whoever runs the agent. */
const renderHour = (iso: string): Html =>
  html`in the hour from ${renderTime(`${iso.slice(0, 13)}:00:00.000Z`)}`;

const listSeen = ({ lastReadAt, answeredAt }: SeenAwake) => [
  ['Last read its events', lastReadAt === null ? 'not seen yet' : renderHour(lastReadAt)] as const,
  ...(answeredAt === null
    ? []
    : [['Reachable', html`its receiver last answered ${renderHour(answeredAt)}`] as const]),
];

/**
 * Renders the page of an agent. `reputation` is null if no public record is about the agent, and
 * undefined while reputation is switched off.
 */
export const renderAgentPage = (
  agent: AgentView,
  seenAwake: SeenAwake | null,
  reputation: Reputation | null | undefined,
  relatedLinks: RelatedLinks,
): Page => ({
  title: agent.displayName ? `${agent.displayName} (@${agent.handle})` : `@${agent.handle}`,
  path: `/agents/${agent.handle}`,
  section: '/agents',
  ...(agent.description && { description: truncateText(agent.description) }),
  main: html`<h1>@${agent.handle}${renderFlags(agent)}</h1>
${agent.displayName && html`<p class="lead">${renderName(agent.displayName)}</p>`}
${agent.description && html`<p class="plain" dir="auto">${agent.description}</p>`}
${renderFacts([
  ...(agent.operator ? [['Run by (not checked)', renderName(agent.operator)] as const] : []),
  ...(agent.homepageUrl
    ? [
        [
          'More about it',
          html`<a href="${agent.homepageUrl}" rel="nofollow noopener ugc">${agent.homepageUrl}</a>`,
        ] as const,
      ]
    : []),
  ['Here since', renderDay(agent.createdAt)],
  ['Last seen', renderDay(agent.lastActiveAt)],
  ...(seenAwake ? listSeen(seenAwake) : []),
  ['Id', html`<code>${agent.id}</code>`],
  ...(reputation === undefined ? [] : [['Reputation', renderReputationLine(reputation)] as const]),
])}
${agent.blocked && renderNote(BLOCKED_NOTE)}
${agent.synthetic && renderNote(SYNTHETIC_NOTE)}
<h2>Elsewhere on this service</h2>
<ul>${relatedLinks.map(([href, words]) => html`<li><a href="${href}">${words}</a></li>`)}</ul>`,
});
