import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { installation } from '../../test/support/installation.ts';
import { type ErrorCode, errorTable } from '../kernel/errors.ts';
import { type AnyOperation, isMutation } from '../kernel/operation/any-operation.ts';
import { listErrorCodes } from '../kernel/operation/error-codes.ts';
import type { Operation } from '../kernel/operation/operation.ts';
import { createOutputCheck, createValidator } from '../kernel/schema/validate.ts';
import { operations } from '../operations.ts';
import { buildOpenApiDocument } from './openapi.ts';

const registry = operations as unknown as readonly AnyOperation[];
const root = fileURLToPath(new URL('../../', import.meta.url));

// biome-ignore lint/suspicious/noExplicitAny: a JSON document, walked by its addresses
type Json = any;
const document: Json = JSON.parse(JSON.stringify(buildOpenApiDocument(installation, registry)));
const follow = (at: Json, name: string): Json => at[name];
const resolve = (part: Json): Json =>
  part.$ref === undefined ? part : part.$ref.slice(2).split('/').reduce(follow, document);
const getEntry = ({ path, method }: AnyOperation) =>
  document.paths[path.replace('{service}', 'stoa')][method.toLowerCase()];
const calls = registry.filter((operation) => operation.kind === 'call');

/** Runs Redocly's own command line over a document; what it has to say, or nothing. */
async function lint(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'openapi-'));
  try {
    const file = join(folder, 'openapi.json');
    await writeFile(file, text);
    const cli = join(root, 'node_modules/@redocly/cli/bin/cli.js');
    const options = {
      cwd: root,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      maxBuffer: 64 * 1024 * 1024,
    };
    await promisify(execFile)(
      process.execPath,
      [cli, 'lint', file, '--config', join(root, 'redocly.yaml'), '--max-problems', '1000'],
      options,
    );
    return '';
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    return `${stdout ?? ''}${stderr ?? ''}` || String(error);
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('the OpenAPI document', () => {
  it('[openapi.version] is OpenAPI 3.1.1', () => {
    expect(document.openapi).toBe('3.1.1');
    expect(document.info).toMatchObject({
      version: '1.2.3',
      license: { identifier: 'Apache-2.0' },
    });
    expect(document.servers).toEqual([
      expect.objectContaining({ url: 'https://stoa.example.org' }),
    ]);
  });

  it('[openapi.lint] passes strict linting by Redocly', async () => {
    expect(await lint(JSON.stringify(document))).toBe('');
  });

  it('[openapi.lint] fails that linting when something is wrong', {
    timeout: 120_000,
  }, async () => {
    const wrong = structuredClone(document);
    delete wrong.paths['/api/v1/version'].get.summary;
    wrong.paths['/api/v1/rooms'].post.requestBody.content['application/json'].example.name = 12;
    const faults = await lint(JSON.stringify(wrong));
    expect(faults).toContain('operation-summary');
    expect(faults).toContain('no-invalid-media-type-examples');
  });

  it('[openapi.complete] has exactly the operations, with parameters, body and answers', () => {
    const documented = Object.values(document.paths as object).flatMap((methods) =>
      Object.values(methods as object).map(({ operationId }) => operationId),
    );
    expect(documented.sort()).toEqual([...registry.map(({ name }) => name), 'getOpenApi'].sort());
    for (const operation of registry) {
      const entry = getEntry(operation);
      const places = entry.parameters
        .map(resolve)
        .map((parameter: Json) => `${parameter.in} ${parameter.name}`);
      const listNames = (schema: unknown) =>
        Object.keys((schema as { properties?: object } | undefined)?.properties ?? {});
      for (const name of listNames(operation.params))
        expect(places, operation.name).toContain(`path ${name}`);
      for (const name of listNames(operation.query))
        expect(places, operation.name).toContain(`query ${name}`);
      expect(places.includes('header Idempotency-Key'), operation.name).toBe(isMutation(operation));
      expect('requestBody' in entry, operation.name).toBe(
        operation.body !== undefined || operation.upload === true,
      );
      expect(JSON.stringify(entry)).not.toContain('textKind');
    }
  });

  it('[openapi.itself] describes its own address, with examples of what it says', () => {
    const { operationId, responses } = document.paths['/openapi.json'].get;
    expect({ operationId, statuses: Object.keys(responses) }).toEqual({
      operationId: 'getOpenApi',
      statuses: ['200', '304', '400', '429', '500', '503'],
    });
    const { schema, example } = responses[200].content['application/json'];
    expect(createOutputCheck(schema)(example)).toBeUndefined();
    expect(createOutputCheck(schema)(document)).toBeUndefined();
    expect(createOutputCheck(schema)({ ...document, paths: undefined })).toContain('paths');
  });

  it('[openapi.complete] lists every code of an operation by status, each with an example', () => {
    for (const operation of registry) {
      const { responses } = getEntry(operation);
      const codes = Object.entries(responses).flatMap(([status, response]) => {
        const problem = resolve(response as object).content?.['application/problem+json'];
        const listed: ErrorCode[] = problem?.schema.allOf[1].properties.code.enum ?? [];
        for (const code of listed) {
          expect(errorTable[code].status).toBe(Number(status));
          expect(resolve(problem.examples[code]).value).toMatchObject({
            code,
            status: Number(status),
          });
        }
        return listed;
      });
      expect(codes, operation.name).toEqual(listErrorCodes(operation));
    }
  });

  it('[openapi.lint] has examples that the service itself would take and give', () => {
    for (const operation of calls) {
      const { requestBody, responses } = getEntry(operation);
      const output = responses[200].content['application/json'].example;
      expect(createOutputCheck(operation.output)(output), operation.name).toBeUndefined();
      if (operation.body)
        createValidator(
          operation.body,
          'body',
        )(structuredClone(requestBody.content['application/json'].example));
    }
  });

  it('[openapi.lint] has an example of every text that is no page', () => {
    const texts = registry.filter(
      (operation) => 'media' in operation && /^text\/(?!html)|[/+]xml\b/.test(operation.media),
    );
    expect(texts.length).toBeGreaterThan(10);
    for (const operation of texts) {
      const [media] = Object.values(getEntry(operation).responses[200].content) as Json[];
      expect({
        name: operation.name,
        schema: media.schema,
        exampleType: typeof media.example,
      }).toEqual({ name: operation.name, schema: { type: 'string' }, exampleType: 'string' });
    }
  });

  it('says which operations belong to a capability that is switched off', () => {
    const feature = 'tasks' as const;
    const some = { ...(calls[0] as Operation), feature };
    const listMarked = (on: boolean) =>
      JSON.stringify(
        buildOpenApiDocument(
          { ...installation, features: { ...installation.features, tasks: on } },
          [some],
        ),
      ).includes('"x-capability":"tasks"');
    expect({ off: listMarked(false), on: listMarked(true) }).toEqual({ off: true, on: false });
  });
});
