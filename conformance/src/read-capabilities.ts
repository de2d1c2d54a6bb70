import type { Json } from './support/exchange.ts';
import { expectOk } from './support/expectations.ts';
import { send } from './support/send.ts';

/** Reads what the installation at this address has switched on, before anything else. */
export async function readCapabilities(base: string): Promise<Json> {
  return expectOk(await send(base, { method: 'GET', path: '/api/v1/capabilities' }));
}
