import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { describe, expect, inject, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { afterFile } from '../../support/each-file.ts';
import { waitUntil } from '../../support/factories.ts';
import { findFreePort } from '../../support/service.ts';
import { toStandardSecret } from './common-forms.ts';
import { buildDialSetting, buildWebhookSettings, createCertificate, SECRET } from './receiver.ts';
import { webhookHelpers } from './setup.ts';

/* Runs the receivers of docs/webhooks.md that use the libraries of the common forms. */

const root = fileURLToPath(new URL('../../../', import.meta.url));
const section =
  /\n## Standard Webhooks and CloudEvents\n([\s\S]*?)\n## /.exec(
    readFileSync(join(root, 'docs/webhooks.md'), 'utf8'),
  )?.[1] ?? '';
const listBlocks = (language: string): string[] =>
  [...section.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].map(
    ([, code = '']) => code,
  );
const receivers = listBlocks('js').map((code): [library: string, code: string] => [
  code.includes("'cloudevents'") ? 'cloudevents' : 'standardwebhooks',
  code,
]);
const folder = mkdtempSync(join(inject('scratch'), 'common-receivers-'));
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));

/** Opens the port of a proxy that has the certificate and passes everything on to `port`. */
async function openTlsProxy(port: number): Promise<number> {
  const proxy = createServer(await createCertificate(), (socket) => {
    const onward = connect(port, '127.0.0.1');
    for (const one of [socket, onward]) one.on('error', () => {});
    socket.pipe(onward).pipe(socket);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  afterFile(() => proxy.close());
  return (proxy.address() as AddressInfo).port;
}

/** Runs a published receiver at a free port and returns what it prints. */
async function runReceiver(code: string): Promise<{ port: number; listPrinted: () => string[] }> {
  const port = await findFreePort();
  const file = join(folder, `receiver-${port}.mjs`);
  writeFileSync(file, code);
  const child: ChildProcess = spawn(process.execPath, [file], {
    env: { PATH: process.env.PATH ?? '', HOOK_SECRET: SECRET, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  afterFile(() => child.kill('SIGKILL'));
  let printed = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (printed += text));
  await waitUntil('it listens', async () => {
    if (child.exitCode !== null) throw new Error('The receiver has ended.');
    return await fetch(`http://127.0.0.1:${port}`).then(
      () => true,
      () => false,
    );
  });
  return { port, listPrinted: () => printed.split('\n').filter(Boolean) };
}

describe('docs/webhooks.md', () => {
  it('[client.common-receivers] has a receiver of ten lines for each library', () => {
    expect(receivers.map(([library]) => library)).toEqual(['standardwebhooks', 'cloudevents']);
    for (const [library, code] of receivers) {
      const lines = code
        .split('\n')
        .filter((line) => /\w/.test(line) && !/^import |^ *\/\//.test(line));
      expect(lines.length, library).toBeLessThanOrEqual(10);
    }
  });

  it('[client.common-receivers] turns a secret into that of Standard Webhooks', () => {
    const [command = ''] = listBlocks('sh');
    const printed = execFileSync('sh', ['-c', command], {
      env: { PATH: process.env.PATH ?? '', HOOK_SECRET: SECRET },
      encoding: 'utf8',
    });
    expect(printed.trim()).toBe(toStandardSecret(SECRET));
    expect(printed.trim()).toMatch(/^whsec_[\w+/]{43}=$/);
  });

  it.each(receivers)(
    '[client.common-receivers] has one with %s that takes hints and no forgery',
    async (_, code) => {
      const { port, listPrinted } = await runReceiver(code);
      const proxyPort = await openTlsProxy(port);
      const app = await startApp(buildWebhookSettings(buildDialSetting(proxyPort)), {
        manualJobs: true,
      });
      // The clock is the real one, because the library compares times with its own.
      app.clock.advance(Date.now() - app.clock());
      const { setUp, get: getWebhook, advanceAndRun } = webhookHelpers(app);
      const { ada, post } = await setUp();
      expect(await getWebhook(ada)).toMatchObject({ state: 'active' });
      await post();
      await advanceAndRun(5);
      await waitUntil('it has printed the hint', () => listPrinted().length > 0);
      expect(listPrinted()).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
      expect(await getWebhook(ada)).toMatchObject({ attempts: 0, lastError: null });

      const forged = await fetch(`http://127.0.0.1:${port}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'webhook-id': ada.id,
          'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
          'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
          'ce-id': ada.id,
          'ce-source': app.url,
          'ce-type': 'events.available',
          'ce-specversion': '1.0',
        },
        body: JSON.stringify({ type: 'events.available', deliveryId: ada.id }),
      });
      expect(forged.status).toBe(401);
      expect(listPrinted()).toHaveLength(1);
    },
  );
});
