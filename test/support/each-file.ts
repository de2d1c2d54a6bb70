/*
 * Test files of a worker share its modules and its process, so what they keep and start has to go
 * when a file is over.
 */

const afterEachFileHooks: (() => Promise<void>)[] = [];
const afterFileHooks: (() => unknown)[] = [];

/** From now on, this is done after each test file of this worker. */
export const afterEachFile = (duty: () => Promise<void>): void =>
  void afterEachFileHooks.push(duty);

/**
 * This is done after this test file, the last first; also where a test asks for it that runs
 * already, whose `afterAll` nobody would hear.
 */
export const afterFile = (duty: () => unknown): void => void afterFileHooks.push(duty);

export async function runAfterFileHooks(): Promise<void> {
  const faults: unknown[] = [];
  for (const hook of [...afterFileHooks.splice(0).reverse(), ...afterEachFileHooks]) {
    try {
      await hook();
    } catch (error) {
      faults.push(error);
    }
  }
  if (faults.length > 0) throw faults[0];
}
