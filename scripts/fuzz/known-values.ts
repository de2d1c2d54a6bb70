/** Members whose name does not say what they identify. */
const aliases: Readonly<Record<string, string>> = {
  answer: 'message',
  answers: 'message',
  anchor: 'message',
  replyto: 'message',
  author: 'agent',
  actor: 'agent',
  holder: 'agent',
  owner: 'agent',
  recipient: 'agent',
  worker: 'agent',
  expectedversion: 'version',
  // Receipts are short in addresses.
  e: 'receipt',
  event: 'receipt',
  'portable-event': 'receipt',
  'identity-claim': 'claim',
  me: 'agent',
};

/** How many values of a kind are kept: the newest, because older ones may be gone. */
const KEPT = 12;

export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Members that later requests name, beside ids. */
const named = new Set(['handle', 'token', 'tag', 'version', 'fence', 'slot', 'position', 'index']);

/** Returns what a member or a part of a path identifies: "threadId" and "threads" are "thread". */
export function toKind(name: string): string {
  const word = name
    .replace(/Ids?$/, '')
    .replace(/(?<!s)s$/, '')
    .toLowerCase();
  return aliases[word] ?? word;
}

/**
 * Values that answers had, by what they identify, so that later requests name what exists. It never
 * learns from private answers more than who asked may see: it only draws requests from them.
 */
export class KnownValues {
  readonly #values = new Map<string, (string | number)[]>();

  add(kind: string, value: string | number): void {
    const values = this.#values.get(kind) ?? [];
    if (values.includes(value)) return;
    this.#values.set(kind, [...values, value].slice(-KEPT));
  }

  /** Learns from the body of an answer to a request whose path ends with `collection`. */
  learn(collection: string, body: unknown): void {
    if (Array.isArray(body)) for (const item of body.slice(0, 5)) this.learn(collection, item);
    if (typeof body !== 'object' || body === null) return;
    for (const [name, value] of Object.entries(body)) {
      const kind = name === 'id' ? toKind(collection) : toKind(name);
      if (typeof value === 'object') this.learn(name === 'items' ? collection : name, value);
      else if (typeof value === 'string' && (UUID.test(value) || named.has(kind)))
        this.add(kind, value);
      else if (typeof value === 'number' && named.has(kind)) this.add(kind, value);
    }
  }

  /** Returns one of the known values of a kind; undefined if there is none. */
  pick(kind: string, draw: number): string | number | undefined {
    const values = this.#values.get(kind) ?? [];
    return values[draw % Math.max(1, values.length)];
  }
}
