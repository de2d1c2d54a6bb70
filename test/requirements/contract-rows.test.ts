import { describe, expect, it } from 'vitest';
import { settingNames } from '../../src/config.ts';
import { errorTable } from '../../src/kernel/errors.ts';
import { contractRecords, contractSettings } from '../operations/contract-lists.ts';
import { requirements } from '../requirements.ts';
import { type ContractTable, contractTables } from './contract-rows.ts';

const split = (words: string): string[] => words.split(' ');

/**
 * Whether a source such as "spec, core 3.5, 6, issue 2" names a section of a document. "contract"
 * is the core, and a number without a document belongs to the one before it.
 */
function namesSection(source: string, { document, section }: ContractTable): boolean {
  const documents: Readonly<Record<string, string>> = {
    contract: 'core',
    core: 'core',
    cap: 'cap',
  };
  let current: string | undefined;
  for (const [, word, number] of source.matchAll(/([a-z-]+)|(\d+)(?:\.\d+)*/gi)) {
    if (word !== undefined) current = documents[word] ?? (/^[A-Z]?$/.test(word) ? current : word);
    else if (current === document && Number(number) === section) return true;
  }
  return false;
}

/** A code of errors is also held by what names it, whatever section that comes from. */
const holdsCode = (text: string, row: string) =>
  split(row).some((code) => new RegExp(`(?<![a-z_])${code}(?![a-z_])`).test(text));

const rows = Object.values(contractTables).flatMap((table) =>
  Object.entries(table.rows).map(([row, ids]) => ({
    section: `${table.document} ${table.section}`,
    row,
    table,
    ids: split(ids),
  })),
);

const listCells = (table: ContractTable | undefined): string[] =>
  Object.keys(table?.rows ?? {}).flatMap(split);

describe('the tables of both contracts', () => {
  it.for(rows)('[contract.rows] $section has requirements for "$row"', ({ table, row, ids }) => {
    expect(ids.filter((id) => !(id in requirements))).toEqual([]);
    const holding = ids.filter((id) => {
      const { source = '', text = '' } = requirements[id] ?? {};
      return namesSection(source, table) || (table.section === 2 && holdsCode(text, row));
    });
    expect(holding).not.toEqual([]);
  });

  it('[contract.rows] are complete where a list of the code says what there is', () => {
    expect(listCells(contractTables.errorCodes).sort()).toEqual(Object.keys(errorTable).sort());
    const named = listCells(contractTables.settings);
    expect(named.filter((name) => !(settingNames as string[]).includes(name))).toEqual([]);
    expect(named.filter((name) => !split(contractSettings).includes(name))).toEqual([]);
    const records = ['agentRecords', 'roomRecords', 'threadRecords', 'interactionRecords'];
    const titles = records.flatMap((name) => listCells(contractTables[name]));
    expect(titles.filter((title) => !(title in contractRecords))).toEqual([]);
  });

  it('[contract.rows] are found in sources as these are written', () => {
    const table = (document: 'core' | 'cap', section: number) => ({ document, section, rows: {} });
    for (const source of ['core 6', 'spec, core 3.5, 6', 'contract 6 "Message pages", issue 2'])
      expect(namesSection(source, table('core', 6))).toBe(true);
    for (const source of ['cap 6', 'issue 6', 'core 5, issue 6', 'core 16', 'spec 6', 'core 3.6'])
      expect(namesSection(source, table('core', 6))).toBe(false);
  });
});
