import { expect, it } from 'vitest';
import { faultKinds, planFaults, withUpgrade } from '../../../scripts/faults/plan.ts';

it('[faults.plan] is the same for a seed, and differs between seeds', () => {
  expect(planFaults(17, 5, 2)).toEqual(planFaults(17, 5, 2));
  const plans = Array.from({ length: 100 }, (_, seed) => JSON.stringify(planFaults(seed, 3, 2)));
  expect(new Set(plans).size).toBe(100);
});

it('[faults.plan] has every kind of fault, on every node, among a hundred seeds', () => {
  const faults = Array.from({ length: 100 }, (_, seed) => planFaults(seed, 3, 2)).flat();
  // An upgrade comes only when it is asked for.
  expect([...new Set(faults.map(({ kind }) => kind)), 'upgrade'].sort()).toEqual(
    Object.keys(faultKinds).sort(),
  );
  const upgraded = withUpgrade(planFaults(1, 3, 2)).map(({ kind }) => kind);
  expect(upgraded.filter((kind) => kind === 'upgrade')).toHaveLength(1);
  expect(upgraded).toHaveLength(4);
  expect(new Set(faults.map(({ node }) => node))).toEqual(new Set([0, 1]));
});
