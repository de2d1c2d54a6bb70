import { expect, it } from 'vitest';
import { computeBodyLimit } from './largest-body.ts';
import { Closed, Enum, Int, List, optional, Text, Type, Uuid } from './schema.ts';

const MOST = 500_000;
const limit = (schema: Parameters<typeof computeBodyLimit>[0]) => computeBodyLimit(schema, 0, MOST);

it('[attack.1-1] a body may be as long as the largest value with every character escaped', () => {
  const schema = Closed({
    title: Text(1, 300),
    note: optional(Text(0, 50)),
    kind: Enum(['question', 'discussion']),
    tags: List(Text(1, 32), { maxItems: 8 }),
    position: Int(0, 2_147_483_647),
    replyToId: Uuid(),
  });
  const astral = (length: number) => '\\ud83d\\ude00'.repeat(length);
  const largest = `{
    "title": "${astral(300)}", "note": "${astral(50)}", "kind": "discussion",
    "tags": [${Array(8)
      .fill(`"${astral(32)}"`)
      .join(', ')}],
    "position": 2147483647, "replyToId": "01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f"
  }`;
  expect(limit(schema)).toBeGreaterThanOrEqual(largest.length);
  expect(limit(schema)).toBeLessThan(2 * largest.length);
});

it('[attack.1-1] a body without a bound may have the most, one without a schema the least', () => {
  for (const unbounded of [
    Type.Unknown(),
    Closed({ text: Type.String() }),
    Closed({ items: List(Uuid()) }),
    Closed({ value: Type.Unsafe({ type: 'object' }) }),
  ])
    expect(limit(unbounded)).toBe(MOST);
  expect(computeBodyLimit(undefined, 65_536, MOST)).toBe(65_536);
  expect(computeBodyLimit(Closed({ id: Uuid() }), 65_536, MOST)).toBe(65_536);
});
