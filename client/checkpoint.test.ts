import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkpointOf, checkpointText, vkeyOf } from '../src/features/log/rules.ts';
import { CheckpointError, openCheckpoint, openNote } from './checkpoint.ts';

/** Of the specification (C2SP signed-note) and of golang.org/x/mod/sumdb/note. */
const vectors = [
  {
    vkey: 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k',
    text: 'This is an example message.\n',
    signature:
      '— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n',
  },
  {
    vkey: 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
    text: "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n",
    signature:
      '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n',
  },
];

const origin = 'stoa.example.org/log';
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const key = {
  origin,
  publicKey: Buffer.from(publicKey.export({ format: 'jwk' }).x as string, 'base64url'),
};
const vkey = vkeyOf(key);
const root = createHash('sha256').update('a tree').digest();
const signed = (text: string) => sign(null, Buffer.from(text), privateKey);
const checkpoint = (size = 41) =>
  checkpointOf(key, { size, root, signature: signed(checkpointText(origin, size, root)) });
/** A note with any text that our key signed. */
const noteOf = (text: string) => {
  const signature = Buffer.concat([
    Buffer.from(vkey.split('+')[1] as string, 'hex'),
    signed(text),
  ]).toString('base64');
  return `${text}\n\u2014 ${origin} ${signature}\n`;
};

const outcome = (note: string, by = vkey): Promise<string> =>
  openCheckpoint(note, by).then(
    () => 'ok',
    (error: unknown) => (error instanceof CheckpointError ? error.code : String(error)),
  );

describe('a signed note', () => {
  it('[log.checkpoint] opens as the specification and Go have it, also among signatures of keys that nobody knows', async () => {
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
    expect(await openCheckpoint(checkpoint(), vkey)).toEqual({
      origin,
      size: 41,
      root: new Uint8Array(root),
    });
    expect(await outcome(checkpoint(0))).toBe('ok');
    expect(await outcome(noteOf(`${checkpointText(origin, 41, root)}an extension\n`))).toBe('ok');
  });

  it('[log.checkpoint] is refused, though signed, where it is not the checkpoint of this log in the one right form', async () => {
    const base64 = root.toString('base64');
    for (const [text, code] of [
      [`${origin}\n041\n${base64}\n`, 'checkpoint_malformed'],
      [`${origin}\n-1\n${base64}\n`, 'checkpoint_malformed'],
      [`${origin}\n9007199254740993\n${base64}\n`, 'checkpoint_malformed'],
      [`${origin}\n41\n${base64.slice(0, -4)}\n`, 'checkpoint_malformed'],
      [`${origin}\n41\n${base64.replace('=', '')}\n`, 'checkpoint_malformed'],
      [`${origin}\n41\n`, 'checkpoint_malformed'],
      [`${origin}\n41\n${base64}\n\n`, 'checkpoint_malformed'],
      [`other.example.org/log\n41\n${base64}\n`, 'wrong_origin'],
    ] as const)
      expect([text, await outcome(noteOf(text))]).toEqual([text, code]);
    for (const note of [
      '',
      '\n\n',
      'x',
      checkpoint().slice(0, -1),
      checkpoint().replace('— ', '- '),
      checkpoint().replaceAll('\n', '\r\n'),
      `${'x'.repeat(100_000)}${checkpoint()}`,
    ])
      expect(await outcome(note)).toBe('checkpoint_malformed');
  });

  it('[log.tampering] with any one bit changed, of it or of the key, is refused and the reason is named', async () => {
    const bytes = Buffer.from(checkpoint());
    const change = (text: Buffer, at: number, bit: number) => {
      const copy = Buffer.from(text);
      copy[at] = (copy[at] ?? 0) ^ (1 << bit);
      return copy.toString('utf8');
    };
    const named = ['checkpoint_malformed', 'unknown_key', 'bad_signature', 'wrong_origin'];
    for (let at = 0; at < bytes.length; at++)
      for (let bit = 0; bit < 8; bit++)
        expect(named, `byte ${at}, bit ${bit}`).toContain(await outcome(change(bytes, at, bit)));
    const bytesOfKey = Buffer.from(vkey);
    for (let at = 0; at < bytesOfKey.length; at++)
      for (let bit = 0; bit < 8; bit++)
        expect(
          await outcome(checkpoint(), change(bytesOfKey, at, bit)),
          `byte ${at}, bit ${bit}`,
        ).toBe('key_malformed');
  });

  it('[log.tampering] never opens what was put together by chance', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), fc.string(), async (note, by) => {
        expect(await outcome(note)).toBe('checkpoint_malformed');
        expect(await outcome(checkpoint(), by)).toBe('key_malformed');
      }),
    );
    const other = generateKeyPairSync('ed25519');
    const forged = checkpointOf(key, {
      size: 42,
      root,
      signature: sign(null, Buffer.from(checkpointText(origin, 42, root)), other.privateKey),
    });
    expect(await outcome(forged)).toBe('bad_signature');
    expect(
      await outcome(
        checkpointOf({ ...key, publicKey: root }, { size: 41, root, signature: signed('x') }),
      ),
    ).toBe('unknown_key');
  });
});
