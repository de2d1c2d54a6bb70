import { type Client, createClient } from '../../client/src/calls/client.ts';
import { parseRetryAfter } from '../../client/src/calls/retry.ts';
import { StoaApiError } from '../../client/src/calls/stoa-api-error.ts';
import { StoaConnectionError } from '../../client/src/calls/stoa-connection-error.ts';
import type { Answer } from '../../client/src/calls/types.ts';
import { escapeControls } from '../../client/src/escape-controls.ts';
import { ImportError } from './import-error.ts';
import type { ImportReport } from './import-report.ts';

export { StoaApiError } from '../../client/src/calls/stoa-api-error.ts';

/** A message as the service lists it. */
export type ImportedMessage = Answer<'listMessages'>['messages'][number];
/** A thread as the service lists it. */
export type ImportedThread = Answer<'listThreads'>[number];
/** A room as the service lists it. */
export type ImportedRoom = Answer<'listRooms'>[number];

/** How to reach the service. */
export interface ServiceOptions {
  readonly url: string;
  readonly adminKey?: string | undefined;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly say: (line: string) => void;
}

/** Clients of the installation: an anonymous one, and one for each agent. */
export interface ImportService {
  readonly anonymous: Client;
  asAgent(account: { readonly apiKey: string }): Client;
}

type Wait = (seconds: number, why: string) => Promise<void>;

/** Creates a function that waits. It prints a line unless another call is already waiting. */
function createWait({ sleep, say }: ServiceOptions): Wait {
  let longWaits = 0;
  return async (seconds, why) => {
    const counted = seconds >= 1 ? 1 : 0;
    if (counted && longWaits === 0) say(`waiting ${Math.ceil(seconds)} s: ${why}`);
    longWaits += counted;
    await sleep(seconds * 1000).finally(() => {
      longWaits -= counted;
    });
  };
}

/** Wraps `fetch` so that it waits as often as a rate limit asks, each time an hour at most. */
const waitForRateLimits =
  (wait: Wait): typeof fetch =>
  async (address, request) => {
    for (;;) {
      const response = await fetch(address, request);
      if (response.status !== 429) return response;
      await response.body?.cancel();
      await wait(
        parseRetryAfter(response.headers) || 1,
        'the service asks to slow down after too many calls (an --admin-key lifts the limits)',
      );
    }
  };

/** Creates the clients of an import. */
export function connect(options: ServiceOptions): ImportService {
  const { url, adminKey } = options;
  const wait = createWait(options);
  const sleep = (milliseconds: number) =>
    wait(milliseconds / 1000, `${url} does not answer properly; retrying for up to a minute`);
  const common = {
    baseUrl: url,
    ...(adminKey !== undefined && { adminKey }),
    fetch: waitForRateLimits(wait),
    retry: { tries: 8, sleep },
  };
  const clients = new Map<string, Client>();
  return {
    anonymous: createClient(common),
    asAgent({ apiKey }) {
      const client = clients.get(apiKey) ?? createClient({ ...common, apiKey });
      clients.set(apiKey, client);
      return client;
    },
  };
}

/** Whether the service will never accept a statement, whoever sends it and whenever. */
export const isRefused = (error: unknown): error is StoaApiError =>
  error instanceof StoaApiError && (error.status === 413 || error.code === 'invalid_request');

/** Whether the service refuses one call, after which the rest of the import can continue. */
export const isForbidden = (error: unknown): error is StoaApiError =>
  error instanceof StoaApiError &&
  error.status >= 400 &&
  error.status < 500 &&
  error.status !== 401;

/** Returns code and detail of a refusal, for a person. */
export const getReason = (error: StoaApiError): { code: string; detail: string } => ({
  code: error.code ?? `http_${error.status}`,
  // It is printed within sentences of ours.
  detail: escapeControls(
    error.problem?.detail ?? 'Something between this program and the service answered.',
  ),
});

/**
 * Runs something that may fail without ending the import. A refusal of the service is reported as a
 * fault. Returns whether it succeeded.
 * Errors: all other errors of `run`.
 */
export async function reportFault(
  { addFault }: Pick<ImportReport, 'addFault'>,
  what: string,
  run: () => Promise<unknown>,
): Promise<boolean> {
  try {
    await run();
    return true;
  } catch (error) {
    if (!isForbidden(error)) throw error;
    const { code, detail } = getReason(error);
    addFault(`${what} (${code}): ${detail}`);
    return false;
  }
}

/** What `fetch` says of a lost connection is the cause of its own error. */
const findCause = ({ cause }: StoaConnectionError): Error | undefined =>
  cause instanceof Error && cause.cause instanceof Error ? cause.cause : (cause as Error);

/** Converts an error that ends an import to an ImportError, if it is about the service. */
export function toImportError(error: unknown, url: string, statePath: string): unknown {
  if (!(error instanceof StoaApiError)) {
    const cause = error instanceof StoaConnectionError ? findCause(error) : undefined;
    return cause
      ? new ImportError(
          `${url} does not answer (${cause.message || cause.name}). Run the same command again ` +
            'to continue where it stopped.',
        )
      : error;
  }
  const { code, detail } = getReason(error);
  if (error.status === 401) {
    return new ImportError(
      `${url} refuses a key (${code}: ${detail}). If it is the --admin-key, correct it. If the ` +
        `service was set up anew since the last run, delete ${statePath} to import from the start.`,
    );
  }
  if (error.status < 500)
    return new ImportError(`${url} does not answer like Stoa (${code}: ${detail}). Check --url.`);
  return new ImportError(
    `${url} failed (${code}: ${detail}). Run the same command again to continue where it stopped.`,
  );
}
