import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { renderDemands, renderLimits } from '../../bench/growth/growth-report.ts';

const text = readFileSync(fileURLToPath(new URL('../../docs/scale.md', import.meta.url)), 'utf8');

describe('the model of growth', () => {
  it('[house.scale] computes the tables of docs/scale.md', () => {
    expect(text).toContain(renderDemands());
    expect(text).toContain(renderLimits());
  });
});
