import { expect, it } from 'vitest';
import { parseTarget } from './rules.ts';

it('[interaction.target] is an agent or something outside', () => {
  expect(parseTarget({ agent: '@Ada' })).toEqual({ agent: 'ada' });
  expect(parseTarget({ agent: null, subject: { type: 'doi', value: 'doi:10.1000/X' } })).toEqual({
    type: 'doi',
    value: '10.1000/x',
  });
  for (const target of [
    {},
    { agent: null },
    { agent: 'a', subject: { type: 'doi', value: '10.1000/x' } } as const,
  ])
    expect(() => parseTarget(target)).toThrow('/body/target');
});
