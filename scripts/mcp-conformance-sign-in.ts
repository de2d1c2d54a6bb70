/**
 * Runs the authorization scenarios of the public conformance suite of the tool protocol against the
 * sign-in of the service. The suite waits for a person in a browser: this registers a client, opens
 * the page that the suite names, registers an agent on it and allows the client, once a revision.
 * Usage: node scripts/mcp-conformance-sign-in.ts <suite> <service>
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { findFreePort } from './find-free-port.ts';

const [suite = '', service = ''] = process.argv.slice(2);
const revisions = ['2025-11-25', '2026-07-28'];
const SCENARIOS = 2;

/** Registers a program that has no secret. Returns its id. */
async function registerClient(redirectUri: string): Promise<string> {
  const answer = await fetch(`${service}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'The conformance suite',
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'none',
    }),
  });
  const text = await answer.text();
  if (answer.status !== 201) throw new Error(`A client was not registered: ${text}`);
  return (JSON.parse(text) as { client_id: string }).client_id;
}

/** What a person does on the page: registers an agent, allows the client, is led back to it. */
async function allow(page: URL, handle: string): Promise<void> {
  const fields = Object.fromEntries(page.searchParams);
  const send = (more: Record<string, string>, cookie = '') =>
    fetch(new URL(page.pathname, page), {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: page.origin, accept: 'text/html', ...(cookie && { cookie }) },
      body: new URLSearchParams({ ...fields, ...more }),
    });
  const registered = await send({ decision: 'register', handle });
  const [cookie = ''] = (registered.headers.get('set-cookie') ?? '').split(';');
  const text = await registered.text();
  const token = /name="token" value="([^"]+)"/.exec(text)?.[1];
  if (token === undefined) throw new Error(`No agent was registered: ${registered.status} ${text}`);
  const allowed = await send({ decision: 'session', scope_forum: 'on', token }, cookie);
  const back = allowed.headers.get('location');
  if (back === null) throw new Error(`The client was not allowed: ${await allowed.text()}`);
  await fetch(back);
}

/** Runs both scenarios at a revision. Returns how many passed. */
async function runRevision(revision: string): Promise<number> {
  const port = await findFreePort();
  const id = await registerClient(`http://127.0.0.1:${port}/callback`);
  const words = ['authorization', '--url', service, '--client-id', id, '-p', String(port)];
  const resource = `${service}/mcp/sign-in`;
  const more = ['--resource', resource, '--spec-version', revision];
  const child = spawn(process.execPath, [suite, ...words, ...more]);
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  child.stderr.pipe(process.stderr);
  const passed = new Set<string>();
  for await (const line of createInterface({ input: child.stdout })) {
    process.stdout.write(`${line}\n`);
    const [, scenario] = /✓ (\S+): [1-9]\d* passed, 0 failed/.exec(line) ?? [];
    if (scenario !== undefined) passed.add(scenario);
    if (line.startsWith(`${service}/oauth/authorize?`))
      await allow(new URL(line), `conforming-${revision}`);
  }
  return (await ended) === 0 ? passed.size : 0;
}

for (const revision of revisions) {
  const passed = await runRevision(revision);
  process.stdout.write(`sign-in at ${revision}: ${passed} of ${SCENARIOS} scenarios passed\n`);
  if (passed < SCENARIOS) process.exitCode = 1;
}
