import { describe, expect, expectTypeOf, it } from 'vitest';
import { type Client, createClient } from '../../../client/src/calls/client.ts';
import { buildErrorsSource } from '../../../scripts/clients/build-errors-source.ts';
import { buildRoutesSource } from '../../../scripts/clients/build-routes-source.ts';
import { buildTypesSource } from '../../../scripts/clients/build-types-source.ts';
import { listIds } from '../../../scripts/clients/list-ids.ts';
import type { AnyOperation } from '../../../src/kernel/operation/any-operation.ts';
import { operations } from '../../../src/operations.ts';

const registry = operations as unknown as readonly AnyOperation[];
const folder = '../../../client/src/generated';
const stale = 'It is stale. Run: npx vitest run client -u';

describe('the client and the registry', () => {
  it('[registry.client] has routes that are current', async () => {
    await expect(buildRoutesSource(registry), stale).toMatchFileSnapshot(`${folder}/routes.ts`);
  });

  it('[registry.client] has types that are current', async () => {
    await expect(buildTypesSource(registry), stale).toMatchFileSnapshot(
      `${folder}/operation-types.ts`,
    );
  });

  it('[registry.client] has an error class for each code', async () => {
    await expect(buildErrorsSource(), stale).toMatchFileSnapshot(`${folder}/error-classes.ts`);
  });

  it('[registry.client] has a function for every operation but forms', () => {
    const client = createClient({ baseUrl: 'http://stoa.test' });
    for (const { name, kind } of registry) {
      if (kind === 'form') expect(client).not.toHaveProperty(name);
      else expect(client).toHaveProperty(name, expect.any(Function));
    }
  });

  it('[attack.34-5] (API10) know each id whose place has words of other addresses', () => {
    // Documents are left out: a word in place of their name is another text for everybody.
    const callable = registry.filter(
      ({ kind, path }) => kind !== 'form' && !/^\/(?:docs|\.well-known)\//.test(path),
    );
    const taken: string[] = [];
    for (const { name, method, path, greedyPath, ...operation } of callable) {
      if (greedyPath) continue;
      const ids = listIds(operation);
      // An id may be any word here, if the client does not know that it must be a UUID.
      const text = path.replace(/\{(\w+)\}/g, (_, param) =>
        ids.includes(param) ? '\\{' : '[^/]+',
      );
      const others = callable.filter((one) => one.method === method && one.name !== name);
      for (const other of others.filter((one) => new RegExp(`^${text}$`).test(one.path)))
        taken.push(`${name} ${path}: ${other.path}`);
    }
    expect(taken).toEqual([]);
  });

  it('[registry.client] has the types of the schemas', () => {
    type Input<Name extends keyof Client> = Client[Name] extends (call: infer T) => unknown
      ? T
      : never;
    const params = { id: '' };
    expectTypeOf<Input<'createThread'>>().toExtend<{ body: { title: string; body: string } }>();
    expectTypeOf<Client['listMessages']>()
      .returns.resolves.toHaveProperty('nextOffset')
      .toEqualTypeOf<number | null>();
    expectTypeOf<Client['getVersion']>().returns.resolves.toEqualTypeOf<
      Readonly<{ service: string; version: string; api: 'v1' }>
    >();
    expectTypeOf<Input<'createRoom'>>().not.toExtend<{ body: { visibility: 'secret' } }>();
    expectTypeOf<Client['createInvitation']>().toBeCallableWith({ params });
    const { createThread, createInvitation, getThread } = {} as Client;
    const refused = () => [
      // @ts-expect-error a thread needs a title
      createThread({ params, body: { body: 'Hello' } }),
      // @ts-expect-error a room needs its id
      createInvitation({}),
      // @ts-expect-error no such member
      getThread({ params, query: { nothing: 1 } }),
    ];
    expectTypeOf(refused).toBeFunction();
  });
});
