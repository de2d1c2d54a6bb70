/* Test files of a worker share its modules, so what a module keeps for a file has to go when the file is over. */

const duties: (() => Promise<void>)[] = [];

/** From now on, this is done after each test file of this worker. */
export const afterEachFile = (duty: () => Promise<void>): void => void duties.push(duty);

export async function endFile(): Promise<void> {
  for (const duty of duties) await duty();
}
