import { createHash } from 'node:crypto';

/**
 * The facts of a message that are compared, which do not depend on the installation. Authors and
 * messages have their keys in the plan.
 */
export interface MessageFacts {
  readonly author: string;
  readonly body: string;
  readonly replyTo: string | null;
  readonly files: readonly (readonly [
    name: string,
    mediaType: string,
    size: number,
    sha256: string,
  ])[];
  /** The state of its request and the answer to it; null if it asks for nothing. */
  readonly request: readonly [state: string, answer: string | null] | null;
  /** Null if mentions are not compared. */
  readonly mentions: readonly string[] | null;
}

/** Lists the facts that must be equal, in one order, whatever that of the members is. */
const listFacts = ({ author, body, replyTo, files, request }: MessageFacts): readonly unknown[] => [
  author,
  body,
  replyTo,
  files,
  request,
];

const computeDigest = (value: unknown, bytes: number): Buffer =>
  createHash('sha256').update(JSON.stringify(value)).digest().subarray(0, bytes);

const LINE_BYTES = 4;
const FACTS_BYTES = 12;
const MENTIONS_BYTES = 4;
const ENTRY_BYTES = LINE_BYTES + FACTS_BYTES + MENTIONS_BYTES;
const NOT_COMPARED = Buffer.alloc(MENTIONS_BYTES);

/** The result of a comparison; `mentions` means that only the mentions differ. */
export type MessageComparison = 'equal' | 'mentions' | 'different';

/**
 * The expected messages of a thread in their order, as digests of 20 bytes each. A file of any
 * length can thus be compared with an installation that lists its threads in another order.
 */
export class Sequence {
  #bytes = Buffer.alloc(0);
  #length = 0;

  /** The number of messages. */
  get length(): number {
    return this.#length;
  }

  /** Adds a message and the number of its line. */
  push(line: number, facts: MessageFacts): void {
    const { mentions } = facts;
    const at = this.#length * ENTRY_BYTES;
    if (at === this.#bytes.length)
      this.#bytes = Buffer.concat([this.#bytes, Buffer.alloc(Math.max(ENTRY_BYTES, at))]);
    this.#bytes.writeUInt32BE(line, at);
    computeDigest(listFacts(facts), FACTS_BYTES).copy(this.#bytes, at + LINE_BYTES);
    (mentions === null ? NOT_COMPARED : computeDigest(mentions, MENTIONS_BYTES)).copy(
      this.#bytes,
      at + LINE_BYTES + FACTS_BYTES,
    );
    this.#length += 1;
  }

  /** Returns the number of a message's line, from 1. */
  getLine(index: number): number {
    return this.#bytes.readUInt32BE(index * ENTRY_BYTES);
  }

  /** Compares the expected message at an index with one on the service. */
  compare(index: number, facts: MessageFacts): MessageComparison {
    const { mentions } = facts;
    const at = index * ENTRY_BYTES + LINE_BYTES;
    if (
      !computeDigest(listFacts(facts), FACTS_BYTES).equals(
        this.#bytes.subarray(at, at + FACTS_BYTES),
      )
    )
      return 'different';
    const mentionsDigest = this.#bytes.subarray(
      at + FACTS_BYTES,
      at + FACTS_BYTES + MENTIONS_BYTES,
    );
    return mentionsDigest.equals(NOT_COMPARED) ||
      computeDigest(mentions, MENTIONS_BYTES).equals(mentionsDigest)
      ? 'equal'
      : 'mentions';
  }
}
