import { type Bytes, equalBytes, fromBase64, sha256, utf8 } from './bytes.ts';

/** What is wrong with a checkpoint, or with the key that it is held against. */
export type CheckpointFault =
  | 'key_malformed'
  | 'checkpoint_malformed'
  | 'unknown_key'
  | 'bad_signature'
  | 'wrong_origin';

export class CheckpointError extends Error {
  readonly code: CheckpointFault;

  constructor(code: CheckpointFault, message: string) {
    super(message);
    this.name = 'CheckpointError';
    this.code = code;
  }
}

/** What a log signed: the name of the log, how many entries its tree has, and the hash over all of them. */
export interface Checkpoint {
  readonly origin: string;
  readonly size: number;
  readonly root: Bytes;
}

const ED25519 = 1;
const KEY_BYTES = 32;
const ROOT_BYTES = 32;
/** Far more than 16 signatures take; C2SP asks to accept so many. */
const NOTE_LENGTH = 100_000;

const malformed = (message: string) => new CheckpointError('checkpoint_malformed', message);

interface Key {
  readonly name: string;
  readonly id: Bytes;
  readonly bytes: Bytes;
}

/** Reads a verifier key, `<name>+<id>+<base64 of type and key>` (C2SP signed-note). Errors: CheckpointError. */
async function readKey(vkey: string): Promise<Key> {
  const [, name = '', id = '', key = ''] =
    /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/u.exec(vkey) ?? [];
  const typed = fromBase64(key);
  if (typed?.length !== 1 + KEY_BYTES || typed[0] !== ED25519)
    throw new CheckpointError(
      'key_malformed',
      'The key of the log is not an Ed25519 verifier key.',
    );
  const expected = (await sha256(utf8(`${name}\n`), typed)).subarray(0, 4);
  const given = Uint8Array.from(id.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
  if (!equalBytes(expected, given))
    throw new CheckpointError(
      'key_malformed',
      'The key of the log does not fit its own name and id: one of them was changed.',
    );
  return { name, id: expected, bytes: typed.slice(1) };
}

interface Note {
  /** What is signed, its last line end included. */
  readonly text: string;
  readonly signatures: readonly {
    readonly name: string;
    readonly id: Bytes;
    readonly bytes: Bytes;
  }[];
}

function readNote(note: string): Note {
  const end = note.lastIndexOf('\n\n');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (
    note.length > NOTE_LENGTH ||
    end < 0 ||
    !note.endsWith('\n') ||
    /[\u0000-\u0009\u000b-\u001f]/.test(note)
  )
    throw malformed('It is not a signed note.');
  const lines = note.slice(end + 2, -1).split('\n');
  const signatures = lines.map((line) => {
    const [, name = '', base64 = ''] = /^\u2014 ([^\s+]+) ([A-Za-z0-9+/=]+)$/u.exec(line) ?? [];
    const bytes = fromBase64(base64);
    if (!bytes || bytes.length < 5)
      throw malformed('A line of it that should be a signature is none.');
    return { name, id: bytes.slice(0, 4), bytes: bytes.slice(4) };
  });
  return { text: note.slice(0, end + 1), signatures };
}

/** The text of a note that this key signed. Errors: CheckpointError. Signatures of other keys are not looked at. */
export async function openNote(
  note: string,
  vkey: string,
): Promise<{ readonly text: string; readonly signer: string }> {
  const key = await readKey(vkey);
  const { text, signatures } = readNote(note);
  const ours = signatures.filter(({ name, id }) => name === key.name && equalBytes(id, key.id));
  if (ours.length === 0)
    throw new CheckpointError(
      'unknown_key',
      `It is not signed by the key of ${key.name}, but by ${signatures.map(({ name }) => name).join(', ')}.`,
    );
  const verifier = await crypto.subtle.importKey('raw', key.bytes, { name: 'Ed25519' }, false, [
    'verify',
  ]);
  for (const { bytes } of ours) {
    const right = await crypto.subtle.verify({ name: 'Ed25519' }, verifier, bytes, utf8(text));
    if (!right)
      throw new CheckpointError(
        'bad_signature',
        `The signature of ${key.name} does not fit what stands above it.`,
      );
  }
  return { text, signer: key.name };
}

/** Reads a checkpoint (C2SP tlog-checkpoint) that the log with this key signed. Errors: CheckpointError, with a code that names what is wrong. */
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
    throw malformed('It does not say the size and the root of a tree.');
  if (origin !== signer)
    throw new CheckpointError(
      'wrong_origin',
      `It is signed by ${signer}, but is of another log: ${origin}.`,
    );
  return { origin, size: Number(size), root };
}
