import { parseUrl } from '../../../client/src/receipts/parse-url.ts';

/** Where a command finds the key of an agent. */
export interface KeySources {
  /** The key on the command line, which is meant for the address beside it. */
  readonly flag: string | undefined;
  /** Environment variables: `STOA_API_KEY` is the key of the installation at `STOA_URL`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Returns the key to send to an origin; undefined to send none. A key from the environment goes to
 * its own installation only: the address of a receipt or a case often comes from a stranger, who
 * would otherwise receive the key (OWASP ASVS 13).
 */
export function chooseKey(
  origin: string | undefined,
  { flag, environment: { STOA_API_KEY: key, STOA_URL: home } }: KeySources,
): string | undefined {
  if (origin === undefined) return undefined;
  return flag || (home && key && parseUrl(home)?.origin === origin ? key : undefined);
}

/** Says how to send a key, for an answer that may need one. */
export const KEY_HINT =
  'If it is private, give the key of an agent that may read it: --api-key <key>, or ' +
  'STOA_API_KEY together with STOA_URL, the address of the installation that the key is for.';
