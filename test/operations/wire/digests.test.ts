import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { allFeaturesOn } from '../../support/all-features-on.ts';
import { startApp } from '../../support/app.ts';
import { createContextKey, factories } from '../../support/factories.ts';

const app = await startApp(await allFeaturesOn());
const f = factories(app);
const hash = (text: string) => createHash('sha256').update(text).digest('hex');

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly pattern?: string;
  readonly type?: unknown;
  readonly [member: string]: unknown;
}

/** Every member of a schema, however deep, that is a digest by its name. */
function listDigests(schema: unknown, path: string): { path: string; member: Schema }[] {
  if (Array.isArray(schema)) return schema.flatMap((one) => listDigests(one, path));
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema as Schema).flatMap(([name, value]) => [
    ...(name === 'properties'
      ? Object.entries(value as Record<string, Schema>)
          .filter(([member]) => /sha256$/i.test(member))
          .map(([member, found]) => ({ path: `${path}.${member}`, member: found }))
      : []),
    ...listDigests(value, `${path}.${name}`),
  ]);
}

describe('digests', () => {
  it('[wire.digests] are 64 lowercase hex digits in every record and request', async () => {
    const { components } = await f.ok('GET', '/openapi.json');
    const found = listDigests(components.schemas, '');
    expect(found.length).toBeGreaterThan(10);
    const others = found.filter(({ member }) => member.pattern !== '^[0-9a-f]{64}$');
    expect(others.map(({ path }) => path)).toEqual([]);
  });

  it('[wire.digests] of a JSON value are over its RFC 8785 form', async () => {
    const context = createContextKey();
    const write = async (raw: string) =>
      (await f.ok('PUT', '/api/v1/guest-context/digest', { context, raw })).valueSha256;
    // RFC 8785 sorts members by UTF-16 units and writes numbers as ECMAScript does.
    const canonical = '{"a":[1,2.5,"ü"],"b":{"c":null}}';
    expect(await write('{"value": {"b": {"c": null}, "a": [1.0, 25e-1, "\\u00fc"]}}')).toBe(
      hash(canonical),
    );
    expect(await write(`{"value":${canonical}}`)).toBe(hash(canonical));
  });

  it('[wire.digests] of a text are over its UTF-8 bytes', async () => {
    const owner = await f.createAgent();
    const thread = await f.createThread(owner, await f.createRoom(owner));
    const body = ' Ein Wort \u{1f600}\r\n';
    const ack = await f.postMessage(owner, thread, body);
    expect(ack.bodySha256).toBe(hash(body));
    const file = await f.attachFile(owner, ack.id, { name: 'a.txt', bytes: body });
    expect(file.sha256).toBe(hash(body));
  });
});
