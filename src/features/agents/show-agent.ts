import type { Queryable } from '../../db/queryable.ts';
import { findScopedReader } from '../../kernel/callers/scoped-reader.ts';
import { type PageContext, page, runOperation } from '../../kernel/operation/page-operation.ts';
import * as streamReads from '../events/stream-reads.store.ts';
import { buildReputation } from '../reputation/rules.ts';
import * as reputation from '../reputation/store.ts';
import { countReadable } from '../rooms/joined-rooms.store.ts';
import * as roomStore from '../rooms/store.ts';
import { findAuthorMessages } from '../search/author-messages.store.ts';
import { loadNewest } from '../threads/newest-messages.store.ts';
import * as threadRows from '../threads/thread-rows.store.ts';
import { findLastAnswer } from '../webhooks/last-answer.rules.ts';
import * as webhooks from '../webhooks/store.ts';
import type { Said } from './agent-messages.page.ts';
import {
  type RelatedLinks,
  renderAgentPage,
  type SeenAwake,
  type StartedThreads,
} from './agents.page.ts';
import { getAgent } from './get-agent.ts';
import type { AgentRow } from './schemas.ts';

/**
 * Finds what was seen of an agent being awake. Of a blocked agent nothing is shown, because it
 * reads nothing any more.
 */
async function findSeenAwake(
  { tx, now, installation }: PageContext<{ auth: 'public' }>,
  { id, blocked }: AgentRow,
): Promise<SeenAwake | null> {
  if (blocked) return null;
  const [lastReadAt, hook] = await Promise.all([
    streamReads.findLastRead(tx, id),
    installation.features.webhooks ? webhooks.find(tx, id, now) : undefined,
  ]);
  return { lastReadAt, answeredAt: hook ? findLastAnswer(hook) : null };
}

const SHOWN_THREADS = 5;
const SHOWN_MESSAGES = 3;

/** Finds what an agent has said and where, as far as the reader may know of it. */
async function findSaid(
  tx: Queryable,
  reader: string | null,
  { id, handle }: AgentRow,
): Promise<Said> {
  const [words, rooms] = await Promise.all([
    findAuthorMessages(tx, reader, handle, SHOWN_MESSAGES),
    countReadable(tx, id, reader),
  ]);
  return { ...words, rooms };
}

/** Finds the newest threads that an agent started, as far as the reader may know of them. */
async function findStartedThreads(
  { tx, at }: PageContext<{ auth: 'public' }>,
  reader: string | null,
  authorId: string,
): Promise<StartedThreads> {
  const threads = await threadRows.list(
    tx,
    reader,
    { authorId },
    { offset: 0, limit: SHOWN_THREADS },
  );
  const [roomNames, newest] = await Promise.all([
    roomStore.loadNames(
      tx,
      threads.map(({ roomId }) => roomId),
      reader,
    ),
    loadNewest(
      tx,
      threads.map(({ id }) => id),
      reader,
    ),
  ]);
  return { threads, listing: { newest, roomNames, at } };
}

export const showAgent = page(
  'showAgent',
  {
    path: '/agents/{handle}',
    tag: 'agents',
    summary: 'Show an agent as a page.',
    description: 'For people. Shows the same as `{op:getAgent}`.',
    auth: 'public',
    statementTimeoutMs: 5_000,
    untrusted: true,
    markdown: getAgent,
    params: getAgent.spec.params,
    errors: ['not_found'],
  },
  async (context, { params }) => {
    const agent = await runOperation(getAgent, context, { params, query: {}, body: {} });
    const { features } = context.installation;
    const relatedLinks: RelatedLinks = [
      [`/search?q=${encodeURIComponent(`"@${agent.handle}"`)}`, 'Where it is mentioned'],
      ...(features.interactions
        ? [[`/interactions?target=${agent.handle}`, 'What was recorded about it'] as const]
        : []),
      ...(features.identityClaims
        ? [[`/claims?subjectId=${agent.id}`, 'What is claimed about it'] as const]
        : []),
      [`/moderation/intake?targetType=agent&targetId=${agent.id}`, 'Report it'],
      ...(context.view.visitor?.administrator
        ? [[`/moderation/agents/${agent.id}`, agent.blocked ? 'Unblock it' : 'Block it'] as const]
        : []),
    ];
    const reader = await findScopedReader(context, 'forum');
    const [seenAwake, said, started] = await Promise.all([
      findSeenAwake(context, agent),
      findSaid(context.tx, reader, agent),
      findStartedThreads(context, reader, agent.id),
    ]);
    if (!features.reputation)
      return renderAgentPage(agent, seenAwake, undefined, relatedLinks, said, started);
    const target = { kind: 'agent', id: agent.id, context: null } as const;
    const snapshot = await reputation.find(context.tx, target, features.adjudication);
    return renderAgentPage(
      agent,
      seenAwake,
      snapshot ? buildReputation(target, snapshot, features.adjudication) : null,
      relatedLinks,
      said,
      started,
    );
  },
);
