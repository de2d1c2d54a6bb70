import { tagsOf } from './names.ts';
import { allOf, ownMessages } from './pages.ts';
import { isForbidden, isRefused, type Message, reasonOf, type Thread } from './service.ts';
import { type Statement, threadKey } from './statement.ts';
import { known, type Work } from './work.ts';

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
  const { plan, state, service, keys, report, progress } = work;
  const sessions = new Map<string, Session>();
  const ours = new Set([...state.accounts.values()].map(({ id }) => id));
  const isOurs = (agentId: string) => ours.has(agentId);
  const accountOf = ({ author }: Statement) => known(state.accounts.get(author));
  const isSame = (message: Message, statement: Statement) =>
    message.authorId === accountOf(statement).id && (message.body === statement.body || message.deleted);

  /** Threads of our agents that no run noted, by room: made by one that was killed at that moment. */
  const orphans = new Map<string, Promise<Thread[]>>();
  async function listOrphans(roomId: string): Promise<Thread[]> {
    const noted = new Set(state.threads.values());
    const found: Thread[] = [];
    for await (const thread of allOf((query) => service.stranger.listThreads({ query: { ...query, roomId } }))) {
      if (isOurs(thread.authorId) && !noted.has(thread.id)) found.push(thread);
    }
    return found;
  }

  /** The thread that this statement opened in an earlier run. The service may have forgotten the idempotency key since. */
  async function findOrphan(statement: Statement, title: string): Promise<string | undefined> {
    const roomId = known(state.rooms.get(statement.room));
    const all = orphans.get(roomId) ?? listOrphans(roomId);
    orphans.set(roomId, all);
    const tags = String(tagsOf(statement.day));
    for (const thread of (await all).filter((one) => one.title === title && String(one.tags) === tags)) {
      const { value } = await ownMessages(service, thread.id, isOurs).next();
      if (value && isSame(value, statement)) return thread.id;
    }
    return undefined;
  }

  async function open(statement: Statement): Promise<Session> {
    const key = threadKey(statement);
    const { statements, title } = known(plan.threads.get(key));
    let id = state.threads.get(key);
    if (id === undefined && state.resumed) {
      id = await findOrphan(statement, title);
      if (id !== undefined) await state.note({ thread: key, id });
    }
    const there = id === undefined ? null : ownMessages(service, id, isOurs);
    return { id, there, next: (await there?.next())?.value, left: statements, stopped: false };
  }

  /** Whether the statement is there already. */
  async function isThere(session: Session, statement: Statement): Promise<boolean> {
    if (!session.there || !session.next) return false;
    if (!isSame(session.next, statement)) {
      session.stopped = true;
      report.fault(`line ${statement.line}: the thread ${session.id} has something else at position ${session.next.position}: nothing more is posted there`);
      return true;
    }
    session.next = (await session.there.next()).value;
    return true;
  }

  async function post(session: Session, statement: Statement): Promise<void> {
    const { room, day, line, body } = statement;
    const agent = service.as(accountOf(statement));
    if (session.id !== undefined) {
      await agent.postMessage({ params: { id: session.id }, body: { body }, idempotencyKey: keys.of('message', line) });
      return;
    }
    const key = threadKey(statement);
    const { title } = known(plan.threads.get(key));
    const params = { id: known(state.rooms.get(room)) };
    const { id } = await agent.createThread({ params, body: { title, tags: tagsOf(day), body }, idempotencyKey: keys.of('thread', line) });
    session.id = id;
    await state.note({ thread: key, id });
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
        report.fault(`line ${line}: the service does not take it now (${code}): ${detail} Nothing more is posted in its thread.`);
      } else throw error;
    }
  }

  return async (statement) => {
    const key = threadKey(statement);
    const session = sessions.get(key) ?? (await open(statement));
    sessions.set(key, session);
    await place(session, statement);
    session.left -= 1;
    if (session.left === 0) sessions.delete(key);
    progress.add();
  };
}
