import { Agent, request } from 'node:http';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import {
  buildEncodedText,
  buildFittingValue,
  buildForm,
  buildNearlyFittingValue,
  buildPayload,
  headerText,
  type Known,
  oddText,
  uploadBody,
} from '../../scripts/fuzz/fuzz-inputs.ts';
import { type ErrorCode, errorTable } from '../../src/kernel/errors.ts';
import { type AnyOperation, isMutation } from '../../src/kernel/operation/any-operation.ts';
import { listErrorCodes } from '../../src/kernel/operation/error-codes.ts';
import { allFeaturesOn } from '../support/all-features-on.ts';
import { ADMIN_KEY, startApp } from '../support/app.ts';
import { createContextKey, factories, type TestAgent } from '../support/factories.ts';
import { findValidatorLanguage } from '../support/plain-words.ts';
import { getCase } from './cases.ts';
import { createFixture, getCredentialHeader, registry } from './fixture.ts';
import { watchChanges } from './row-changes.ts';

/**
 * Requests for each operation; more with FUZZ_RUNS=1000. A failure prints the seed and the shortest
 * input that shows it.
 */
const RUNS = Number(process.env.FUZZ_RUNS ?? 25);

const app = await startApp(
  { ...(await allFeaturesOn()), SELF_SERVICE_ACTIVATION: 'on' },
  { manualJobs: true },
);
const f = factories(app);
const fixture = await createFixture(f);
// Nothing runs by itself here, and there must be something in the log.
await app.app.jobs.runDue();
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
afterAll(() => agent.destroy());

const changes = await watchChanges(app);

interface Raw {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | undefined;
}

interface RawAnswer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** Sends a request as it stands: `fetch` would mend the path. Of a stream only the head is read. */
const send = ({ method, path, headers, body }: Raw): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const outgoing = request(
      app.url,
      {
        method,
        path,
        headers: { ...headers, ...(body && { 'content-length': body.length }) },
        agent,
      },
      (response) => {
        const type = response.headers['content-type'] ?? '';
        const status = response.statusCode ?? 0;
        if (type.startsWith('text/event-stream')) {
          resolve({ status, type, text: '' });
          return response.destroy();
        }
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve({ status, type, text: Buffer.concat(chunks).toString() }));
        return undefined;
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });

const codes = Object.keys(errorTable) as ErrorCode[];
/** What may be answered to a caller's mistake: everything but what is a failure of the service. */
const isRefusal = (code: ErrorCode) => errorTable[code].status < 500;

/**
 * What every refusal must be: a code that the operation declares, a pointer where something does
 * not fit, and a sentence.
 */
function expectProblem({ status, type, text }: RawAnswer, allowed: readonly ErrorCode[]): void {
  expect(type).toBe('application/problem+json; charset=utf-8');
  const problem = JSON.parse(text);
  expect(allowed).toContain(problem.code);
  expect(problem.status).toBe(status);
  expect(errorTable[problem.code as ErrorCode].status).toBe(status);
  expect(problem.detail).toMatch(/^\S[\s\S]*[.!]$/);
  expect(findValidatorLanguage(problem.detail)).toBeUndefined();
  expect(problem.requestId).toMatch(/^[A-Za-z0-9._-]{1,64}$/);
  if (problem.code === 'invalid_request') {
    expect(problem.errors.length).toBeGreaterThan(0);
    for (const { pointer, detail } of problem.errors) {
      expect(pointer).toMatch(/^\/(body|query|path|header)(\/|$)/);
      expect(detail).not.toBe('');
      expect(findValidatorLanguage(detail)).toBeUndefined();
    }
  }
}

const { id: messageId } = await f.postMessage(fixture.owner, fixture.threads.open, 'See the file');
const { id: fileId } = await f.attachFile(fixture.owner, messageId);
const knownIds = [
  fixture.publicRoom,
  fixture.privateRoom,
  ...Object.values(fixture.threads),
  messageId,
  fileId,
  fixture.outsider.id,
  fixture.publicRoom.toUpperCase(),
];
const knownId = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...knownIds) },
  { weight: 1, arbitrary: fc.uuid() },
);

/** Ids are known; all other members are drawn. */
const known: Known = (_, others) => fc.oneof(others, knownId);

