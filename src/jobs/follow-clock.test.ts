import { describe, expect, it } from 'vitest';
import { chooseLead } from './follow-clock.ts';

describe('chooseLead', () => {
  it.for([
    { what: 'a clock that is right', measured: 20, current: 0, lead: 0 },
    { what: 'a difference that two machines have', measured: -1000, current: 0, lead: 0 },
    { what: 'a clock that is ahead', measured: 3_600_000, current: 0, lead: 3_600_000 },
    { what: 'one that is behind', measured: -120_000, current: 0, lead: -120_000 },
    { what: 'the same lead, measured again', measured: 5_400, current: 5_000, lead: 5_000 },
    { what: 'a lead that grew', measured: 6_000, current: 5_000, lead: 6_000 },
    { what: 'a clock that was set right', measured: 3, current: 5_000, lead: 0 },
    { what: 'a clock at the bound', measured: 990, current: 1_010, lead: 1_010 },
  ])('[clock.follows] $what', ({ measured, current, lead }) => {
    expect(chooseLead(measured, current)).toBe(lead);
  });
});
