import { describe, expect, it } from 'vitest';
import { createStatementNames } from './statement-names.ts';

describe('createStatementNames', () => {
  it('names what is sent again, always the same', () => {
    const nameStatement = createStatementNames();
    expect(nameStatement('SELECT 1')).toBeUndefined();
    const name = nameStatement('SELECT 1');
    expect(name).toMatch(/^s\d+$/);
    nameStatement('SELECT 2');
    expect(nameStatement('SELECT 2')).not.toBe(name);
    expect(nameStatement('SELECT 1')).toBe(name);
  });

  it('[attack.9-5] (API4) names none of very many texts, however long they are sent', () => {
    const nameStatement = createStatementNames();
    const named = new Set<string>();
    for (let round = 0; round < 200; round++)
      for (let text = 0; text < 576; text++) {
        const name = nameStatement(`list ${text}`);
        // The first ones of the first round are many of few.
        if (name !== undefined && round > 2) named.add(name);
      }
    expect(named.size).toBe(0);
  });

  it('[attack.9-5] (API4) names common texts beside very many others', () => {
    const nameStatement = createStatementNames();
    const named = new Set<string | undefined>();
    for (let round = 0; round < 100_000; round++) {
      nameStatement(`rare ${round % 5_000}`);
      if (round % 10 === 0) named.add(nameStatement('post'));
    }
    named.delete(undefined);
    expect([...named]).toHaveLength(1);
  });
});
