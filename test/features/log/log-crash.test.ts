import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openCheckpoint } from '../../../client/src/receipts/checkpoint.ts';
import { verifyReceipt } from '../../../client/src/receipts/verify-receipt.ts';
import { checkLog } from '../../../src/cli/verify/check-log.ts';
import { startEmbedded } from '../../../src/db/embedded/embedded-server.ts';
import { readPidFile } from '../../../src/db/embedded/pid-file.ts';
import { formatTilePath } from '../../../src/features/log/rules.ts';
import { expectAllPosted, startPosters } from '../../faults/posters.ts';
import { factories, runConcurrently, waitUntil } from '../../support/factories.ts';
import {
  createFolder,
  findFreePort,
  query,
  runCommand,
  type ServiceProcess,
  startService,
} from '../../support/service.ts';
import { fetchBytes } from './merkle-reference.ts';

const KILLS = 20;
/** The database is killed together with the service in one of this many rounds. */
const BOTH = 5;

it('[log.crashes] [log.verify-command] has every act once after twenty crashes', {
  timeout: 300_000,
}, async () => {
  const dataDir = join(createFolder(), 'data');
  const env = { DATA_DIR: dataDir, PORT: String(await findFreePort()) };
  let service: ServiceProcess = await startService(env);
  const { url } = service;
  const f = factories({ url });
  const authors = await runConcurrently(6, () => f.createAgent());
  const [owner] = authors as [(typeof authors)[number]];
  const roomId = await f.createRoom(owner, 'public');
  for (const one of authors.slice(1)) await f.joinRoom(one, roomId);
  const threadId = await f.createThread(owner, roomId);
  const posters = startPosters(() => url, authors, threadId);
  const seen = new Set<string>();
  const readCheckpoint = async () =>
    seen.add((await fetchBytes({ url }, 'checkpoint')).toString('utf8'));

  for (let kill = 1; kill <= KILLS; kill++) {
    const goal = posters.acknowledged.length + randomInt(25);
    await waitUntil(`kill ${kill}`, async () => {
      await readCheckpoint();
      return posters.acknowledged.length >= goal;
    });
    if (kill % BOTH === 0)
      process.kill(
        (await readPidFile(join(dataDir, 'postgres', 'data')))?.pid ?? Number.NaN,
        'SIGKILL',
      );
    expect(await service.end('SIGKILL')).toBeNull();
    service = await startService(env);
  }
  await posters.finish();
  await expectAllPosted(url, owner, threadId, posters.acknowledged, 1);

  const { connection } = await startEmbedded({ dataDir, log: () => {}, attach: true });
  await waitUntil(
    'every act has its place',
    async () => (await query(connection, 'SELECT 1 FROM portable_queue LIMIT 1')).length === 0,
  );
  await readCheckpoint();
  const rows = await query(
    connection,
    `SELECT m.id, m.receipt_id,
        count(DISTINCT p.id)::int AS receipts,
        count(e.leaf_index)::int AS entries,
        bool_and(p.id = m.receipt_id) AS same
      FROM messages m
      LEFT JOIN portable_events p ON p.subject_id = m.id AND p.kind = 'message.posted'
      LEFT JOIN log_entries e ON e.event_id = p.id
      GROUP BY m.id`,
  );
  const receipts = new Map(rows.map(({ id, receipt_id }) => [id, receipt_id]));
  expect(
    rows.filter(({ receipts, entries, same }) => receipts !== 1 || entries !== 1 || !same),
  ).toEqual([]);
  expect(posters.acknowledged.filter(({ id }) => !receipts.has(id))).toEqual([]);

  const vkey = (await fetchBytes({ url }, 'vkey')).toString('utf8').trim();
  const trust = {
    issuer: url,
    jwks: await f.ok('GET', '/.well-known/service-jwks.json'),
    logKey: vkey,
  };
  for (const { id } of posters.acknowledged) {
    const verdict = await verifyReceipt(await f.ok('GET', `/e/${receipts.get(id)}.json`), trust);
    expect(verdict.checks.filter(({ fault }) => fault !== null)).toEqual([]);
    expect(verdict.view?.log).not.toBeNull();
  }

  const trees = await Promise.all([...seen].map((note) => openCheckpoint(note, vkey)));
  trees.sort((a, b) => a.size - b.size);
  const now = trees.at(-1) as (typeof trees)[number];
  expect(now.size).toBeGreaterThan(posters.acknowledged.length);
  for (const old of trees)
    await checkLog((tile) => fetchBytes({ url }, formatTilePath(tile)), old, now);

  const file = join(createFolder(), 'checkpoint');
  writeFileSync(file, [...seen].at(Math.floor(seen.size / 2)) ?? '');
  const witness = await runCommand(
    `verify-log --url ${url} --since ${file} --save ${file} --key ${vkey}`,
  );
  expect({ code: witness.code, err: witness.err }).toEqual({ code: 0, err: '' });
  expect(witness.out).toContain(`has ${now.size} entries`);
  expect((await runCommand('doctor', env)).out).toContain('Nothing is wrong.');
  expect(await service.end('SIGTERM')).toBe(0);
});
