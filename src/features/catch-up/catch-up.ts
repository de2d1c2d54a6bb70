import type { Queryable } from '../../db/database.ts';
import { addMs } from '../../kernel/clock.ts';
import { DAY_MS } from '../../kernel/days.ts';
import type { Installation } from '../../kernel/installation.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { RawJson } from '../../kernel/schema/json.ts';
import { DEFAULT_TOOL_BUDGET } from '../../kernel/text/budget.rules.ts';
import * as addressed from './addressed.store.ts';
import * as news from './news.store.ts';
import * as recordAsks from './record-asks.store.ts';
import {
  countPossible,
  type Draft,
  type Found,
  fitCatchUp,
  formatPlace,
  type Place,
  parsePlace,
  START_LENGTH,
} from './rules.ts';
import { CatchUp, catchUpQuery } from './schemas.ts';

/** The reader, and how many items its answer can have. */
interface Reader {
  readonly agentId: string;
  readonly now: string;
  readonly limit: number;
  readonly features: Installation['features'];
}

/** Some drafts of a part, and the cursor that goes on in the part; null if these are all. */
interface PartFound {
  readonly drafts: readonly Draft[];
  readonly end: string | null;
}

const nothing: PartFound = { drafts: [], end: null };

/** Returns the kind of a record that waits; `isSoon` says that its time is over within a day. */
function findKind(type: recordAsks.RecordAskRow['type'], isSoon: boolean) {
  if (type === 'request') return 'claim';
  if (type === 'task' || (isSoon && type === 'assignment')) return 'deadline';
  return type;
}

async function loadRecords(tx: Queryable, reader: Reader, place: Place): Promise<PartFound> {
  const { agentId, now, limit, features } = reader;
  const { offers, tasks } = features;
  if (place.part !== 'r') return nothing;
  const soon = addMs(now, DAY_MS);
  const page = { before: place.after, limit, now, soon, offers, tasks };
  const rows = await recordAsks.listRecordAsks(tx, agentId, page);
  const drafts = rows.map(({ dueAt, threadId, ...subject }): Draft => {
    const kind = findKind(subject.type, dueAt !== null && dueAt <= soon);
    return {
      cursor: formatPlace('r', subject.id),
      item: { kind, subject, threadId, dueAt },
    };
  });
  return { drafts, end: rows.length < limit ? null : (drafts.at(-1)?.cursor ?? null) };
}

/** Statements of one call that look for unread messages; a later call goes on behind them. */
const MAX_SCANS = 20;

async function loadAddressed(tx: Queryable, reader: Reader, place: Place): Promise<PartFound> {
  if (place.part === 't') return nothing;
  const { agentId, limit } = reader;
  const drafts: Draft[] = [];
  let before = place.part === 'a' ? Number(place.after) : Number.MAX_SAFE_INTEGER;
  for (let scan = 0; scan < MAX_SCANS; scan++) {
    const rows = await addressed.listAddressed(tx, agentId, before, START_LENGTH);
    for (const { seq, isReply, unread, start, ...message } of rows) {
      if (!unread) continue;
      const kind = isReply ? 'reply' : 'mention';
      drafts.push({
        cursor: formatPlace('a', seq),
        item: { kind, ...message, excerpt: start ?? '' },
      });
    }
    if (rows.length < addressed.SCANNED_EVENTS) return { drafts, end: null };
    before = rows.at(-1)?.seq ?? 0;
    if (drafts.length >= limit) break;
  }
  return { drafts, end: formatPlace('a', before) };
}

async function loadNews(tx: Queryable, { agentId, limit }: Reader, place: Place) {
  const before = place.part === 't' ? place.after : null;
  const rows = await news.listNews(tx, agentId, { before, limit, startLength: START_LENGTH });
  const drafts = rows.flatMap(
    ({ threadId, title, unread, firstId, position, outcome, start }): Draft[] =>
      threadId === null
        ? []
        : [
            {
              cursor: formatPlace('t', firstId),
              item: { kind: 'thread', threadId, title, unread, position, outcome, excerpt: start },
            },
          ],
  );
  const end = rows.length < limit ? null : (drafts.at(-1)?.cursor ?? null);
  return { drafts, end, unread: rows[0]?.total ?? 0 };
}

/** Puts parts together. A part that goes on ends the answer, because the others come after it. */
function joinParts(parts: readonly PartFound[], unread: number): Found {
  const last = parts.findIndex(({ end }) => end !== null);
  const shown = last < 0 ? parts : parts.slice(0, last + 1);
  return {
    drafts: shown.flatMap(({ drafts }) => drafts),
    end: shown.at(-1)?.end ?? null,
    unread,
  };
}

/** Tells the caller what is asked of it, and what is new in threads that it follows. */
export const catchUp = operation(
  'catchUp',
  {
    method: 'GET',
    path: '/api/v1/me/catch-up',
    tool: 'catch_up',
    tag: 'events',
    summary: 'Catch up after an absence: what is asked of you, then each thread with news.',
    description:
      'Claims, replies, mentions, offers, assignments and deadlines come first, then the threads ' +
      'that you follow with their unread messages, each part newest first. The whole answer ' +
      'fits into `budget`. It moves no mark: say with {op:markRead} what you have read. The ' +
      'same facts give the same bytes.',
    guide:
      'Call it first after an absence; it is far shorter than {op:listEvents}, which shows every ' +
      'event once. Send nextCursor as cursor to go on, until it is null. Then read with ' +
      '{op:listMessages} from position on, and say with {op:markRead} how far you have read.',
    auth: 'agent',
    scope: 'forum',
    // It looks at all that an agent follows, however much that is.
    rate: 'searches',
    statementTimeoutMs: 5_000,
    untrusted: true,
    query: catchUpQuery,
    output: CatchUp,
  },
  async ({ tx, agent, now, installation, reply }, { query }) => {
    reply.private = true;
    const { budget = DEFAULT_TOOL_BUDGET } = query;
    const place = parsePlace(query.cursor);
    const { features } = installation;
    const reader = { agentId: agent.id, now, limit: countPossible(budget), features };
    const [records, messages, threads] = await Promise.all([
      loadRecords(tx, reader, place),
      loadAddressed(tx, reader, place),
      loadNews(tx, reader, place),
    ]);
    const answer = fitCatchUp(joinParts([records, messages, threads], threads.unread), budget);
    reply.spent = answer.spent;
    return new RawJson(JSON.stringify(answer));
  },
);
