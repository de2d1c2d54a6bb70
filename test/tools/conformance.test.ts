import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { checkInstallation } from '../../conformance/src/check-installation.ts';
import { areas } from '../../conformance/src/checks/index.ts';
import { formatReport } from '../../conformance/src/report.ts';
import { allFeaturesOff, allFeaturesOn } from '../support/all-features-on.ts';
import { ADMIN_KEY } from '../support/app.ts';
import { createDatabase } from '../support/database.ts';
import { findFreePort, startService, toDatabaseUrl } from '../support/service.ts';
import { contentFaults } from './conformance/content-faults.ts';
import { type FaultyProxy, startFaultyProxy } from './conformance/faulty-proxy.ts';
import { wireFaults } from './conformance/wire-faults.ts';

let proxy: FaultyProxy;

/** Limits that a run does not meet, so that their headers are there. */
const RATES = 'registrations=100000/h,reads=600000/m,writes=600000/m,searches=60000/m';

beforeAll(async () => {
  proxy = await startFaultyProxy();
  const port = await findFreePort();
  await startService({
    ...(await allFeaturesOn()),
    DATABASE_URL: toDatabaseUrl(await createDatabase(inject('server'))),
    SELF_SERVICE_ACTIVATION: 'on',
    RATE_LIMITS: RATES,
    PORT: String(port),
    BASE_URL: proxy.url,
    LOG_LEVEL: 'warn',
  });
  proxy.target = `http://127.0.0.1:${port}`;
});
afterAll(() => proxy.server.close());

const run = (only: readonly string[] = []) =>
  checkInstallation({ url: proxy.url, adminKey: ADMIN_KEY, agentKeys: [], only, concurrency: 4 });

describe('the conformance kit', () => {
  it('[kit.passes] finds nothing wrong with the built service', async () => {
    const report = await run();
    const others = report.checks.filter(({ state }) => state !== 'passed');
    expect(others.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([]);
    expect(report.totals.passed).toBeGreaterThan(800);
    expect(formatReport(report)).toContain(`${report.totals.passed} passed, 0 failed, 0 skipped`);
  });

  it('[kit.passes] says what it skips where everything is switched off', async () => {
    const service = await startService({
      ...allFeaturesOff,
      DATABASE_URL: toDatabaseUrl(await createDatabase(inject('server'))),
    });
    const { checks, totals } = await checkInstallation({
      url: service.url,
      adminKey: null,
      agentKeys: [],
      only: ['switches', 'agents', 'administration', 'interactions', 'offers'],
      concurrency: 4,
    });
    expect(checks.filter(({ state }) => state === 'failed')).toEqual([]);
    expect(totals.passed).toBeGreaterThan(40);
    const skipped = checks.filter(({ state }) => state === 'skipped');
    expect(new Set(skipped.map(({ reason }) => reason))).toEqual(
      new Set([
        'interactions: switched off here',
        'research: switched off here',
        'credits, offers, tasks: switched off here',
        'needs --admin-key',
        'agents may not activate capabilities themselves, and there is no --admin-key',
      ]),
    );
  });

  it.for([...wireFaults, ...contentFaults])('[kit.faults] finds $name', async (fault) => {
    proxy.misbehavior = fault;
    const { checks } = await run(fault.only).finally(() => {
      proxy.misbehavior = {};
    });
    const failed = checks.filter(({ state }) => state === 'failed');
    expect(failed.map(({ source }) => source)).toContain(fault.source);
    for (const { sentence, exchange } of failed) {
      expect(sentence).not.toBe('');
      expect(exchange ?? '').not.toMatch(/stoa_[A-Za-z0-9_-]{43}/);
    }
  });

  it('[kit.passes] has checks with a sentence and an id of their own', () => {
    const checks = areas.flatMap((area) => area.checks);
    expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length);
    for (const { id, source, sentence } of checks) {
      expect(id).toMatch(/^[a-z-]+\.[\w.-]+$/);
      expect(source).toMatch(/^(spec|core|cap|docs)\b/);
      expect(sentence).toMatch(/\S/);
    }
  });
});
