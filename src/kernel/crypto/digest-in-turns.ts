import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import canonicalize from 'canonicalize';

/** Characters that are hashed before others get their turn. */
const TURN_CHARACTERS = 64 * 1024;

/** Yields the canonical JSON of a document in pieces, of which each element of a list is one. */
function* listPieces(value: unknown): Generator<string> {
  if (Array.isArray(value)) {
    yield '[';
    for (const [index, element] of value.entries())
      yield `${index === 0 ? '' : ','}${canonicalize(element)}`;
    yield ']';
  } else if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    // Canonical JSON sorts members by UTF-16 code units, as sort does.
    const sorted = members.sort(([one], [other]) => (one < other ? -1 : 1));
    yield '{';
    for (const [index, [name, member]] of sorted.entries()) {
      yield `${index === 0 ? '' : ','}${JSON.stringify(name)}:`;
      yield* listPieces(member);
    }
    yield '}';
  } else yield canonicalize(value) ?? '';
}

/**
 * Returns the SHA-256 of the canonical JSON (RFC 8785) of a document that JSON can have: plain
 * objects, lists, texts, numbers, booleans and null. It gives others their turn of the event loop,
 * because a document may be a list of a thousand long texts. It waits for no queue, because its
 * caller may hold locks.
 */
export async function digestInTurns(document: object): Promise<Buffer> {
  const hash = createHash('sha256');
  let characters = 0;
  for (const piece of listPieces(document)) {
    hash.update(piece);
    characters += piece.length;
    if (characters < TURN_CHARACTERS) continue;
    characters = 0;
    await nextTurn();
  }
  return hash.digest();
}
