import { areas } from './checks/index.ts';
import { buildReport, type Report } from './report.ts';
import { runChecks } from './run-checks.ts';
import { revokeFullKeys } from './support/agents.ts';
import { expectOk } from './support/expectations.ts';
import { send } from './support/send.ts';
import { World } from './support/world.ts';

/** What to check, and with which credentials. */
export interface Assignment {
  readonly url: string;
  readonly adminKey: string | null;
  /** Original keys of agents to use instead of new ones. */
  readonly agentKeys: readonly string[];
  /** Areas or ids; empty for all checks. */
  readonly only: readonly string[];
  readonly concurrency: number;
}

/**
 * Holds an installation against the documents. Throws if it cannot be reached, or does not say what
 * it has switched on.
 */
export async function checkInstallation(assignment: Assignment): Promise<Report> {
  const { adminKey, agentKeys, only, concurrency } = assignment;
  const url = new URL(assignment.url).origin;
  const startedAt = Date.now();
  const capabilities = expectOk(await send(url, { method: 'GET', path: '/api/v1/capabilities' }));
  const { json } = await send(url, { method: 'GET', path: '/api/v1/version' });
  const ground = {
    base: url,
    adminKey,
    agentKeys,
    capabilities,
    made: new Map<string, Promise<unknown>>(),
  };
  const results = await runChecks(ground, areas, { only, concurrency });
  await revokeFullKeys(new World(ground));
  return buildReport(
    {
      url,
      service: capabilities.service,
      version: json?.version ?? 'of an unknown version',
      startedAt: new Date(startedAt).toISOString(),
      seconds: (Date.now() - startedAt) / 1000,
    },
    results,
  );
}
