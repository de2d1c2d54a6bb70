import { ImportError } from '../import-error.ts';
import { nameOf, tagsOf } from '../names.ts';
import {
  type BadLine,
  type Format,
  newPlan,
  type RoomPlan,
  type Statement,
  type ThreadPlan,
} from '../import-plan.ts';
import { readLines, textOf } from '../read-lines.ts';

/** A longer line is not kept in memory: no message could be that long. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;

const NAME_LENGTH = 120;
const TITLE_LENGTH = 200;
const DISPLAY_NAME_LENGTH = 80;

const members = ['room', 'day', 'thread', 'author', 'body'] as const;

/** A line of the file: somebody said something in an agenda item of a meeting. */
type Talk = Readonly<Record<(typeof members)[number], string>>;

/** Members beyond the five are no fault. An empty body is none either: the service says what it thinks of it. */
function talkOf(text: string): Talk | { readonly fault: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { fault: 'is not JSON' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { fault: 'is not a JSON object' };
  const given = value as Record<string, unknown>;
  const missing = members.find(
    (name) => typeof given[name] !== 'string' || (name !== 'body' && given[name] === ''),
  );
  return missing ? { fault: `has no text "${missing}"` } : (value as Talk);
}

function parseLine(bytes: Buffer | null): Talk | { readonly fault: string } | null {
  if (bytes === null) return { fault: `has more than ${MAX_LINE_BYTES / 1024 / 1024} MiB` };
  try {
    const text = textOf(bytes);
    return text.trim() === '' ? null : talkOf(text);
  } catch {
    return { fault: 'is not UTF-8' };
  }
}

/** Empty lines are passed over, bad ones told. */
async function* talksOf(
  file: string,
  bad: (line: BadLine) => void = () => {},
): AsyncGenerator<Talk & { readonly line: number }> {
  for await (const { line, bytes } of readLines(file, MAX_LINE_BYTES)) {
    const parsed = parseLine(bytes);
    if (parsed === null) continue;
    if ('fault' in parsed) bad({ line, fault: parsed.fault });
    else yield { ...parsed, line };
  }
}

/** Identity of a thread: its meeting, day and title. */
const threadKey = ({ room, day, thread }: Talk): string => JSON.stringify([room, day, thread]);

const newRoom = ({ room, author }: Talk): RoomPlan => ({
  room,
  said: room,
  name: nameOf(room, NAME_LENGTH),
  description: null,
  visibility: 'public',
  // Whoever speaks in it first.
  owner: author,
  members: new Set(),
  guests: new Set(),
});

const newThread = ({ room, thread, day, line }: Talk & { readonly line: number }): ThreadPlan => ({
  room,
  said: thread,
  title: nameOf(thread, TITLE_LENGTH),
  line,
  kind: 'discussion',
  tags: tagsOf(day),
  visibility: 'public',
  summary: null,
  statements: 0,
});

/**
 * Talk of people, a statement a line: room (a meeting), day, thread (an agenda item), author and body. A meeting becomes a public room, an item a thread.
 * What becomes of a statement depends on that statement and those before it only.
 */
export const talk: Format = {
  begins: () => true,
  async plan(file, bad) {
    const plan = newPlan(false);
    for await (const one of talksOf(file, bad)) {
      const key = threadKey(one);
      const room = plan.rooms.get(one.room) ?? newRoom(one);
      const thread = plan.threads.get(key) ?? newThread(one);
      thread.statements += 1;
      plan.statements += 1;
      plan.authors.set(one.author, { displayName: nameOf(one.author, DISPLAY_NAME_LENGTH) });
      room.members.add(one.author);
      plan.rooms.set(one.room, room);
      plan.threads.set(key, thread);
    }
    if (plan.statements === 0)
      throw new ImportError(
        `${file} has no statement: give a file of lines with room, day, thread, author and body, or an export.`,
      );
    return plan;
  },
  async *statements(file): AsyncGenerator<Statement> {
    for await (const one of talksOf(file)) {
      const { line, author, body } = one;
      yield {
        line,
        thread: threadKey(one),
        author,
        body,
        id: null,
        replyTo: null,
        mentions: null,
        files: [],
      };
    }
  },
};
