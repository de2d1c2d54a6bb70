import { describe, expect, it } from 'vitest';
import type { AnyOperation } from '../../../src/kernel/operation/any-operation.ts';
import { allFeaturesOn } from '../../support/all-features-on.ts';
import { startApp } from '../../support/app.ts';
import { type Answer, call, factories, type Json } from '../../support/factories.ts';
import { findValidatorLanguage, hasAdvice } from '../../support/plain-words.ts';
import { makeValidCall } from '../cases.ts';
import { createFixture, fillPath, type OperationInput, registry } from '../fixture.ts';

const app = await startApp(await allFeaturesOn());
const f = factories(app);
const fixture = await createFixture(f);

interface Shape {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly maximum?: number;
}

const hasType = ({ type }: Shape, wanted: string) => [type].flat().includes(wanted);

/** A value that a member cannot have, for each way of being wrong. */
type Spoil = (member: Shape) => unknown;

const tooMany = (member: Shape, build: Spoil): unknown[] =>
  Array.from({ length: Math.min((member.maxItems ?? 0) + 1, 200) }, () =>
    build(member.items ?? {}),
  );

const spoilings: Readonly<Record<string, Spoil>> = {
  'of other types': (member) => (hasType(member, 'object') ? 'text' : { a: 1 }),
  'that are null': () => null,
  'that are empty': (member) =>
    hasType(member, 'array') ? [] : hasType(member, 'object') ? {} : '',
  'that are too large': (member) => {
    if (hasType(member, 'array')) return tooMany(member, () => 'x');
    if (hasType(member, 'object')) return { unknown: 1, other: 2 };
    if (hasType(member, 'integer')) return Number.MAX_SAFE_INTEGER + 1;
    return 'x'.repeat(Math.min((member.maxLength ?? 600) + 1, 10_000));
  },
  'that are too small': (member) => {
    if (hasType(member, 'integer')) return -1_000_000;
    return hasType(member, 'array') ? ['', '', 1, { a: 1 }] : ' ';
  },
  'of a form that is none': (member) =>
    hasType(member, 'array') ? ['?/', '?/', '\u202e'] : '?/ \u202e',
};

const mapMembers = (schema: unknown, spoil: Spoil): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries((schema as Shape | undefined)?.properties ?? {}).map(([name, member]) => [
      name,
      spoil(member),
    ]),
  );

const toText = (value: unknown): string =>
  typeof value === 'object' || value === undefined ? JSON.stringify(value ?? null) : String(value);

const formatQuery = (members: Readonly<Record<string, unknown>>): string =>
  new URLSearchParams(
    Object.entries(members).map(([name, value]): [string, string] => [name, toText(value)]),
  ).toString();

/** Asserts that a refusal is told in plain words, in each of its details. */
function expectPlainWords({ status, body }: Answer<Json>): void {
  if (status < 400) return;
  const details = [body.detail, ...(body.errors ?? []).map(({ detail }: Json) => detail)];
  for (const detail of details) {
    expect({ detail, language: findValidatorLanguage(detail) }).toEqual({ detail });
    expect({ detail, hasAdvice: hasAdvice(detail) }).toEqual({ detail, hasAdvice: true });
  }
}

type Send = (input: OperationInput, more?: { body?: unknown; query?: string }) => Promise<void>;

async function prepareSend(
  operation: AnyOperation,
): Promise<{ input: OperationInput; send: Send }> {
  const { input, as } = await makeValidCall(operation.name, fixture, f);
  const send: Send = async (changed, { body, query } = {}) => {
    const path = fillPath(operation, changed).split('?')[0];
    expectPlainWords(
      await call(app.url, operation.method, `${path}${query ? `?${query}` : ''}`, {
        ...as,
        ...(body !== undefined && { body }),
        headers: { accept: 'application/problem+json' },
      }),
    );
  };
  return { input, send };
}

const isForm = ({ kind }: AnyOperation) => kind === 'form' || kind === 'stream';

describe('the detail of a refusal', () => {
  it.for(registry.filter((one) => !isForm(one)).map((one) => ({ name: one.name, operation: one })))(
    '[error.detail-plain] [error.detail-advice] $name, whatever is wrong with its input',
    async ({ operation }) => {
      const { input, send } = await prepareSend(operation);
      for (const spoil of Object.values(spoilings)) {
        if (operation.body) await send(input, { body: mapMembers(operation.body, spoil) });
        if (operation.query)
          await send(input, { query: formatQuery(mapMembers(operation.query, spoil)) });
      }
      if (operation.params)
        await send({ ...input, params: mapMembers(operation.params, () => '?') as never });
      if (operation.body) for (const body of [{}, [], 'x', 1, null]) await send(input, { body });
      await send(input, { query: 'nobodyKnowsThis=1', body: { nobodyKnowsThis: 1 } });
    },
  );
});
