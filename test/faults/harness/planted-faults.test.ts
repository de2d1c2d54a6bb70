import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { plantedFaults as claimFaults } from '../../../scripts/claims/planted-faults.ts';
import { plantedFaults } from '../../../scripts/faults/planted-faults.ts';

const program = fileURLToPath(new URL('../../../dist/src/', import.meta.url));
const catalogs = Object.entries({ ...claimFaults, ...plantedFaults });

it.each(catalogs)(
  '[faults.planted] %s fits the built program, which does not have it',
  (_, edits) => {
    expect(edits.length).toBeGreaterThan(0);
    for (const { file, from, to } of edits) {
      const text = readFileSync(program + file, 'utf8');
      expect(text.split(from)).toHaveLength(2);
      expect(to === '' || text.includes(from)).toBe(true);
    }
  },
);
