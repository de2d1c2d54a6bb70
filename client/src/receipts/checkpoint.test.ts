import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatCheckpoint,
  formatCheckpointText,
  formatVerifierKey,
} from '../../../src/features/log/checkpoint.rules.ts';
import { CheckpointError, openCheckpoint, openNote } from './checkpoint.ts';

/** Vectors of the specification (C2SP signed-note) and of golang.org/x/mod/sumdb/note. */
const vectors = [
  {
    vkey: 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k',
    text: 'This is an example message.\n',
    signature:
      '— example.com/foo ' +
      'Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n',
  },
  {
    vkey: 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
    text:
      "If you think cryptography is the answer to your problem,\nthen you don't know what " +
      'your problem is.\n',
    signature:
      '— PeterNeumann ' +
      'x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n',
  },
];

const ORIGIN = 'stoa.example.org/log';
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const key = {
  origin: ORIGIN,
  publicKey: Buffer.from(publicKey.export({ format: 'jwk' }).x as string, 'base64url'),
};
const vkey = formatVerifierKey(key);
const root = createHash('sha256').update('a tree').digest();
const signNote = (text: string) => sign(null, Buffer.from(text), privateKey);
const buildCheckpoint = (size = 41) =>
  formatCheckpoint(key, {
    size,
    root,
    signature: signNote(formatCheckpointText(ORIGIN, size, root)),
  });
/** Builds a note with any text, signed by our key. */
const buildNote = (text: string) => {
  const signature = Buffer.concat([
    Buffer.from(vkey.split('+')[1] as string, 'hex'),
    signNote(text),
  ]).toString('base64');
  return `${text}\n\u2014 ${ORIGIN} ${signature}\n`;
};

/** Returns 'ok', or the code of the error. */
const openOutcome = (note: string, by = vkey): Promise<string> =>
  openCheckpoint(note, by).then(
    () => 'ok',
    (error: unknown) => (error instanceof CheckpointError ? error.code : String(error)),
  );

describe('a signed note', () => {
  it('[log.checkpoint] opens the vectors, even among signatures of unknown keys', async () => {
    for (const { vkey, text, signature } of vectors) {
      expect((await openNote(`${text}\n${signature}`, vkey)).text).toBe(text);
      const others = vectors.map((one) => one.signature).join('');
      expect((await openNote(`${text}\n${others}`, vkey)).text).toBe(text);
      await expect(
        openNote(`${text}\n${others.replace(signature, '')}`, vkey),
      ).rejects.toMatchObject({ code: 'unknown_key' });
      await expect(
        openNote(`${text.replace('is', 'are')}\n${signature}`, vkey),
      ).rejects.toMatchObject({ code: 'bad_signature' });
    }
  });
});

describe('a checkpoint', () => {
  it('[log.checkpoint] says the size and the root of the tree that the log signed', async () => {
    expect(await openCheckpoint(buildCheckpoint(), vkey)).toEqual({
      origin: ORIGIN,
      size: 41,
      root: new Uint8Array(root),
    });
    expect(await openOutcome(buildCheckpoint(0))).toBe('ok');
    expect(
      await openOutcome(buildNote(`${formatCheckpointText(ORIGIN, 41, root)}an extension\n`)),
    ).toBe('ok');
  });

  it('[log.checkpoint] is refused in any other form, even if it is signed', async () => {
    const base64 = root.toString('base64');
    for (const [text, code] of [
      [`${ORIGIN}\n041\n${base64}\n`, 'checkpoint_malformed'],
      [`${ORIGIN}\n-1\n${base64}\n`, 'checkpoint_malformed'],
      [`${ORIGIN}\n9007199254740993\n${base64}\n`, 'checkpoint_malformed'],
      [`${ORIGIN}\n41\n${base64.slice(0, -4)}\n`, 'checkpoint_malformed'],
      [`${ORIGIN}\n41\n${base64.replace('=', '')}\n`, 'checkpoint_malformed'],
      [`${ORIGIN}\n41\n`, 'checkpoint_malformed'],
      [`${ORIGIN}\n41\n${base64}\n\n`, 'checkpoint_malformed'],
      [`other.example.org/log\n41\n${base64}\n`, 'wrong_origin'],
    ] as const)
      expect({ text, code: await openOutcome(buildNote(text)) }).toEqual({ text, code });
    for (const note of [
      '',
      '\n\n',
      'x',
      buildCheckpoint().slice(0, -1),
      buildCheckpoint().replace('— ', '- '),
      buildCheckpoint().replaceAll('\n', '\r\n'),
      `${'x'.repeat(100_000)}${buildCheckpoint()}`,
    ])
      expect(await openOutcome(note)).toBe('checkpoint_malformed');
  });

  it('[log.tampering] is refused when one bit of it or of the key is changed', async () => {
    const bytes = Buffer.from(buildCheckpoint());
    const change = (text: Buffer, at: number, bit: number) => {
      const copy = Buffer.from(text);
      copy[at] = (copy[at] ?? 0) ^ (1 << bit);
      return copy.toString('utf8');
    };
    const named = ['checkpoint_malformed', 'unknown_key', 'bad_signature', 'wrong_origin'];
    for (let at = 0; at < bytes.length; at++)
      for (let bit = 0; bit < 8; bit++)
        expect(named, `byte ${at}, bit ${bit}`).toContain(
          await openOutcome(change(bytes, at, bit)),
        );
    const bytesOfKey = Buffer.from(vkey);
    for (let at = 0; at < bytesOfKey.length; at++)
      for (let bit = 0; bit < 8; bit++)
        expect(
          await openOutcome(buildCheckpoint(), change(bytesOfKey, at, bit)),
          `byte ${at}, bit ${bit}`,
        ).toBe('key_malformed');
  });

  it('[log.tampering] never opens random text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), fc.string(), async (note, by) => {
        expect(await openOutcome(note)).toBe('checkpoint_malformed');
        expect(await openOutcome(buildCheckpoint(), by)).toBe('key_malformed');
      }),
    );
    const other = generateKeyPairSync('ed25519');
    const forged = formatCheckpoint(key, {
      size: 42,
      root,
      signature: sign(null, Buffer.from(formatCheckpointText(ORIGIN, 42, root)), other.privateKey),
    });
    expect(await openOutcome(forged)).toBe('bad_signature');
    expect(
      await openOutcome(
        formatCheckpoint({ ...key, publicKey: root }, { size: 41, root, signature: signNote('x') }),
      ),
    ).toBe('unknown_key');
  });
});
