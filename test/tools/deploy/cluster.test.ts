import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { parse } from 'yaml';
import {
  buildPatroniSettings,
  buildProxySettings,
} from '../../../scripts/failover/cluster-settings.ts';
import { parseHostList } from '../../../src/db/host-list.ts';
import { findProgram, readExample } from './read-example.ts';

const members = [1, 2, 3].map((nr) => ({
  name: `db${nr}`,
  folder: `/srv/db${nr}`,
  port: 5_000 + nr,
  apiPort: 8_000 + nr,
}));
const example = parse(readExample('patroni.yaml'));
const readGuide = () => readExample('../docs/operating.md');

describe('deploy/patroni.yaml', () => {
  it('[deploy.cluster] acknowledges nothing that a failover would lose', () => {
    expect(example.bootstrap.dcs).toMatchObject({
      synchronous_mode: true,
      synchronous_mode_strict: true,
      postgresql: { use_pg_rewind: true, parameters: { wal_log_hints: 'on' } },
    });
    // Over the newer interface, a frozen primary takes its place back.
    expect(Object.keys(example)).toContain('etcd');
    expect(Object.keys(example)).not.toContain('etcd3');
  });

  it('[deploy.cluster] is what the failovers run with, but for addresses and passwords', () => {
    const facts = { etcdPort: 2_379, binaries: '/usr/lib/postgresql/15/bin', password: 'secret' };
    const built = parse(buildPatroniSettings(members[0] as (typeof members)[0], facts));
    expect(built.bootstrap).toEqual(example.bootstrap);
    expect(Object.keys(built).toSorted()).toEqual(Object.keys(example).toSorted());
    expect(JSON.stringify(built)).not.toMatch(/example\.org|change-me|10\.0\.0\.0/);
  });

  it('[deploy.cluster] [attack.44-2] has no password that could stay in place unnoticed', () => {
    const logins = [
      example.restapi.authentication,
      ...Object.values<{ password: string }>(example.postgresql.authentication),
    ];
    const passwords = logins.map(({ password }) => password);
    expect(new Set(passwords).size).toBe(4);
    for (const password of passwords) expect(password).toMatch(/^change-me/);
  });

  it('[deploy.cluster] has the servers that the guide lists', () => {
    const listed = [...readGuide().matchAll(/^ +DATABASE(?:_OWNER)?_URL=(\S+)$/gm)];
    const lists = listed.map(([, url = '']) => {
      const list = parseHostList(url);
      return Array.from({ length: list?.size ?? 0 }, () => {
        const { current = '' } = list ?? {};
        list?.leave(current);
        return new URL(current).hostname;
      });
    });
    const ofEtcd = (example.etcd.hosts as string[]).map((host) => host.split(':')[0]);
    expect(lists).toEqual([ofEtcd, ofEtcd]);
    expect(ofEtcd).toContain(example.postgresql.connect_address.split(':')[0]);
  });
});

describe.skipIf(!findProgram('haproxy'))('deploy/haproxy-postgres.cfg', () => {
  it('[deploy.cluster] is taken by HAProxy', () => {
    const file = join(mkdtempSync(join(inject('scratch'), 'haproxy-')), 'haproxy.cfg');
    writeFileSync(file, buildProxySettings(6_000, members));
    execFileSync(findProgram('haproxy') ?? 'haproxy', ['-c', '-q', '-f', file]);
  });
});
