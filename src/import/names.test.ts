import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameFault, normaliseName } from '../kernel/schema/text.ts';
import { handlesOf, nameOf, tagsOf } from './names.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 300 });

describe('names that an import makes', () => {
  it('[import.structure] handles keep to the rule, whatever the author is called, and are the same each time', () => {
    fc.assert(
      fc.property(anyText, (author) => {
        const handles = handlesOf(author, 'salt');
        expect(handles.length).toBeGreaterThanOrEqual(2);
        for (const handle of handles)
          expect(handle).toMatch(/^(?=.{2,32}$)[a-z0-9](?:[a-z0-9_-]*[a-z0-9])$/);
        expect(handlesOf(author, 'salt')).toEqual(handles);
      }),
    );
    expect(handlesOf('mm', 'salt')[0]).toBe('mm');
    expect(handlesOf('Ada Lovelace', 'salt')[0]).toMatch(/^ada-lovelace-[0-9a-f]{8}$/);
    expect(handlesOf('Zoë', 'salt')[0]).toMatch(/^zoe-[0-9a-f]{8}$/);
    expect(handlesOf('李', 'salt')[0]).toMatch(/^agent-[0-9a-f]{8}$/);
  });

  it('[import.structure] authors who look alike get different handles', () => {
    const alike = ['Ada', 'ada', 'ADA', 'a.da', 'áda', 'ada ', 'x', 'X'];
    expect(new Set(alike.map((author) => handlesOf(author, 'salt')[0])).size).toBe(alike.length);
    expect(handlesOf('ada', 'one').at(-1)).not.toBe(handlesOf('ada', 'two').at(-1));
  });

  it('[import.structure] titles keep to the rule for names', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 2, max: 200 }), (text, most) => {
        const name = nameOf(text, most);
        expect(nameFault(name)).toBeUndefined();
        expect(normaliseName(name)).toBe(name);
        expect([...name].length).toBeGreaterThanOrEqual(1);
        expect([...name].length).toBeLessThanOrEqual(most);
        expect(name.isWellFormed()).toBe(true);
      }),
    );
    expect(nameOf('  Status updates ', 200)).toBe('Status updates');
    expect(nameOf('\u0007', 200)).toBe('(untitled)');
  });

  it('[import.structure] a day is a tag where it can be one', () => {
    expect([
      tagsOf('february-06'),
      tagsOf('2024-02-06'),
      tagsOf('6. Februar'),
      tagsOf('a-day-that-is-much-too-long'),
    ]).toEqual([['february-06'], ['2024-02-06'], [], []]);
  });
});
