import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { buildOpenApiDocument } from '../../src/http/openapi.ts';
import type { AnyOperation } from '../../src/kernel/operation/any-operation.ts';
import { operation } from '../../src/kernel/operation/operation.ts';
import {
  assertReferences,
  createRestWording,
  fillProblem,
  findBrokenReferences,
} from '../../src/kernel/operation/operation-references.ts';
import { Closed, Text } from '../../src/kernel/schema/schema.ts';
import { installation } from '../support/installation.ts';
import { registry } from './fixture.ts';

const sources = fileURLToPath(new URL('../../src', import.meta.url));
const wording = createRestWording(registry);

const buildOperation = (texts: { readonly description?: string; readonly field?: string }) =>
  operation(
    'pokeThing',
    {
      method: 'GET',
      path: '/api/v1/pokes',
      tag: 'rooms',
      summary: 'Poke.',
      description: texts.description ?? 'Pokes.',
      auth: 'public',
      output: Closed({ name: Text(1, 9, { description: texts.field ?? 'A name.' }) }),
    },
    async () => ({ name: 'x' }),
  ) as unknown as AnyOperation;

describe('references to operations', () => {
  it('[house.references] become requests in REST', () => {
    expect(wording('First: {op:createRoom}.')).toBe('First: POST /api/v1/rooms.');
    expect(wording('Leave: {op:removeMember}.')).toBe(
      'Leave: DELETE /api/v1/rooms/{id}/members/{memberId}.',
    );
    expect(wording('Leave: {op:removeMember(a-1,b-2)}.')).toBe(
      'Leave: DELETE /api/v1/rooms/a-1/members/b-2.',
    );
    expect(wording('Send an {idempotencyKey} to /rooms/{id}.')).toBe(
      'Send an Idempotency-Key to /rooms/{id}.',
    );
    expect(wording('{op:noSuchThing} and {op:} are text.')).toBe(
      '{op:noSuchThing} and {op:} are text.',
    );
  });

  it('[house.references] are filled in the detail of a problem and of its fields', () => {
    const problem = {
      type: 'about:blank',
      title: 'T',
      status: 400,
      detail: 'See {op:listRooms}.',
      code: 'invalid_request' as const,
      requestId: 'r',
      errors: [{ pointer: '/body/{op:listRooms}', detail: 'see {op:getRoom}' }],
    };
    expect(fillProblem(problem, wording)).toEqual({
      ...problem,
      detail: 'See GET /api/v1/rooms.',
      errors: [{ pointer: '/body/{op:listRooms}', detail: 'see GET /api/v1/rooms/{id}' }],
    });
  });

  it.for([
    { description: 'First {op:createRom}.' },
    { description: 'First {op: createRoom}.' },
    { description: 'First {op:createRoom.' },
    { description: 'First {OP:createRoom}.' },
    { field: 'See {op:createRom}.' },
  ])('[house.references] stop the start when an operation is unknown: %j', (texts) => {
    expect(() => assertReferences([...registry, buildOperation(texts)])).toThrow(
      /^A text of pokeThing refers to \{op.*, and no operation has that name\. Correct the/i,
    );
  });

  it('[house.references] of all operations and errors lead to operations', () => {
    expect(() => assertReferences(registry)).not.toThrow();
    const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && !file.endsWith('operation-references.ts'),
    );
    const texts = files.map((file) => readFileSync(join(sources, file), 'utf8'));
    // In the sources, the values of a path are expressions.
    const references = texts.flatMap(
      (text) => text.replace(/\(\$\{[^}]*\}\)/g, '').match(/\{op:[^}]*\}/g) ?? [],
    );
    expect(references.length).toBeGreaterThan(5);
    expect(references.flatMap((one) => findBrokenReferences(one, registry))).toEqual([]);
  });

  it('[house.references] are filled in the OpenAPI document', () => {
    expect(JSON.stringify(buildOpenApiDocument(installation, registry))).not.toMatch(
      /\{op:|\{idempotencyKey/,
    );
  });
});
