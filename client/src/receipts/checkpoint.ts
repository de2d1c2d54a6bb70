import { type Bytes, equalBytes, fromBase64, fromHex, sha256, utf8 } from '../bytes.ts';

/** What is wrong with a checkpoint, or with the key that it is checked with. */
export type CheckpointFault =
  | 'key_malformed'
  | 'checkpoint_malformed'
  | 'unknown_key'
  | 'bad_signature'
  | 'wrong_origin';

/** A checkpoint is not valid; `code` says why. */
export class CheckpointError extends Error {
  readonly code: CheckpointFault;

  constructor(code: CheckpointFault, message: string) {
    super(message);
    this.name = 'CheckpointError';
    this.code = code;
  }
}

/**
 * The content of a checkpoint: the name of the log, the number of entries in its tree, and the root
 * hash of the tree.
 */
export interface Checkpoint {
  readonly origin: string;
  readonly size: number;
  readonly root: Bytes;
}

const ED25519 = 1;
const KEY_BYTES = 32;
const ROOT_BYTES = 32;
/** C2SP requires that 16 signatures are accepted, which need far less. */
const NOTE_LENGTH = 100_000;

const buildMalformedError = (message: string) =>
  new CheckpointError('checkpoint_malformed', message);

interface VerifierKey {
  readonly name: string;
  readonly id: Bytes;
  readonly bytes: Bytes;
}

/**
 * Parses a verifier key, `<name>+<id>+<base64 of type and key>` (C2SP signed-note).
 * Errors: CheckpointError `key_malformed`.
 */
async function parseKey(vkey: string): Promise<VerifierKey> {
  const [, name = '', id = '', key = ''] =
    /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/u.exec(vkey) ?? [];
  const typed = fromBase64(key);
  if (typed?.length !== 1 + KEY_BYTES || typed[0] !== ED25519)
    throw new CheckpointError(
      'key_malformed',
      'The key of the log is not an Ed25519 verifier key.',
    );
  const expected = (await sha256(utf8(`${name}\n`), typed)).subarray(0, 4);
  const given = fromHex(id);
  if (!equalBytes(expected, given))
    throw new CheckpointError(
      'key_malformed',
      'The key of the log does not match its own name and id: one of them was changed.',
    );
  return { name, id: expected, bytes: typed.slice(1) };
}

interface SignedNote {
  /** The signed text, including its last line end. */
  readonly text: string;
  readonly signatures: readonly {
    readonly name: string;
    readonly id: Bytes;
    readonly bytes: Bytes;
  }[];
}

/** Parses a signed note (C2SP). Errors: CheckpointError `checkpoint_malformed`. */
function parseNote(note: string): SignedNote {
  const end = note.lastIndexOf('\n\n');
  if (
    note.length > NOTE_LENGTH ||
    end < 0 ||
    !note.endsWith('\n') ||
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a note must not have any
    /[\u0000-\u0009\u000b-\u001f]/.test(note)
  )
    throw buildMalformedError('It is not a signed note.');
  const lines = note.slice(end + 2, -1).split('\n');
  const signatures = lines.map((line) => {
    const [, name = '', base64 = ''] = /^\u2014 ([^\s+]+) ([A-Za-z0-9+/=]+)$/u.exec(line) ?? [];
    const bytes = fromBase64(base64);
    if (!bytes || bytes.length < 5)
      throw buildMalformedError('One of its signature lines is malformed.');
    return { name, id: bytes.slice(0, 4), bytes: bytes.slice(4) };
  });
  return { text: note.slice(0, end + 1), signatures };
}

/**
 * Verifies a note (C2SP signed-note) with a key, and returns its text and the key's name.
 * Signatures of other keys are ignored.
 * Errors: CheckpointError `key_malformed`, `checkpoint_malformed`, `unknown_key`, `bad_signature`.
 */
export async function openNote(
  note: string,
  vkey: string,
): Promise<{ readonly text: string; readonly signer: string }> {
  const key = await parseKey(vkey);
  const { text, signatures } = parseNote(note);
  const ours = signatures.filter(({ name, id }) => name === key.name && equalBytes(id, key.id));
  if (ours.length === 0)
    throw new CheckpointError(
      'unknown_key',
      `It is not signed by the key of ${key.name}, but by ` +
        `${signatures.map(({ name }) => name).join(', ')}.`,
    );
  const verifier = await crypto.subtle.importKey('raw', key.bytes, { name: 'Ed25519' }, false, [
    'verify',
  ]);
  for (const { bytes } of ours) {
    const right = await crypto.subtle.verify({ name: 'Ed25519' }, verifier, bytes, utf8(text));
    if (!right)
      throw new CheckpointError(
        'bad_signature',
        `The signature of ${key.name} does not match the text above it.`,
      );
  }
  return { text, signer: key.name };
}

/**
 * Verifies a checkpoint (C2SP tlog-checkpoint) with the key of its log.
 * Errors: CheckpointError, whose code says what is wrong.
 *
 * @example
 * import { openCheckpoint } from 'stoa-client/receipts';
 *
 * const read = async (path: string) => (await fetch(`https://stoa.example.org${path}`)).text();
 * const checkpoint = await openCheckpoint(await read('/log/checkpoint'), await read('/log/vkey'));
 * console.log(checkpoint.size);
 */
export async function openCheckpoint(note: string, vkey: string): Promise<Checkpoint> {
  const { text, signer } = await openNote(note, vkey);
  const [origin = '', size = '', base64 = '', ...more] = text.slice(0, -1).split('\n');
  const root = fromBase64(base64);
  if (
    !/^(0|[1-9]\d*)$/.test(size) ||
    !Number.isSafeInteger(Number(size)) ||
    root?.length !== ROOT_BYTES ||
    more.includes('')
  )
    throw buildMalformedError('It does not contain the size and the root of a tree.');
  if (origin !== signer)
    throw new CheckpointError(
      'wrong_origin',
      `It is signed by ${signer}, but belongs to another log: ${origin}.`,
    );
  return { origin, size: Number(size), root };
}
