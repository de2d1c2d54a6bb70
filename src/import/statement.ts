/** One line of the file: somebody said something in an agenda item of a meeting. */
export interface Statement {
  /** Number of its line, from 1. */
  readonly line: number;
  readonly room: string;
  readonly day: string;
  readonly thread: string;
  readonly author: string;
  readonly body: string;
}

/** A line that is no statement, and why. */
export interface BadLine {
  readonly line: number;
  readonly fault: string;
}

const members = ['room', 'day', 'thread', 'author', 'body'] as const;

/** Identity of a thread: its meeting, day and title. */
export const threadKey = ({ room, day, thread }: Pick<Statement, 'room' | 'day' | 'thread'>): string => JSON.stringify([room, day, thread]);

/** Members beyond the five are no fault. An empty body is none either: the service says what it thinks of it. */
export function parseStatement(line: number, text: string): Statement | BadLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { line, fault: 'is not JSON' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { line, fault: 'is not a JSON object' };
  const given = value as Record<string, unknown>;
  const missing = members.find((name) => typeof given[name] !== 'string' || (name !== 'body' && given[name] === ''));
  if (missing) return { line, fault: `has no text "${missing}"` };
  const { room, day, thread, author, body } = given as Record<(typeof members)[number], string>;
  return { line, room, day, thread, author, body };
}
