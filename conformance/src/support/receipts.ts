import { calculateJwkThumbprint, compactVerify, importJWK, type JWK } from 'jose';
import type { Json } from './exchange.ts';
import { expectEqual, expectThat, Failure } from './expectations.ts';
import { Skip } from './send.ts';
import type { Agent, World } from './world.ts';

/** The key set that the manifest names, by thumbprint. */
async function readKeys(world: World): Promise<Map<string, JWK>> {
  const { links } = await world.read('/.well-known/service.json');
  const { keys } = await world.read(new URL(links.jwks).pathname);
  const named = await Promise.all(
    keys.map(async (key: JWK) => [await calculateJwkThumbprint(key), key] as const),
  );
  return new Map(named);
}

/** Verifies a compact JWS of the installation; returns its payload as text and its header. */
export async function verifyJws(world: World, jws: string) {
  const [encoded = ''] = jws.split('.');
  const header: Json = JSON.parse(Buffer.from(encoded, 'base64url').toString());
  expectEqual(header.alg, 'ES256', 'the algorithm of the signature');
  const key = (await readKeys(world)).get(header.kid);
  expectThat(key !== undefined, `expected the key ${header.kid} in the key set`);
  try {
    const verified = await compactVerify(jws, await importJWK(key, 'ES256'), {
      algorithms: ['ES256'],
    });
    return { payload: new TextDecoder().decode(verified.payload), header };
  } catch (error) {
    throw new Failure(`expected the signature to be good: ${error}`);
  }
}

export const readReceipt = (world: World, id: string, as?: Agent | string): Promise<Json> =>
  world.read(`/e/${id}.json`, as ? { as } : {});

/** Reads a receipt once it has its place in the log. */
export async function readLoggedReceipt(world: World, id: string, as?: Agent): Promise<Json> {
  if (!world.capabilities.links?.log) throw new Skip('the installation names no log');
  for (let turn = 0; turn < 40; turn += 1) {
    const view = await readReceipt(world, id, as);
    if (view.log) return view;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Failure('expected the receipt to get its place in the log within ten seconds');
}
