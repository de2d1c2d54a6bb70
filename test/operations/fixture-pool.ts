import type { factories } from '../support/factories.ts';
import { getCase } from './cases.ts';
import { createFixture, type Fixture } from './fixture.ts';

/**
 * Returns a function that finds a fixture to call an operation in. Making one takes many calls, so
 * each serves until an operation spoils it.
 */
export function createFixturePool(
  f: ReturnType<typeof factories>,
): (operation: string) => Promise<Fixture> {
  let current: Fixture | undefined;
  return async (operation) => {
    const fixture = current ?? (await createFixture(f));
    current = getCase(operation).spoilsFixture ? undefined : fixture;
    return fixture;
  };
}
