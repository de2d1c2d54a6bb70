import { inParallel } from './lanes.ts';
import { nameOf, tagsOf } from './names.ts';
import { ownMessages } from './pages.ts';
import type { Totals } from './report.ts';
import { isForbidden, type Message, reasonOf } from './service.ts';
import { type Statement, threadKey } from './statement.ts';
import { known, type Work } from './work.ts';

interface Session {
  readonly there: AsyncGenerator<Message, undefined> | null;
  left: number;
  /** The first difference was told: what follows cannot be compared. */
  lost: boolean;
}

/** Runs a check; a no of the service is a fault like any other. */
async function check(work: Work, what: string, run: () => Promise<boolean>): Promise<boolean> {
  try {
    const right = await run();
    if (!right) work.report.fault(`${what} is not on the service as the file has it`);
    return right;
  } catch (error) {
    if (!isForbidden(error)) throw error;
    const { code, detail } = reasonOf(error);
    work.report.fault(`${what} cannot be read back (${code}): ${detail}`);
    return false;
  }
}

/** Reads authors and rooms back. */
export async function compareNames(work: Work, totals: Totals): Promise<void> {
  const { plan, state, service, width } = work;
  await inParallel(plan.authors, width, async (author) => {
    const { id, handle } = known(state.accounts.get(author));
    const right = await check(work, `author ${JSON.stringify(author)}`, async () => {
      const agent = await service.stranger.getAgent({ params: { handle } });
      return agent.id === id && agent.displayName === nameOf(author, 80);
    });
    if (right) totals.authors.service += 1;
  });
  await inParallel(plan.rooms.values(), width, async ({ room, name }) => {
    const id = known(state.rooms.get(room));
    const right = await check(work, `room ${JSON.stringify(room)}`, async () => {
      const found = await service.stranger.getRoom({ params: { id } });
      return found.name === name && found.visibility === 'public';
    });
    if (right) totals.rooms.service += 1;
  });
}

/** Compares statements with what the service has, in order. Statements of a thread must come one after the other. */
export function createComparer(work: Work, totals: Totals): (statement: Statement) => Promise<void> {
  const { plan, state, service, report, progress } = work;
  const sessions = new Map<string, Session>();
  const ours = new Set([...state.accounts.values()].map(({ id }) => id));

  async function open({ day, ...statement }: Statement): Promise<Session> {
    const key = threadKey({ ...statement, day });
    const { title, statements, room } = known(plan.threads.get(key));
    const id = state.threads.get(key);
    if (id === undefined) return { there: null, left: statements, lost: false };
    const right = await check(work, `thread ${JSON.stringify(title)}`, async () => {
      const found = await service.stranger.getThread({ params: { id } });
      return found.title === title && found.roomId === state.rooms.get(room) && String(found.tags) === String(tagsOf(day));
    });
    if (right) totals.threads.service += 1;
    return { there: right ? ownMessages(service, id, (agentId) => ours.has(agentId)) : null, left: statements, lost: !right };
  }

  /** Strings without unpaired surrogates are equal exactly when their UTF-8 bytes are, and the service keeps no others. */
  async function compare(session: Session, statement: Statement): Promise<void> {
    const { line, author, body } = statement;
    if (session.lost || state.refused.has(line)) return;
    const message = (await session.there?.next())?.value;
    if (message) totals.messages.service += 1;
    if (message?.body === body && message.authorId === state.accounts.get(author)?.id) {
      report.equal += 1;
      return;
    }
    session.lost = true;
    const what = message ? `the service has something else at position ${message.position} of the thread ${message.threadId}` : 'the service does not have it';
    report.fault(`line ${line}: ${what}; the rest of the thread was not compared`);
  }

  /** After a thread's last statement nothing of ours may follow. */
  async function close(session: Session, statement: Statement): Promise<void> {
    const extra = session.lost ? undefined : (await session.there?.next())?.value;
    if (extra)
      report.fault(`line ${statement.line}: its thread ${extra.threadId} goes on at position ${extra.position} with something that is not in the file`);
  }

  return async (statement) => {
    const key = threadKey(statement);
    const session = sessions.get(key) ?? (await open(statement));
    sessions.set(key, session);
    await compare(session, statement);
    session.left -= 1;
    if (session.left === 0) {
      await close(session, statement);
      sessions.delete(key);
    }
    progress.add();
  };
}
