import { describe, expect, it } from 'vitest';
import { rejectCostlyJson } from './costly-json.ts';

const reject = (text: string, depth = 32) => rejectCostlyJson(Buffer.from(text), depth);
const repeat = (part: string, count: number) => Array(count).fill(part).join(',');

describe('rejectCostlyJson', () => {
  it('[attack.1-6] [ops.no-freeze] accepts 10,000 members and 40,000 values, and no more', () => {
    expect(() => reject(`{${repeat('"a":1', 10_000)}}`)).not.toThrow();
    expect(() => reject(`{${repeat('"a":1', 10_001)}}`)).toThrow('more than 10000 members');
    expect(() => reject(`[${repeat('1', 40_000)}]`)).not.toThrow();
    expect(() => reject(`[${repeat('1', 40_001)}]`)).toThrow('more than 40000 values');
    expect(() => reject(`[${repeat('{}', 30_000)}]`)).toThrow('more than 40000 values');
  });

  it('[attack.1-6] counts nothing inside of a string', () => {
    expect(() => reject(`{"a":"${'{[:,\\"'.repeat(50_000)}"}`)).not.toThrow();
  });

  it('[attack.1-6] measures the depth, of text that is no JSON too', () => {
    expect(() => reject('[[[]]]', 3)).not.toThrow();
    expect(() => reject('[[[[]]]]', 3)).toThrow('deeper than 3');
    expect(() => reject('[{[{', 3)).toThrow('deeper than 3');
    for (const broken of ['"', '"\\', '}]', '']) expect(() => reject(broken)).not.toThrow();
  });
});
