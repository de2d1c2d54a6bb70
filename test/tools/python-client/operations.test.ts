import { expect, it } from 'vitest';
import { toSnakeCase } from '../../../scripts/clients/python-names.ts';
import { type AnyOperation, isMutation } from '../../../src/kernel/operation/any-operation.ts';
import { makeValidCall } from '../../operations/cases.ts';
import { callOperation, registry } from '../../operations/fixture.ts';
import { createFixturePool } from '../../operations/fixture-pool.ts';
import type { ValidCall } from '../../operations/operation-case.ts';
import { allFeaturesOn } from '../../support/all-features-on.ts';
import { ADMIN_KEY, startApp } from '../../support/app.ts';
import { factories, type Json, waitUntil } from '../../support/factories.ts';
import { findProgram, startPython } from './python.ts';

const app = await startApp(
  { ...(await allFeaturesOn()), SELF_SERVICE_ACTIVATION: 'on' },
  { manualJobs: true },
);
const f = factories(app);
const getFixture = createFixturePool(f);
// Nothing runs by itself here, and there must be something in the log.
await getFixture('getLogTile');
await app.app.jobs.runDue();
const python = startPython([findProgram('call_operations.py')]);

const toArguments = (members: unknown): Json =>
  Object.fromEntries(
    Object.entries((members ?? {}) as object).map(([name, value]) => [toSnakeCase(name), value]),
  );

/** What the program needs to make a call: a method, its arguments, and who calls. */
function buildOrder(operation: AnyOperation, { input, as }: ValidCall) {
  const { file, params = {}, query, body } = input;
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return {
    url: app.url,
    method: toSnakeCase(operation.name),
    isUpload: file !== undefined,
    path: names.filter((name) => name !== 'service').map((name) => params[name]),
    arguments: {
      ...toArguments(query),
      ...toArguments(body),
      ...(file && { name: file.name, content: Buffer.from(file.bytes).toString('base64') }),
      ...(isMutation(operation) && as.idem && { idempotency_key: as.idem }),
    },
    credentials: {
      ...(as.key !== undefined && { api_key: as.key }),
      ...(as.admin && { admin_key: as.admin === true ? ADMIN_KEY : as.admin }),
      ...(as.context !== undefined && { context_key: as.context }),
    },
  };
}

let answered = 0;
async function order(call: ReturnType<typeof buildOrder>): Promise<Json> {
  python.write(JSON.stringify(call));
  await waitUntil('the program answers', () => {
    if (python.readErrors()) throw new Error(python.readErrors());
    return python.readLines().length > answered;
  });
  return JSON.parse(python.readLines()[answered++] ?? '');
}

// Forms are for browsers; agent.test.ts reads the stream.
const callable = registry.filter(({ kind }) => kind === 'call' || kind === 'content');

it.for(callable.map((operation) => ({ name: operation.name, operation })))(
  '[python.operations] $name is a method whose result has the type that it declares',
  async ({ name, operation }) => {
    const valid = await makeValidCall(name, await getFixture(name), f);
    const answer = await order(buildOrder(operation, valid));
    expect(answer).toMatchObject({ faults: [] });
    if (isMutation(operation)) return;
    const same = await callOperation(app.url, operation, valid.input, valid.as);
    if (operation.kind === 'call') expect(answer.result).toEqual(same.body);
    else expect(answer.status).toBe(200);
  },
);
