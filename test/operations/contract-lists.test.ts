import { describe, expect, it } from 'vitest';
import { settingNames } from '../../src/config.ts';
import { receiptKinds } from '../../src/kernel/receipt-kinds.ts';
import { allFeaturesOn } from '../support/all-features-on.ts';
import { startApp } from '../support/app.ts';
import { factories } from '../support/factories.ts';
import {
  contractDocuments,
  contractOperations,
  contractReceiptKinds,
  contractRecords,
  contractSettings,
  notBuilt,
} from './contract-lists.ts';

const app = await startApp(await allFeaturesOn());
const f = factories(app);

interface Schema {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly allOf?: readonly Schema[];
}

const split = (words: string): string[] => words.split(' ');

describe('the lists of the contract', () => {
  it('[contract.lists] are all there: members of records', async () => {
    const { components } = await f.ok('GET', '/openapi.json');
    const missing = Object.entries(contractRecords).flatMap(([title, members]) => {
      const schema = components.schemas[title] as Schema | undefined;
      if (!schema) return [title];
      return split(members)
        .filter((member) => !(member in (schema.properties ?? {})))
        .map((member) => `${title}.${member}`);
    });
    expect(missing).toEqual(Object.keys(notBuilt));
  });

  it('[contract.lists] are all there: operations', async () => {
    const { paths } = await f.ok('GET', '/openapi.json');
    const withoutNames = (path: string) => path.replace(/\{\w+\}/g, '{}');
    const known = new Set(
      Object.entries(paths).flatMap(([path, methods]) =>
        Object.keys(methods as object).map(
          (method) => `${method.toUpperCase()} ${withoutNames(path)}`,
        ),
      ),
    );
    const missing = contractOperations
      .trim()
      .split('\n')
      .filter((line) => !known.has(withoutNames(line.replace(' ', ' /api/v1'))));
    expect(missing).toEqual([]);
  });

  it('[contract.lists] are all there: settings', () => {
    expect(
      split(contractSettings).filter((name) => !(settingNames as string[]).includes(name)),
    ).toEqual([]);
  });

  it('[contract.lists] are all there: kinds of receipts', () => {
    const known: readonly string[] = receiptKinds;
    expect(split(contractReceiptKinds).filter((kind) => !known.includes(kind))).toEqual([]);
  });

  it('[contract.lists] are all there: documents', async () => {
    for (const name of split(contractDocuments))
      expect({ name, status: (await f.send('GET', `/docs/${name}.md`)).status }).toEqual({
        name,
        status: 200,
      });
  });
});
