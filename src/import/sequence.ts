import { createHash } from 'node:crypto';

/** What is compared of a message: whatever does not depend on the installation. Authors and messages are named as the plan names them. */
export interface Facts {
  readonly author: string;
  readonly body: string;
  readonly replyTo: string | null;
  readonly files: readonly (readonly [
    name: string,
    mediaType: string,
    size: number,
    sha256: string,
  ])[];
  /** Null: not compared. */
  readonly mentions: readonly string[] | null;
}

const digest = (value: unknown, bytes: number): Buffer =>
  createHash('sha256').update(JSON.stringify(value)).digest().subarray(0, bytes);

const LINE = 4;
const FACTS = 12;
const MENTIONS = 4;
const ENTRY = LINE + FACTS + MENTIONS;
const NOT_COMPARED = Buffer.alloc(MENTIONS);

/** How a message on the service stands to the one of the file. */
export type Comparison = 'equal' | 'mentions' | 'different';

/**
 * The messages of a thread as they are to be, as digests in their order: 20 bytes each, so that a file of any length can be held against an
 * installation that has its threads in another order.
 */
export class Sequence {
  #bytes = Buffer.alloc(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(line: number, { mentions, ...facts }: Facts): void {
    const at = this.#length * ENTRY;
    if (at === this.#bytes.length)
      this.#bytes = Buffer.concat([this.#bytes, Buffer.alloc(Math.max(ENTRY, at))]);
    this.#bytes.writeUInt32BE(line, at);
    digest(facts, FACTS).copy(this.#bytes, at + LINE);
    (mentions === null ? NOT_COMPARED : digest(mentions, MENTIONS)).copy(
      this.#bytes,
      at + LINE + FACTS,
    );
    this.#length += 1;
  }

  /** Number of the line from which a message comes, from 1. */
  lineOf(index: number): number {
    return this.#bytes.readUInt32BE(index * ENTRY);
  }

  compare(index: number, { mentions, ...facts }: Facts): Comparison {
    const at = index * ENTRY + LINE;
    if (!digest(facts, FACTS).equals(this.#bytes.subarray(at, at + FACTS))) return 'different';
    const addressed = this.#bytes.subarray(at + FACTS, at + FACTS + MENTIONS);
    return addressed.equals(NOT_COMPARED) || digest(mentions, MENTIONS).equals(addressed)
      ? 'equal'
      : 'mentions';
  }
}
