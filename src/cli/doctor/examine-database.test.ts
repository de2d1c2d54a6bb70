import { expect, it } from 'vitest';
import { examineStandbys } from './examine-database.ts';

const facts = {
  version: '15.8',
  number: 150008,
  at: 0,
  fsync: 'on',
  synchronousCommit: 'on',
  fullPageWrites: 'on',
  isStandby: false,
  standbys: 0,
  synchronousStandbys: '',
  isSuperuser: false,
  ownsTables: false,
};

it.for([
  ['says nothing where there is no standby', {}, null],
  [
    'finds commits that wait for a standby',
    { standbys: 1, synchronousStandbys: 'b' },
    [true, /^Commits wait for a standby \(synchronous_standby_names: b\)\.$/],
  ],
  [
    'refuses commits that wait for a standby that is not there',
    { standbys: 0, synchronousStandbys: 'b' },
    [false, /^No standby is connected, .*: nothing can be written\. Start a standby/],
  ],
  [
    'says what a failover to an asynchronous standby may lose',
    { standbys: 1 },
    [true, /A failover may lose what was acknowledged last.*set synchronous_standby_names\.$/],
  ],
  [
    'refuses commits that wait only for this server',
    { standbys: 1, synchronousStandbys: 'b', synchronousCommit: 'local' },
    [false, /A failover may lose .* commits wait for no standby\. Set synchronous_commit to on/],
  ],
  [
    'refuses commits that wait for the memory of a standby',
    { standbys: 1, synchronousStandbys: 'b', synchronousCommit: 'remote_write' },
    [false, /until a standby has written them to its disk\. Set synchronous_commit to on/],
  ],
  [
    'refuses a standby',
    { isStandby: true },
    [false, /is a standby, which takes no writes\. Connect to the primary/],
  ],
] as const)('[cli.doctor-standbys] %s', ([, given, expected]) => {
  const finding = examineStandbys({ ...facts, ...given });
  if (expected === null) return expect(finding).toBeNull();
  expect(finding?.isOk).toBe(expected[0]);
  expect(finding?.text).toMatch(expected[1]);
});
