import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { afterFile } from '../../support/each-file.ts';
import { waitUntil } from '../../support/factories.ts';
import { findFreePort, type ServiceProcess, startService } from '../../support/service.ts';
import { findProgram, readExample } from './read-example.ts';

/** Several nodes behind HAProxy, which is set up as deploy/haproxy.cfg says. */
export interface BalancedNodes {
  /** The address of the proxy. */
  readonly url: string;
  readonly nodes: readonly ServiceProcess[];
  /** Starts another node in the place of one that has ended. */
  restart(nr: number): Promise<void>;
}

/** Whether HAProxy is installed here. In CI, it must be. */
export const hasBalancer = (): boolean => findProgram('haproxy') !== undefined;

/** Starts so many nodes with these settings, and HAProxy in front of them. */
export async function startBalancedNodes(
  count: number,
  settings: Record<string, string>,
): Promise<BalancedNodes> {
  const port = await findFreePort();
  const ports: number[] = [];
  for (let nr = 0; nr < count; nr++) ports.push(await findFreePort());
  const url = `http://127.0.0.1:${port}`;
  const start = (own: number | undefined) =>
    startService({ ...settings, PORT: String(own), BASE_URL: url, TRUST_PROXY: '1' });
  const nodes = await Promise.all(ports.map(start));
  const kept = readExample('haproxy.cfg')
    .split('\n')
    .filter((line) => !/^\s+server /.test(line));
  const servers = ports.map((own, nr) => `  server node${nr} 127.0.0.1:${own} check`);
  const file = join(mkdtempSync(join(inject('scratch'), 'haproxy-')), 'haproxy.cfg');
  const text = [...kept, ...servers, '']
    .join('\n')
    .replace(/bind 127\.0\.0\.1:\d+/, `bind 127.0.0.1:${port}`);
  writeFileSync(file, text);
  const child = spawn(findProgram('haproxy') ?? 'haproxy', ['-f', file], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  await waitUntil('HAProxy passes requests on', async () => {
    const answer = await fetch(`${url}/readyz`).catch(() => null);
    return answer?.ok ?? false;
  });
  afterFile(async () => {
    child.kill('SIGTERM');
    await ended;
    for (const node of nodes) await node.end('SIGKILL');
  });
  return {
    url,
    nodes,
    async restart(nr) {
      nodes[nr] = await start(ports[nr]);
    },
  };
}
