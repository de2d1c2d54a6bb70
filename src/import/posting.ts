import { allOf, ownMessages } from './list-all.ts';
import type { Statement, ThreadPlan } from './import-plan.ts';
import { isForbidden, isRefused, type Message, reasonOf, type Thread } from './import-service.ts';
import { asAuthor, asOwner, known, type Placed, type Work } from './work.ts';

/** A thread while its statements are placed, one after the other. */
interface Session {
  id: string | undefined;
  /** What an earlier run left there; null when there is nothing more of it. */
  there: AsyncGenerator<Message, undefined> | null;
  next: Message | undefined;
  /** Statements still to come. */
  left: number;
  /** Nothing more is posted here: the order would be lost. */
  stopped: boolean;
}

/** Places statements: finds those that an earlier run posted, posts the others. Statements of a thread must come one after the other. */
export function createPoster(work: Work): (statement: Statement) => Promise<void> {
  const { plan, state, keys, report, progress, messages } = work;
  const sessions = new Map<string, Session>();
  const ours = new Set([...state.accounts.values()].map(({ id }) => id));
  const isOurs = (agentId: string) => ours.has(agentId);
  const isSame = (message: Message, { author, body }: Statement) =>
    message.authorId === known(state.accounts.get(author)).id &&
    (message.body === body || message.deleted);
  const note = ({ id }: Statement, placed: Placed) =>
    void (id !== null && plan.called.has(id) && messages.set(id, placed));

  /** Threads of our agents that no run noted, by room: made by one that was killed at that moment. */
  const orphans = new Map<string, Promise<Thread[]>>();
  async function listOrphans(room: string): Promise<Thread[]> {
    const noted = new Set(state.threads.values());
    const found: Thread[] = [];
    const roomId = known(state.rooms.get(room));
    for await (const thread of allOf((query) =>
      asOwner(work, room).listThreads({ query: { ...query, roomId } }),
    )) {
      if (isOurs(thread.authorId) && !noted.has(thread.id)) found.push(thread);
    }
    return found;
  }

  /** The thread that this statement opened in an earlier run. The service may have forgotten the idempotency key since. */
  async function findOrphan(
    statement: Statement,
    { room, title, tags }: ThreadPlan,
  ): Promise<string | undefined> {
    const all = orphans.get(room) ?? listOrphans(room);
    orphans.set(room, all);
    for (const thread of (await all).filter(
      (one) => one.title === title && String(one.tags) === String(tags),
    )) {
      const { value } = await ownMessages(asOwner(work, room), thread.id, isOurs).next();
      if (value && isSame(value, statement)) return thread.id;
    }
    return undefined;
  }

  async function open(statement: Statement): Promise<Session> {
    const thread = known(plan.threads.get(statement.thread));
    let id = state.threads.get(statement.thread);
    if (id === undefined && state.resumed) {
      id = await findOrphan(statement, thread);
      if (id !== undefined) await state.note({ thread: statement.thread, id });
    }
    const there = id === undefined ? null : ownMessages(asOwner(work, thread.room), id, isOurs);
    return {
      id,
      there,
      next: (await there?.next())?.value,
      left: thread.statements,
      stopped: false,
    };
  }

  /** Whether the statement is there already. */
  async function isThere(session: Session, statement: Statement): Promise<boolean> {
    if (!session.there || !session.next) return false;
    if (!isSame(session.next, statement)) {
      session.stopped = true;
      report.fault(
        `line ${statement.line}: the thread ${session.id} has something else at position ${session.next.position}: nothing more is posted there`,
      );
      return true;
    }
    note(statement, session.next);
    session.next = (await session.there.next()).value;
    return true;
  }

  /** The id of what a statement answers: null also when the service did not take that one. */
  function answered({ line, replyTo }: Statement): string | null {
    const id = replyTo === null ? null : messages.get(replyTo)?.id;
    if (id === undefined)
      report.changed(
        `line ${line}: it answers a message that is not on the service, so it stands there as an answer to none`,
      );
    return id ?? null;
  }

  async function post(session: Session, statement: Statement): Promise<void> {
    const { line, body } = statement;
    const agent = asAuthor(work, statement.author);
    if (session.id !== undefined) {
      const request = { body, replyToId: answered(statement) };
      const { id } = await agent.postMessage({
        params: { id: session.id },
        body: request,
        idempotencyKey: keys.of('message', line),
      });
      return note(statement, { id, files: [] });
    }
    const { room, title, kind, tags, visibility } = known(plan.threads.get(statement.thread));
    const params = { id: known(state.rooms.get(room)) };
    const { id, messageId } = await agent.createThread({
      params,
      body: { title, kind, tags, visibility, body },
      idempotencyKey: keys.of('thread', line),
    });
    session.id = id;
    note(statement, { id: messageId, files: [] });
    await state.note({ thread: statement.thread, id });
  }

  async function place(session: Session, statement: Statement): Promise<void> {
    const { line } = statement;
    const refused = state.refused.get(line);
    if (refused) return report.refused(refused);
    if (session.stopped) return;
    if (await isThere(session, statement)) {
      if (!session.stopped) report.found += 1;
      return;
    }
    try {
      await post(session, statement);
      report.posted += 1;
    } catch (error) {
      if (isRefused(error)) {
        const refusal = { line, ...reasonOf(error) };
        // Before the next statement is posted: a later run must know why this one is missing between the others.
        await state.note({ refused: refusal });
        report.refused(refusal);
      } else if (isForbidden(error)) {
        const { code, detail } = reasonOf(error);
        session.stopped = true;
        report.fault(
          `line ${line}: the service does not take it now (${code}): ${detail} Nothing more is posted in its thread.`,
        );
      } else throw error;
    }
  }

  return async (statement) => {
    const key = statement.thread;
    const session = sessions.get(key) ?? (await open(statement));
    sessions.set(key, session);
    await place(session, statement);
    session.left -= 1;
    if (session.left === 0) sessions.delete(key);
    progress.add();
  };
}
