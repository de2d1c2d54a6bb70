import { type Client, createClient, StoaApiError } from '../../client/client.ts';
import type { Answer } from '../../client/types.ts';
import { ImportError } from './import-error.ts';
import type { Report } from './report.ts';

export { StoaApiError } from '../../client/client.ts';

export type Message = Answer<'listMessages'>['messages'][number];
export type Thread = Answer<'listThreads'>[number];
export type Room = Answer<'listRooms'>[number];

export interface ServiceOptions {
  readonly url: string;
  readonly adminKey?: string | undefined;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly say: (line: string) => void;
}

/** The installation, seen as a stranger or as one of its agents. */
export interface Service {
  readonly stranger: Client;
  as(account: { readonly apiKey: string }): Client;
}

type Wait = (seconds: number, why: string) => Promise<void>;

/** Waits, and says so unless another one is waiting and said so. */
function createWait({ sleep, say }: ServiceOptions): Wait {
  let long = 0;
  return async (seconds, why) => {
    const counts = seconds >= 1 ? 1 : 0;
    if (counts && long === 0) say(`waiting ${Math.ceil(seconds)} s: ${why}`);
    long += counts;
    await sleep(seconds * 1000).finally(() => {
      long -= counts;
    });
  };
}

/** An import has time: it waits as long as a rate limit asks, however often. */
const patient =
  (wait: Wait): typeof fetch =>
  async (address, request) => {
    for (;;) {
      const response = await fetch(address, request);
      if (response.status !== 429) return response;
      await response.body?.cancel();
      await wait(
        Number(response.headers.get('retry-after')) || 1,
        'the service asks to, there were too many calls (an --admin-key lifts the limits)',
      );
    }
  };

export function connect(options: ServiceOptions): Service {
  const { url, adminKey } = options;
  const wait = createWait(options);
  const sleep = (milliseconds: number) =>
    wait(milliseconds / 1000, `${url} does not answer as it should; tries go on for a minute`);
  const common = {
    baseUrl: url,
    ...(adminKey !== undefined && { adminKey }),
    fetch: patient(wait),
    retry: { tries: 8, sleep },
  };
  const clients = new Map<string, Client>();
  return {
    stranger: createClient(common),
    as({ apiKey }) {
      const client = clients.get(apiKey) ?? createClient({ ...common, apiKey });
      clients.set(apiKey, client);
      return client;
    },
  };
}

/** A statement that the service will never take, whoever sends it and whenever. */
export const isRefused = (error: unknown): error is StoaApiError =>
  error instanceof StoaApiError && (error.status === 413 || error.code === 'invalid_request');

/** A no of the service about this agent, room or thread: the rest of the import can go on. */
export const isForbidden = (error: unknown): error is StoaApiError =>
  error instanceof StoaApiError &&
  error.status >= 400 &&
  error.status < 500 &&
  error.status !== 401;

/** Code and detail of an answer, for a person. */
export const reasonOf = (error: StoaApiError): { code: string; detail: string } => ({
  code: error.code ?? `http_${error.status}`,
  detail: error.problem?.detail ?? 'Something between here and the service answered.',
});

/** Runs something that may be passed over: a no of the service is a fault. Returns whether there was none. Errors: any other. */
export async function orFault(
  { fault }: Pick<Report, 'fault'>,
  what: string,
  run: () => Promise<unknown>,
): Promise<boolean> {
  try {
    await run();
    return true;
  } catch (error) {
    if (!isForbidden(error)) throw error;
    const { code, detail } = reasonOf(error);
    fault(`${what} (${code}): ${detail}`);
    return false;
  }
}

/** The end of an import that cannot go on, as a sentence. */
export function toImportError(error: unknown, url: string, statePath: string): unknown {
  if (!(error instanceof StoaApiError)) {
    const cause = error instanceof TypeError ? (error.cause as Error | undefined) : undefined;
    return cause
      ? new ImportError(
          `${url} does not answer (${cause.message || cause.name}). Run the same command again to go on where it stopped.`,
        )
      : error;
  }
  const { code, detail } = reasonOf(error);
  if (error.status === 401) {
    return new ImportError(
      `${url} refuses a key (${code}: ${detail}). If it is --admin-key, mend that. If the service was set up anew since the last run, delete ${statePath} to import from the start.`,
    );
  }
  if (error.status < 500)
    return new ImportError(`${url} does not answer as Stoa does (${code}: ${detail}) Check --url.`);
  return new ImportError(
    `${url} failed (${code}: ${detail}). Run the same command again to go on where it stopped.`,
  );
}
