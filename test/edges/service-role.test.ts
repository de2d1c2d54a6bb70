import { describe, expect, it } from 'vitest';
import { isMutation } from '../../src/kernel/operation/any-operation.ts';
import { makeValidCall } from '../operations/cases.ts';
import { callOperation, createFixture, registry } from '../operations/fixture.ts';
import { createFixturePool } from '../operations/fixture-pool.ts';
import { allFeaturesOn } from '../support/all-features-on.ts';
import { startApp } from '../support/app.ts';
import { factories } from '../support/factories.ts';

/*
 * Every operation works with the rights of the service's own role. Other tests connect as a
 * superuser, because they also look into the database and break it.
 */
const app = await startApp(
  { ...(await allFeaturesOn()), SELF_SERVICE_ACTIVATION: 'on' },
  { manualJobs: true, asService: true },
);
const f = factories(app);
const getFixture = createFixturePool(f);
await createFixture(f);
await app.app.jobs.runDue();

describe("the service's own role", () => {
  const operations = registry
    .filter(({ kind }) => kind !== 'stream')
    .map((operation) => ({ name: operation.name, operation }));

  it.for(operations)('[ops.two-roles] may do what $name needs', async ({ name, operation }) => {
    const { input, as } = await makeValidCall(name, await getFixture(name), f);
    const { status } = await callOperation(app.url, operation, input, as);
    expect(status).toBeLessThan(400);
    if (isMutation(operation)) await app.app.jobs.runDue();
  });

  it('[ops.two-roles] may do what all jobs need', async () => {
    await app.app.jobs.runDue();
    const failed = app.logs.filter((line) => JSON.parse(line).level >= 50);
    expect(failed).toEqual([]);
  });
});
