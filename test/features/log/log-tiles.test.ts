import { describe, expect, it } from 'vitest';
import { hashLeaf, hashNode } from '../../../src/features/log/merkle-tree.rules.ts';
import { startApp } from '../../support/app.ts';
import { factories } from '../../support/factories.ts';
import { fetchBytes, fillLog, listEntries, merkleTreeHash } from './merkle-reference.ts';

const app = await startApp();
const f = factories(app);
const get = (path: string, options = {}) => f.send('GET', `/log/${path}`, options);

describe('getLogTile', () => {
  it('[log.tiles] returns entries, hashes and hashes of full tiles by C2SP', async () => {
    await fillLog(app, 1_100);
    const size = 1_100;
    const entries = await listEntries(app);
    const leaves = entries.map(hashLeaf);
    const full = Math.floor(size / 256);
    const hashes = await fetchBytes(app, 'tile/0/001');
    expect(hashes.equals(Buffer.concat(leaves.slice(256, 512)))).toBe(true);
    const above = await fetchBytes(app, `tile/1/000.p/${full}`);
    expect(
      above.equals(
        Buffer.concat(
          Array.from({ length: full }, (_, nr) =>
            merkleTreeHash(leaves.slice(nr * 256, nr * 256 + 256)),
          ),
        ),
      ),
    ).toBe(true);
    const bundle = await fetchBytes(app, `tile/entries/00${full}.p/${size % 256}`);
    expect(
      bundle.equals(
        Buffer.concat(entries.slice(full * 256).flatMap((entry) => [Buffer.of(0, 32), entry])),
      ),
    ).toBe(true);
    expect(
      hashNode(leaves[0] as Buffer, leaves[1] as Buffer).equals(merkleTreeHash(leaves.slice(0, 2))),
    ).toBe(true);
  });

  it('[log.tiles-immutable] allows caching of tiles for ever, also partial ones', async () => {
    const tile = await get('tile/0/000.p/3');
    expect(tile.status).toBe(200);
    expect({
      cacheControl: tile.headers.get('cache-control'),
      contentType: tile.headers.get('content-type'),
    }).toEqual({
      cacheControl: 'public, max-age=31536000, immutable',
      contentType: 'application/octet-stream',
    });
    expect(
      (await get('tile/0/000.p/3', { headers: { 'if-none-match': tile.headers.get('etag') } }))
        .status,
    ).toBe(304);
    expect((await get('checkpoint')).headers.get('cache-control')).toBe('public, max-age=1');
    const before = await get('checkpoint');
    expect(
      (await get('checkpoint', { headers: { 'if-none-match': before.headers.get('etag') } }))
        .status,
    ).toBe(304);
    await fillLog(app, 1);
    expect(
      (await get('checkpoint', { headers: { 'if-none-match': before.headers.get('etag') } }))
        .status,
    ).toBe(200);
    expect((await get('tile/0/000.p/3')).headers.get('etag')).toBe(tile.headers.get('etag'));
    expect(
      (await get('tile/0/000', { key: (await f.createAgent()).key })).headers.get('cache-control'),
    ).toBe('private, no-store');
  });

  it('[log.tiles] accepts one address for each tile and rejects all others', async () => {
    for (const path of [
      '0/0',
      '0/00',
      '0/0000',
      '0/x000/001',
      '0/x001',
      '0/1/000',
      '0/000/',
      '0/000.p/0',
      '0/000.p/01',
      '0/000.p/256',
      '0/000.p/',
      '0/000.p',
      '0/-01',
      '0/00a',
    ])
      expect({ path, code: (await get(`tile/${path}`)).body?.code }).toEqual({
        path,
        code: 'invalid_request',
      });
    for (const path of ['00/000', '64/000', 'entry/000', '-1/000', 'x/000'])
      expect({ path, code: (await get(`tile/${path}`)).body?.code }).toEqual({
        path,
        code: 'invalid_request',
      });
    for (const path of [
      '0/999',
      '0/x001/000',
      '0/x999/x999/x999/x999/999',
      '63/000',
      '5/000.p/1',
      '1/000',
      'entries/900.p/1',
    ])
      expect({ path, code: (await get(`tile/${path}`)).body?.code }).toEqual({
        path,
        code: 'not_found',
      });
    // An address with encoded slashes is the same address. Clients generated from the OpenAPI
    // document write it so.
    expect(await fetchBytes(app, 'tile/0/000.p%2F3')).toEqual(
      await fetchBytes(app, 'tile/0/000.p/3'),
    );
    expect((await f.send('OPTIONS', '/log/tile/0/x001/000.p/3')).headers.get('allow')).toBe(
      'GET, HEAD, OPTIONS',
    );
    expect((await f.send('POST', '/log/tile/0/000.p/3')).body.code).toBe('method_not_allowed');
    expect((await get('tile/0/000.p/3?x=1')).body.code).toBe('invalid_request');
  });
});
