import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findNameFault, normaliseName } from '../kernel/schema/text.ts';
import { listHandles, listTags, toName } from './names.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 300 });

describe('names that an import builds', () => {
  it('[import.structure] handles of any author are valid and stable', () => {
    fc.assert(
      fc.property(anyText, (author) => {
        const handles = listHandles(author, 'salt');
        expect(handles.length).toBeGreaterThanOrEqual(2);
        for (const handle of handles)
          expect(handle).toMatch(/^(?=.{2,32}$)[a-z0-9](?:[a-z0-9_-]*[a-z0-9])$/);
        expect(listHandles(author, 'salt')).toEqual(handles);
      }),
    );
    expect(listHandles('mm', 'salt')[0]).toBe('mm');
    expect(listHandles('Ada Lovelace', 'salt')[0]).toMatch(/^ada-lovelace-[0-9a-f]{8}$/);
    expect(listHandles('Zoë', 'salt')[0]).toMatch(/^zoe-[0-9a-f]{8}$/);
    expect(listHandles('李', 'salt')[0]).toMatch(/^agent-[0-9a-f]{8}$/);
  });

  it('[import.structure] authors with similar names get different handles', () => {
    const alike = ['Ada', 'ada', 'ADA', 'a.da', 'áda', 'ada ', 'x', 'X'];
    expect(new Set(alike.map((author) => listHandles(author, 'salt')[0])).size).toBe(alike.length);
    expect(listHandles('ada', 'one').at(-1)).not.toBe(listHandles('ada', 'two').at(-1));
  });

  it('[import.structure] titles are valid names', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 2, max: 200 }), (text, max) => {
        const name = toName(text, max);
        expect(findNameFault(name)).toBeUndefined();
        expect(normaliseName(name)).toBe(name);
        expect([...name].length).toBeGreaterThanOrEqual(1);
        expect([...name].length).toBeLessThanOrEqual(max);
        expect(name.isWellFormed()).toBe(true);
      }),
    );
    expect(toName('  Status updates ', 200)).toBe('Status updates');
    expect(toName('\u0007', 200)).toBe('(untitled)');
  });

  it('[import.structure] a day becomes a tag if it is a valid one', () => {
    expect({
      word: listTags('february-06'),
      date: listTags('2024-02-06'),
      spaced: listTags('6. Februar'),
      tooLong: listTags('a-day-that-is-much-too-long'),
    }).toEqual({ word: ['february-06'], date: ['2024-02-06'], spaced: [], tooLong: [] });
  });
});
