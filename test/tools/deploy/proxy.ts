import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { type ClientHttp2Session, connect } from 'node:http2';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { inject } from 'vitest';
import { CA_FILE, createCertificate } from '../../features/webhooks/receiver.ts';
import { afterFile } from '../../support/each-file.ts';
import { waitUntil } from '../../support/factories.ts';
import { findFreePort } from '../../support/service.ts';
import { findProgram, readExample } from './read-example.ts';

/*
 * Runs the proxies of deploy/ as operators would, with the files that they copy. Only addresses,
 * names and certificates are replaced, because a test has neither port 443 nor a public name.
 */

const proxyNames = ['nginx', 'caddy'] as const;
export type ProxyName = (typeof proxyNames)[number];

/** The proxies that are installed here. In CI, both must be. */
export const installedProxies = proxyNames.filter((name) => findProgram(name) !== undefined);

/** Reads a file of deploy/ and replaces texts. Errors: throws when one of them is not in it. */
function adaptFile(name: string, changes: Readonly<Record<string, string>>): string {
  return Object.entries(changes).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`deploy/${name} has no longer "${from}".`);
    return text.replaceAll(from, to);
  }, readExample(name));
}

function buildNginxFiles(
  folder: string,
  port: number,
  plainPort: number,
  nodes: readonly string[],
): string {
  const options = 'max_fails=0;';
  const site = adaptFile('nginx.conf', {
    'listen 443 ssl': `listen 127.0.0.1:${port} ssl`,
    'listen 80;': `listen 127.0.0.1:${plainPort};`,
    [`server 127.0.0.1:8080 ${options}`]: nodes
      .map((node) => `server ${node} ${options}`)
      .join('\n'),
    'server_name stoa.example.org': 'server_name localhost',
    '/etc/letsencrypt/live/stoa.example.org/fullchain.pem': join(folder, 'cert.pem'),
    '/etc/letsencrypt/live/stoa.example.org/privkey.pem': join(folder, 'key.pem'),
  });
  writeFileSync(join(folder, 'stoa.conf'), site);
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  for (const kind of kinds) mkdirSync(join(folder, kind));
  const main = join(folder, 'main.conf');
  writeFileSync(
    main,
    `${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off; pid ${folder}/pid; error_log stderr warn; worker_processes 1;
events { worker_connections 256; }
http {
  access_log off;
  ${kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join('\n  ')}
  include ${folder}/stoa.conf;
}
`,
  );
  return main;
}

function buildCaddyFile(folder: string, port: number): string {
  const path = join(folder, 'Caddyfile');
  const site = adaptFile('Caddyfile', {
    'stoa.example.org {':
      `https://localhost:${port} {\n\tbind 127.0.0.1\n` +
      `\ttls ${folder}/cert.pem ${folder}/key.pem`,
  });
  writeFileSync(path, `{\n\tadmin off\n\tauto_https off\n}\n${site}`);
  return path;
}

export interface Proxy {
  /** The address of the proxy, of https. */
  readonly url: string;
  /** Opens a connection of HTTP/2 to it, which is closed after the file's last test. */
  openSession(): ClientHttp2Session;
}

/** Starts a proxy on loopback, at this port, in front of nodes at these addresses. */
export async function startProxy(
  name: ProxyName,
  port: number,
  nodes: readonly string[],
): Promise<Proxy> {
  const folder = mkdtempSync(join(inject('scratch'), `${name}-`));
  const { key, cert } = await createCertificate({ names: ['localhost'] });
  writeFileSync(join(folder, 'key.pem'), key);
  writeFileSync(join(folder, 'cert.pem'), cert);
  const words =
    name === 'nginx'
      ? ['-p', folder, '-c', buildNginxFiles(folder, port, await findFreePort(), nodes)]
      : ['run', '--adapter', 'caddyfile', '--config', buildCaddyFile(folder, port)];
  const child = spawn(findProgram(name) ?? name, words, {
    env: { HOME: folder, STOA_NODES: nodes.join(' ') },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => said.push(text));
  const ended = once(child, 'exit');
  afterFile(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  const ca = readFileSync(CA_FILE);
  // Who else listens there has no certificate of this name.
  const isListening = () =>
    new Promise<boolean>((resolve) => {
      const socket = connectTls({ host: '127.0.0.1', port, servername: 'localhost', ca })
        .on('secureConnect', () => {
          socket.destroy();
          resolve(true);
        })
        .on('error', () => resolve(false));
    });
  await waitUntil(`${name} listens`, async () => {
    if (child.exitCode !== null) throw new Error(`${name} ended: ${said.join('')}`);
    return await isListening();
  });
  const url = `https://localhost:${port}`;
  return {
    url,
    openSession() {
      const session = connect(url, {
        ca,
        // Only IPv4 is listened on.
        lookup: (_host, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
      });
      afterFile(() => session.destroy());
      return session;
    },
  };
}
