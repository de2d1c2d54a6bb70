import { ImportError } from '../import-error.ts';
import {
  type BadLine,
  createPlan,
  type ImportFormat,
  type RoomPlan,
  type Statement,
  type ThreadPlan,
} from '../import-plan.ts';
import { listTags, toName } from '../names.ts';
import { decodeText, readLines } from '../read-lines.ts';

/** A longer line is not kept in memory, because no message can be that long. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;

const NAME_LENGTH = 120;
const TITLE_LENGTH = 200;
const DISPLAY_NAME_LENGTH = 80;

const members = ['room', 'day', 'thread', 'author', 'body'] as const;

/** A line of the file: a statement about an agenda item (`thread`) of a meeting (`room`). */
type TalkLine = Readonly<Record<(typeof members)[number], string>>;

/**
 * Parses a line, or returns what is wrong with it. Additional members are allowed. So is an empty
 * body, which the service may refuse.
 */
function parseTalk(text: string): TalkLine | { readonly fault: string } {
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
  return missing ? { fault: `has no text "${missing}"` } : (value as TalkLine);
}

/** Parses the bytes of a line; null for an empty line. */
function parseLine(bytes: Buffer | null): TalkLine | { readonly fault: string } | null {
  if (bytes === null) return { fault: `has more than ${MAX_LINE_BYTES / 1024 / 1024} MiB` };
  try {
    const text = decodeText(bytes);
    return text.trim() === '' ? null : parseTalk(text);
  } catch {
    return { fault: 'is not UTF-8' };
  }
}

/** Reads the statements of a file. It skips empty lines and reports invalid ones. */
async function* readTalks(
  file: string,
  reportBadLine: (line: BadLine) => void = () => {},
): AsyncGenerator<TalkLine & { readonly line: number }> {
  for await (const { line, bytes } of readLines(file, MAX_LINE_BYTES)) {
    const parsed = parseLine(bytes);
    if (parsed === null) continue;
    if ('fault' in parsed) reportBadLine({ line, fault: parsed.fault });
    else yield { ...parsed, line };
  }
}

/** Builds the key of a thread, which is identified by its meeting, day and title. */
const toThreadKey = ({ room, day, thread }: TalkLine): string =>
  JSON.stringify([room, day, thread]);

const buildRoom = ({ room, author }: TalkLine): RoomPlan => ({
  room,
  originalName: room,
  name: toName(room, NAME_LENGTH),
  description: null,
  visibility: 'public',
  // The owner is the first speaker.
  owner: author,
  members: new Set(),
  guests: new Set(),
});

const buildThread = ({
  room,
  thread,
  day,
  line,
}: TalkLine & { readonly line: number }): ThreadPlan => ({
  room,
  originalTitle: thread,
  title: toName(thread, TITLE_LENGTH),
  line,
  kind: 'discussion',
  tags: listTags(day),
  visibility: 'public',
  summary: null,
  statements: 0,
});

/**
 * The format of meeting minutes with one statement per line: room (a meeting), day, thread (an
 * agenda item), author and body. A meeting becomes a public room, and an item becomes a thread. The
 * result of a statement depends only on itself and on earlier statements.
 */
export const talkFormat: ImportFormat = {
  matches: () => true,
  async plan(file, reportBadLine) {
    const plan = createPlan(false);
    for await (const one of readTalks(file, reportBadLine)) {
      const key = toThreadKey(one);
      const room = plan.rooms.get(one.room) ?? buildRoom(one);
      const thread = plan.threads.get(key) ?? buildThread(one);
      thread.statements += 1;
      plan.statements += 1;
      plan.authors.set(one.author, { displayName: toName(one.author, DISPLAY_NAME_LENGTH) });
      room.members.add(one.author);
      plan.rooms.set(one.room, room);
      plan.threads.set(key, thread);
    }
    if (plan.statements === 0)
      throw new ImportError(
        `${file} has no statements: give a file whose lines have room, day, thread, author and ` +
          'body, or an export.',
      );
    return plan;
  },
  async *statements(file): AsyncGenerator<Statement> {
    for await (const one of readTalks(file)) {
      const { line, author, body } = one;
      yield {
        line,
        thread: toThreadKey(one),
        author,
        body,
        id: null,
        replyTo: null,
        mentions: null,
        files: [],
        request: null,
        answers: null,
      };
    }
  },
};
