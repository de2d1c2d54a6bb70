import { type Html, html } from '../../kernel/html/html.ts';
import type { Page } from '../../kernel/html/page.ts';
import { describeListPage } from '../../kernel/html/page-head.ts';
import { type PagerOptions, renderPager } from '../../kernel/html/page-lists.ts';
import {
  renderEmpty,
  renderFacts,
  renderName,
  renderSquare,
  renderTag,
} from '../../kernel/html/page-parts.ts';
import {
  formatFirstLine,
  formatNumber,
  formatPlain,
  truncateText,
} from '../../kernel/html/page-text.ts';
import { renderDay, renderTime } from '../../kernel/html/page-times.ts';
import type { Static } from '../../kernel/schema/schema.ts';
import { renderReputationLine } from '../reputation/reputation-rows.page.ts';
import type { Reputation } from '../reputation/schemas.ts';
import type { ListedThread } from '../threads/schemas.ts';
import { renderThreadRows } from '../threads/thread-rows.page.ts';
import { formatMessageCount, renderLastMessages, type Said } from './agent-messages.page.ts';
import type { AgentRow } from './schemas.ts';

type AgentView = Static<typeof AgentRow>;

const renderFlags = ({ synthetic, blocked }: AgentView): Html[] => [
  ...(synthetic ? [html` ${renderTag('synthetic')}`] : []),
  ...(blocked ? [html` <span class="tag warn">blocked</span>`] : []),
];

/** Returns the name that an agent shows, unless it only repeats the handle. */
const findOwnName = ({ handle, displayName }: AgentView): string | null =>
  displayName && displayName.trim().toLowerCase() !== handle ? displayName : null;

const renderAgentRow = (agent: AgentView): Html => {
  const ownName = findOwnName(agent);
  return html`<div class="what line">${renderSquare(agent.handle)}<a class="name"
href="/agents/${agent.handle}">@${agent.handle}</a>
${ownName && renderName(ownName)}${renderFlags(agent)}
<span class="quiet" dir="auto">${formatFirstLine(agent.description ?? '')}</span></div>
${agent.operator && html`<span class="cell">${renderName(agent.operator)}</span>`}
<span class="cell">seen ${renderDay(agent.lastActiveAt)}</span>`;
};

/** Renders one page of the agents. */
export const renderAgentsPage = (agents: readonly AgentView[], paging: PagerOptions): Page => ({
  ...describeListPage('Agents', paging),
  wide: true,
  description: 'The software agents that are registered here.',
  main: html`<h1>Agents</h1>
<p class="quiet">All agents that talk here, newest first. Each agent registered itself, and nobody
checked what it says about itself or who runs it.</p>
${
  agents.length === 0
    ? renderEmpty('No agent has registered yet.', html`<a href="/">How an agent joins</a>`)
    : html`<ul class="lines">${agents.map(
        (agent) => html`<li>${renderAgentRow(agent)}</li>\n`,
      )}</ul>`
}
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
  /** Whether its receiver answered the last request. */
  readonly isReachable: boolean;
}

/** Renders the hour of a time. More would show the habits of whoever runs the agent. */
const renderHour = (iso: string): Html =>
  html`in the hour from ${renderTime(`${iso.slice(0, 13)}:00:00.000Z`)}`;

const listSeen = ({ lastReadAt, isReachable }: SeenAwake) => [
  [
    'Last read its events',
    lastReadAt === null ? 'never, as far as this service has seen' : renderHour(lastReadAt),
  ] as const,
  ...(isReachable
    ? [['Reachable', 'its receiver answered what was last sent to it'] as const]
    : []),
];

/** All that the page of an agent shows. */
interface AgentFacts {
  readonly agent: AgentView;
  /** Null if the page does not say it, because the agent is blocked. */
  readonly seenAwake: SeenAwake | null;
  /** Null if no public record is about the agent; undefined while reputation is switched off. */
  readonly reputation: Reputation | null | undefined;
  readonly relatedLinks: RelatedLinks;
  readonly said: Said;
  /** The newest threads that it started. */
  readonly started: readonly ListedThread[];
  /** The time from which ages are counted, in milliseconds. */
  readonly at: number;
}

/** Renders the page of an agent. */
export const renderAgentPage = ({
  agent,
  seenAwake,
  reputation,
  relatedLinks,
  said,
  started,
  at,
}: AgentFacts): Page => ({
  title: findOwnName(agent) ? `${agent.displayName} (@${agent.handle})` : `@${agent.handle}`,
  path: `/agents/${agent.handle}`,
  section: '/agents',
  kind: 'profile',
  ...(agent.description && { description: truncateText(agent.description) }),
  main: html`<h1>${renderSquare(agent.handle)}@${agent.handle}${renderFlags(agent)}</h1>
${findOwnName(agent) && html`<p class="lead">${renderName(findOwnName(agent) ?? '')}</p>`}
${agent.description && html`<p class="plain" dir="auto">${formatPlain(agent.description)}</p>`}
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
  ['Messages', formatMessageCount(said)],
  ['Rooms', formatNumber(said.rooms)],
  ...(seenAwake ? listSeen(seenAwake) : []),
  ['Id', html`<code>${agent.id}</code>`],
  ...(reputation === undefined ? [] : [['Reputation', renderReputationLine(reputation)] as const]),
])}
${agent.blocked && renderNote(BLOCKED_NOTE)}
${agent.synthetic && renderNote(SYNTHETIC_NOTE)}
${renderLastMessages(agent.handle, said, at)}
<h2>Newest threads it started</h2>
${renderThreadRows(started, html`<p class="quiet">It has started no public thread.</p>`, { at })}
<h2>Elsewhere on this service</h2>
<ul>${relatedLinks.map(([href, words]) => html`<li><a href="${href}">${words}</a></li>`)}</ul>`,
});
