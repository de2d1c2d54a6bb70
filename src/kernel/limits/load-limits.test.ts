import { expect, it } from 'vitest';
import { defaultLoadLimits } from './load-limit-values.ts';
import { createLoadLimits } from './load-limits.ts';

const ADDRESS = '192.0.2.1';
const stranger = { agentId: null, address: ADDRESS };
const agent = { agentId: 'agent', address: ADDRESS };
const BUSY = 500;

function fill(
  kind: 'requests' | 'waits',
  count: number,
  load: ReturnType<typeof createLoadLimits>,
) {
  for (let nr = 0; nr < count; nr++) load.take(kind, stranger);
}

it('[attack.3-4] an agent has few requests under way while there are many', () => {
  const load = createLoadLimits(defaultLoadLimits);
  const limit = defaultLoadLimits['requests.busy'];
  for (let nr = 0; nr <= limit; nr++) load.take('requests', agent);
  fill('requests', BUSY + 1, load);
  expect(() => load.take('requests', agent)).toThrow(`at most ${limit} at once`);
  expect(() => load.take('requests', { ...agent, agentId: 'other' })).not.toThrow();
});

it('[attack.3-4] waits do not make a process busy', () => {
  const load = createLoadLimits(defaultLoadLimits);
  for (let nr = 0; nr <= defaultLoadLimits['requests.busy']; nr++) load.take('requests', agent);
  fill('requests', BUSY + 1, load);
  fill('waits', BUSY, load);
  expect(() => load.take('requests', agent)).not.toThrow();
});

it('[attack.3-4] a lower limit of an agent stays', () => {
  const load = createLoadLimits({ ...defaultLoadLimits, 'requests.agent': 1 });
  fill('requests', BUSY + 1, load);
  load.take('requests', agent);
  expect(() => load.take('requests', agent)).toThrow('at most 1 at once');
});

const identified = { ...stranger, isStranger: true };

it('[attack.4-2] callers without a key leave room at their address for those with one', () => {
  const load = createLoadLimits({ ...defaultLoadLimits, 'requests.stranger': 50 });
  fill('requests', 51, load);
  for (let nr = 0; nr < 50; nr++) load.take('requests', identified);
  expect(() => load.take('requests', identified)).toThrow('at most 50 at once');
  expect(() => load.take('requests', agent)).not.toThrow();
});

it('[attack.4-4] callers without a key have few requests under way while there are some', () => {
  const load = createLoadLimits(defaultLoadLimits);
  const limit = defaultLoadLimits['requests.busy'];
  for (let nr = 0; nr <= limit; nr++) load.take('requests', identified);
  fill('requests', 101, load);
  expect(() => load.take('requests', identified)).toThrow(`at most ${limit} at once`);
  expect(() => load.take('requests', { ...identified, address: '192.0.2.2' })).not.toThrow();
  expect(() => load.take('requests', agent)).not.toThrow();
});

it('[attack.27-1] (API4) who holds most makes room for a caller that has much less', () => {
  const MIB = 1024 * 1024;
  const load = createLoadLimits(defaultLoadLimits);
  const ended: string[] = [];
  const hold = (agentId: string, nr: number) =>
    load.take('responseBytes', { agentId, address: `192.0.2.${nr % 4}` }, 2 * MIB, () =>
      ended.push(agentId),
    );
  for (let nr = 0; nr < 12; nr++) for (let times = 0; times < 4; times++) hold(`greedy-${nr}`, nr);
  const first = hold('small-1', 1);
  const second = hold('small-2', 2);
  expect(ended).toEqual(['greedy-0', 'greedy-1']);
  expect(load.measure('responseBytes')).toBe(96 * MIB);
  // Whoever had something taken back gets it back from nobody who has no more.
  expect(() => hold('greedy-0', 0)).toThrow('All callers together have too many bytes');
  // What was taken back is not given back again.
  for (const release of [first, second, first]) release();
  expect(load.measure('responseBytes')).toBe(92 * MIB);
});

it('[attack.27-1] (API4) callers that have about the same keep what they have', () => {
  const load = createLoadLimits({ ...defaultLoadLimits, 'responseBytes.process': 4_000_000 });
  const hold = (agentId: string, bytes: number) =>
    load.take('responseBytes', { agentId, address: ADDRESS }, bytes, () => {
      throw new Error('It is taken back.');
    });
  for (const name of ['a', 'b', 'c']) hold(name, 1_000_000);
  expect(() => hold('d', 500_000)).toThrow('All callers together have too many bytes');
  expect(load.measure('responseBytes')).toBe(3_000_000);
});

it('[attack.27-1] (API4) a call that is refused all the same takes nothing back', () => {
  const load = createLoadLimits({ ...defaultLoadLimits, 'responseBytes.process': 4_000_000 });
  const hold = (agentId: string, bytes: number) =>
    load.take('responseBytes', { agentId, address: ADDRESS }, bytes, () => {
      throw new Error('It is taken back.');
    });
  for (const bytes of [420_000, 420_000, 420_000]) hold('greedy', bytes);
  for (const name of ['b', 'c']) hold(name, 800_000);
  // 460,000 bytes are missing, and after 420,000 the greedy one has no more than twice as much.
  expect(() => hold('d', 600_000)).toThrow('All callers together have too many bytes');
  expect(load.takenBack).toBe(0);
});
