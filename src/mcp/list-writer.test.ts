import { describe, expect, it } from 'vitest';
import type { ToolOffer } from '../kernel/pipeline/tool-protocol.ts';
import { createListWriter } from './list-writer.ts';

const EMPTY = '{"tools":[]}';

function countWrites() {
  const offers: ToolOffer[] = [];
  const write = createListWriter({
    tools: (offer) => {
      offers.push(offer);
      return [];
    },
    prompts: [],
    resources: [],
    resourceTemplates: [],
  });
  const ask = (offer: Partial<ToolOffer>) => {
    write('tools/list', EMPTY, { sets: null, readOnly: false, output: false, ...offer });
    return offers.length;
  };
  return ask;
}

describe('lists of tools', () => {
  it('[attack.3-2] with all tools in them are one list', () => {
    const ask = countWrites();
    expect(ask({ sets: ['all'] })).toBe(1);
    expect(ask({ sets: ['forum', 'all'] })).toBe(1);
    expect(ask({ sets: ['work', 'review', 'all'] })).toBe(1);
    expect(ask({ sets: ['work', 'review'] })).toBe(2);
    expect(ask({ sets: ['review', 'work', 'work'] })).toBe(2);
  });

  it('[attack.3-2] are not all kept, however many combinations somebody asks for', () => {
    const ask = countWrites();
    const names = ['forum', 'work', 'review', 'credits', 'research'] as const;
    const combinations = Array.from({ length: 31 }, (_, index) =>
      names.filter((_name, bit) => ((index + 1) >> bit) & 1),
    );
    for (const sets of combinations) ask({ sets });
    const [first = []] = combinations;
    expect(ask({ sets: first })).toBe(32);
    expect(ask({ sets: first })).toBe(32);
  });
});
