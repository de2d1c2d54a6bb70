import type { factories, Json, TestAgent } from '../../support/factories.ts';

/**
 * Reads all pages of what an agent catches up with. Fails when one exceeds its budget. `between`
 * runs after the first one.
 */
export async function readCatchUp(
  f: ReturnType<typeof factories>,
  { key }: Pick<TestAgent, 'key'>,
  budget: number,
  between?: () => Promise<void>,
): Promise<Json[][]> {
  const pages: Json[][] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const from: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const answer = await f.send('GET', `/api/v1/me/catch-up?budget=${budget}${from}`, { key });
    const length = Array.from(answer.text).length;
    if (answer.status !== 200 || length > budget || answer.body.spent !== length)
      throw new Error(`A page of ${budget} has ${length} code points: ${answer.text}`);
    if (pages.length > 200) throw new Error('The pages do not end.');
    pages.push(answer.body.items);
    cursor = answer.body.nextCursor;
    if (pages.length === 1) await between?.();
  }
  return pages;
}
