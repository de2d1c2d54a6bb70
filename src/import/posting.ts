import {
  assertKnown,
  getAuthorClient,
  getOwnerClient,
  type ImportContext,
  type PlacedMessage,
} from './import-context.ts';
import type { Statement, ThreadPlan } from './import-plan.ts';
import { cancelPlaced, takeAnswered } from './import-requests.ts';
import {
  getReason,
  type ImportedMessage,
  type ImportedThread,
  isForbidden,
  isRefused,
} from './import-service.ts';
import { listAll, listOwnMessages } from './list-all.ts';

/** A thread whose statements are being placed, one after the other. */
interface ThreadSession {
  id: string | undefined;
  /** The messages of an earlier run; null for a new thread. */
  existing: AsyncGenerator<ImportedMessage, undefined> | null;
  next: ImportedMessage | undefined;
  /** The number of statements that are still to come. */
  remaining: number;
  /** Whether nothing more may be posted here, because the order would be wrong. */
  stopped: boolean;
}

/**
 * Creates a function that places statements: it finds those that an earlier run posted and posts
 * the others. It must be called for the statements of a thread one after the other.
 */
export function createPoster(work: ImportContext): (statement: Statement) => Promise<void> {
  const { plan, state, keys, report, progress, messages } = work;
  const sessions = new Map<string, ThreadSession>();
  const ownAgentIds = new Set([...state.accounts.values()].map(({ id }) => id));
  const isOurs = (agentId: string) => ownAgentIds.has(agentId);
  const isSameMessage = (message: ImportedMessage, { author, body }: Statement) =>
    message.authorId === assertKnown(state.accounts.get(author)).id &&
    (message.body === body || message.deleted);

  /**
   * Threads of the import's agents that are not in the state, by room. A run created them and was
   * killed at that moment.
   */
  const orphansByRoom = new Map<string, Promise<ImportedThread[]>>();
  async function listOrphans(room: string): Promise<ImportedThread[]> {
    const noted = new Set(state.threads.values());
    const found: ImportedThread[] = [];
    const roomId = assertKnown(state.rooms.get(room));
    for await (const thread of listAll((query) =>
      getOwnerClient(work, room).listThreads({ query: { ...query, roomId } }),
    )) {
      if (isOurs(thread.authorId) && !noted.has(thread.id)) found.push(thread);
    }
    return found;
  }

  /**
   * Finds the thread that this statement opened in an earlier run. The idempotency key does not
   * suffice, because the service may have deleted its record since.
   */
  async function findOrphan(
    statement: Statement,
    { room, title, tags }: ThreadPlan,
  ): Promise<string | undefined> {
    const all = orphansByRoom.get(room) ?? listOrphans(room);
    orphansByRoom.set(room, all);
    for (const thread of (await all).filter(
      (one) => one.title === title && String(one.tags) === String(tags),
    )) {
      const { value } = await listOwnMessages(getOwnerClient(work, room), thread.id, isOurs).next();
      if (value && isSameMessage(value, statement)) return thread.id;
    }
    return undefined;
  }

  async function openThread(statement: Statement): Promise<ThreadSession> {
    const thread = assertKnown(plan.threads.get(statement.thread));
    let id = state.threads.get(statement.thread);
    if (id === undefined && state.resumed) {
      id = await findOrphan(statement, thread);
      if (id !== undefined) await state.note({ thread: statement.thread, id });
    }
    const existingMessages =
      id === undefined ? null : listOwnMessages(getOwnerClient(work, thread.room), id, isOurs);
    return {
      id,
      existing: existingMessages,
      next: (await existingMessages?.next())?.value,
      remaining: thread.statements,
      stopped: false,
    };
  }

  /** Whether the statement needs no posting, because it exists or its thread differs. */
  async function isHandled(session: ThreadSession, statement: Statement): Promise<boolean> {
    if (!session.existing || !session.next) return false;
    if (!isSameMessage(session.next, statement)) {
      session.stopped = true;
      report.addFault(
        `line ${statement.line}: the thread ${session.id} has something else at position ` +
          `${session.next.position}; nothing more is posted there`,
      );
      return true;
    }
    await settleStatement(statement, session.next);
    session.next = (await session.existing.next()).value;
    return true;
  }

  /** Finds the id of the message that a statement replies to; null if it is not on the service. */
  function findReplyTarget({ line, replyTo }: Statement): string | null {
    const id = replyTo === null ? null : messages.get(replyTo)?.id;
    if (id === undefined)
      report.addChange(
        `line ${line}: it replies to a message that is not on the service, so it is posted as a ` +
          'reply to none',
      );
    return id ?? null;
  }

  /** Posts a statement and returns the id of its message. */
  async function postStatement(session: ThreadSession, statement: Statement): Promise<string> {
    const { line, body } = statement;
    const agent = getAuthorClient(work, statement.author);
    const request = statement.request !== null;
    if (session.id !== undefined) {
      const replyToId = findReplyTarget(statement);
      const answer = await takeAnswered(work, statement);
      const { id } = await agent.postMessage({
        params: { id: session.id },
        body: { body, replyToId, follow: false, request, ...answer },
        idempotencyKey: keys.toKey('message', line),
      });
      return id;
    }
    const { room, title, kind, tags, visibility } = assertKnown(plan.threads.get(statement.thread));
    const params = { id: assertKnown(state.rooms.get(room)) };
    const { id, messageId } = await agent.createThread({
      params,
      body: { title, kind, tags, visibility, body, request },
      idempotencyKey: keys.toKey('thread', line),
    });
    session.id = id;
    await state.note({ thread: statement.thread, id });
    return messageId;
  }

  /** Notes a message that is on the service, and cancels its request if the file says so. */
  async function settleStatement(statement: Statement, placed: PlacedMessage): Promise<void> {
    const { id } = statement;
    if (id !== null && plan.referencedIds.has(id)) messages.set(id, placed);
    await cancelPlaced(work, statement, placed);
  }

  async function placeStatement(session: ThreadSession, statement: Statement): Promise<void> {
    const { line } = statement;
    const refused = state.refused.get(line);
    if (refused) return report.addRefusal(refused);
    if (session.stopped) return;
    if (await isHandled(session, statement)) {
      if (!session.stopped) report.found += 1;
      return;
    }
    try {
      const id = await postStatement(session, statement);
      report.posted += 1;
      await settleStatement(statement, { id, files: [], request: null });
    } catch (error) {
      if (isRefused(error)) {
        const refusal = { line, ...getReason(error) };
        // The note comes before the next statement, so a later run knows why this one is missing
        // between the others.
        await state.note({ refused: refusal });
        report.addRefusal(refusal);
      } else if (isForbidden(error)) {
        const { code, detail } = getReason(error);
        session.stopped = true;
        report.addFault(
          `line ${line}: the service does not accept it now (${code}): ${detail} Nothing more is ` +
            'posted in its thread.',
        );
      } else throw error;
    }
  }

  return async (statement) => {
    const key = statement.thread;
    const session = sessions.get(key) ?? (await openThread(statement));
    sessions.set(key, session);
    await placeStatement(session, statement);
    session.remaining -= 1;
    if (session.remaining === 0) sessions.delete(key);
    progress.add();
  };
}
