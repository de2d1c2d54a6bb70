import { expect } from 'vitest';
import { readSettings, type Settings, settingNames } from '../../../src/config.ts';

/** Variables that a node reads, but not as a setting of the service. */
const OTHERS = ['NODE_ENV'];

/**
 * Expects that each variable is a setting with a value that the service accepts. Returns what it
 * reads.
 */
export function expectSettings(variables: Readonly<Record<string, string>>): Settings {
  const known: readonly string[] = [...settingNames, ...OTHERS];
  expect(Object.keys(variables).filter((name) => !known.includes(name))).toEqual([]);
  return readSettings(variables);
}
