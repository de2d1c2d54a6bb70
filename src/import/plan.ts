import { nameOf } from './names.ts';
import { type Statement, threadKey } from './statement.ts';

/** A meeting. */
export interface RoomPlan {
  readonly room: string;
  /** What it is called on the service. */
  readonly name: string;
  /** Who speaks in it first: its owner. */
  readonly owner: string;
  readonly authors: Set<string>;
}

/** An agenda item. */
interface ThreadPlan {
  readonly room: string;
  readonly thread: string;
  /** What it is called on the service. */
  readonly title: string;
  /** Where it begins. */
  readonly line: number;
  statements: number;
}

/** Everything about a file but what was said: it grows with its threads and authors only. */
export interface Plan {
  statements: number;
  readonly authors: Set<string>;
  readonly rooms: Map<string, RoomPlan>;
  readonly threads: Map<string, ThreadPlan>;
}

const NAME_LENGTH = 120;
const TITLE_LENGTH = 200;

/** Reads the file once. What it makes of a statement depends on that statement and those before it only. */
export async function planOf(statements: AsyncIterable<Statement>): Promise<Plan> {
  const plan: Plan = { statements: 0, authors: new Set(), rooms: new Map(), threads: new Map() };
  for await (const statement of statements) {
    const { room, thread, author, line } = statement;
    const key = threadKey(statement);
    const meeting = plan.rooms.get(room) ?? { room, name: nameOf(room, NAME_LENGTH), owner: author, authors: new Set() };
    const item = plan.threads.get(key) ?? { room, thread, title: nameOf(thread, TITLE_LENGTH), line, statements: 0 };
    item.statements += 1;
    plan.statements += 1;
    plan.authors.add(author);
    meeting.authors.add(author);
    plan.rooms.set(room, meeting);
    plan.threads.set(key, item);
  }
  return plan;
}
