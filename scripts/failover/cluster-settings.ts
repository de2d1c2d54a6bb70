import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

/** Once built, this file lies one folder deeper. */
const deploy = ['../../deploy/', '../../../deploy/']
  .map((path) => fileURLToPath(new URL(path, import.meta.url)))
  .find(existsSync) as string;

const readExample = (name: string): string => readFileSync(join(deploy, name), 'utf8');

/** A server of the cluster. */
export interface Member {
  readonly name: string;
  readonly folder: string;
  /** The port of PostgreSQL, and that of Patroni's REST API. */
  readonly port: number;
  readonly apiPort: number;
}

/** What all servers have in common. */
export interface ClusterFacts {
  readonly etcdPort: number;
  /** The folder of PostgreSQL's programs. */
  readonly binaries: string;
  readonly password: string;
}

/** Builds the settings of Patroni for one server from the example for operators. JSON is YAML. */
export function buildPatroniSettings(
  { name, folder, port, apiPort }: Member,
  { etcdPort, binaries, password }: ClusterFacts,
): string {
  const example = parse(readExample('patroni.yaml'));
  const { restapi } = example;
  const { authentication, pg_hba, ...postgresql } = example.postgresql;
  const logins = Object.entries<{ username: string }>(authentication);
  const address = (of: number) => ({
    listen: `127.0.0.1:${of}`,
    connect_address: `127.0.0.1:${of}`,
  });
  return JSON.stringify({
    ...example,
    name,
    restapi: {
      ...address(apiPort),
      authentication: { ...restapi.authentication, password },
    },
    etcd: { hosts: [`127.0.0.1:${etcdPort}`] },
    postgresql: {
      ...postgresql,
      ...address(port),
      data_dir: join(folder, 'data'),
      bin_dir: binaries,
      pgpass: join(folder, 'pgpass'),
      pg_hba: pg_hba.map((line: string) => line.replace('10.0.0.0/24', '127.0.0.1/32')),
      parameters: { unix_socket_directories: folder },
      authentication: Object.fromEntries(
        logins.map(([role, { username }]) => [role, { username, password }]),
      ),
    },
  });
}

/** Builds the settings of HAProxy from the example for operators. */
export function buildProxySettings(port: number, members: readonly Member[]): string {
  const lines = readExample('haproxy-postgres.cfg').split('\n');
  const servers = members.map(
    ({ name, port: to, apiPort }) => `  server ${name} 127.0.0.1:${to} check port ${apiPort}`,
  );
  return [...lines.filter((line) => !/^\s+server /.test(line)), ...servers, '']
    .join('\n')
    .replace(/bind .*/, `bind 127.0.0.1:${port}`);
}