/** What the operation could be asked for; "wait" would have it wait. */
function buildInputs(operation: AnyOperation): fc.Arbitrary<Raw> {
  const listMembers = (schema: unknown) =>
    Object.entries(
      (schema as { properties?: Record<string, object> } | undefined)?.properties ?? {},
    );
  const params = fc.record(
    Object.fromEntries(
      listMembers(operation.params).map(([name, schema]) => [
        name,
        buildEncodedText(buildFittingValue(schema, known)),
      ]),
    ),
  );
  const query = fc.record(
    Object.fromEntries(
      listMembers(operation.query).map(([name, schema]) => [
        name,
        name === 'wait'
          ? fc.constantFrom('0', '-1', 'x', '61')
          : buildEncodedText(buildFittingValue(schema, known)),
      ]),
    ),
    { requiredKeys: [] },
  );
  const odd = [
    'nonsense=1',
    'limit=1&limit=2',
    'offset[]=1',
    '__proto__=1',
    '%=%',
    '&&',
    '=',
    'limit',
    'offset=%ff',
  ];
  const extra = fc.oneof(
    { weight: 6, arbitrary: fc.constant('') },
    { weight: 1, arbitrary: fc.constantFrom(...odd) },
  );
  const path = fc.tuple(params, query, extra).map(([filled, asked, more]) => {
    const search = [
      ...Object.entries(asked).map(([name, value]) => `${name}=${value}`),
      ...(more ? [more] : []),
    ].join('&');
    const place = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
      name === 'service' ? 'service' : String(filled[name]),
    );
    return search ? `${place}?${search}` : place;
  });
  const takesFile = 'upload' in operation && operation.upload === true;
  const plainBody = operation.body
    ? (operation.kind === 'form' ? buildForm : buildPayload)(
        buildNearlyFittingValue(operation.body as object, known),
      )
    : fc.option(buildPayload(fc.constantFrom({}, null, [], { a: 1 })), {
        nil: Buffer.alloc(0),
        freq: 2,
      });
  const body = takesFile
    ? fc.oneof({ weight: 8, arbitrary: uploadBody }, { weight: 1, arbitrary: plainBody })
    : plainBody;
  const media =
    operation.kind === 'form'
      ? 'application/x-www-form-urlencoded'
      : takesFile
        ? 'multipart/form-data; boundary=b'
        : 'application/json';
  const type = fc.oneof(
    { weight: 15, arbitrary: fc.constant(media) },
    fc.constantFrom(
      'text/plain',
      'application/json; charset=utf-16',
      'multipart/form-data',
      'x',
      '',
    ),
  );
  const idempotencyKey = fc.oneof(
    { weight: 8, arbitrary: fc.uuid() },
    { weight: 1, arbitrary: headerText },
  );
  const range = fc.option(
    fc.oneof(
      headerText,
      fc.constantFrom(
        'bytes=0-',
        'bytes=5-2',
        'bytes=-1',
        'bytes=99999999999999999999-',
        'bytes=0-0,1-1',
      ),
    ),
  );
  return fc
    .tuple(path, body, type, idempotencyKey, fc.option(headerText, { freq: 8 }), range)
    .map(([filled, payload, contentType, idem, requestId, part]) => ({
      method: operation.method,
      path: filled,
      headers: {
        // A page tells a refusal as the problem itself to whoever asks for that.
        accept: 'application/problem+json',
        ...(isMutation(operation) && { 'idempotency-key': idem, 'content-type': contentType }),
        ...(requestId !== null && { 'x-request-id': requestId }),
        ...(operation.kind === 'content' && part !== null && { range: part }),
      },
      body: isMutation(operation) ? payload : undefined,
    }));
}

describe('whatever is sent', () => {
  let caller: TestAgent = fixture.owner;
  const context = createContextKey();

  it.for(registry.map((operation) => ({ name: operation.name, operation })))(
    '[error.fuzz-no-500] [error.nothing-half-done] [registry.generic-tests] $name never fails',
    { timeout: 600_000 },
    async ({ name, operation }) => {
      const losesKey = getCase(name).endsKey !== undefined;
      let before = await changes.getLatest();
      const property = fc.asyncProperty(buildInputs(operation), async (raw) => {
        if (losesKey) {
          caller = await f.createAgent();
          before = await changes.getLatest();
        }
        const credentials = {
          'x-admin-key': ADMIN_KEY,
          'x-api-key': losesKey ? caller.key : fixture.owner.key,
          'x-context-key': context,
        };
        const header = getCredentialHeader(operation) as keyof typeof credentials;
        const answer = await send({
          ...raw,
          headers: { ...raw.headers, [header]: credentials[header] },
        });
        const after = await changes.getLatest();
        if (answer.status < 300) {
          if (!isMutation(operation)) expect(after).toBe(before);
          before = after;
          return;
        }
        // A path that was broken by what stands in it leads elsewhere.
        expectProblem(answer, [
          ...listErrorCodes(operation).filter(isRefusal),
          'not_found',
          'method_not_allowed',
        ]);
        expect(after).toBe(before);
      });
      await fc.assert(property, { numRuns: RUNS });
    },
  );

  it('[error.fuzz-no-500] at any address, with any method', { timeout: 600_000 }, async () => {
    const segment = fc.oneof(
      fc.constantFrom(
        'api',
        'v1',
        'rooms',
        'threads',
        'me',
        'agents',
        'openapi.json',
        '.well-known',
        '',
        '..',
        fixture.publicRoom,
      ),
      buildEncodedText(oddText),
    );
    const path = fc
      .array(segment, { maxLength: 5 })
      .map((segments) => `/${segments.join('/')}`.slice(0, 4000));
    const method = fc.constantFrom(
      'GET',
      'HEAD',
      'POST',
      'PUT',
      'DELETE',
      'PATCH',
      'OPTIONS',
      'TRACE',
      'PROPFIND',
      'QUERY',
    );
    const before = await changes.getLatest();
    const property = fc.asyncProperty(method, path, headerText, async (verb, place, text) => {
      const answer = await send({
        method: verb,
        path: place,
        headers: {
          accept: 'application/problem+json',
          'x-request-id': text,
          origin: text,
          'if-none-match': text,
          range: text,
        },
      });
      if (answer.status < 400) return;
      if (verb !== 'HEAD') expectProblem(answer, codes.filter(isRefusal));
      expect(answer.status).toBeLessThan(500);
    });
    await fc.assert(property, { numRuns: RUNS * 6 });
    expect(await changes.getLatest()).toBe(before);
  });
});
