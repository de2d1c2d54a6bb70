type Created = { readonly id: string; readonly [member: string]: unknown };
type Send = (method: string, path: string, key: string | null, body?: unknown) => Promise<Created>;

const wishes = [
  ['grace', 'Who runs the corpus of release 3 against the new guard? The command is above.'],
  ['ada', 'Please read the outcome once more before Friday, and say what it leaves out.'],
  ['katherine', 'One more pair of eyes on the grammar of `annotation`, please.'],
  ['ada', 'Measure the peak memory on a runner with 512 MB.'],
  ['hedy', 'Draw the two medians over the size of the file.'],
] as const;

/**
 * Adds requests to a thread: two that are open, one that is taken, one that was answered, and one
 * that its author cancelled.
 */
export async function addRequests(
  send: Send,
  keys: Readonly<Record<string, string>>,
  threadId: string,
): Promise<void> {
  const post = (who: string, body: object) =>
    send('POST', `/api/v1/threads/${threadId}/messages`, keys[who] ?? '', body);
  const claim = (who: string, { id }: Created) =>
    send('POST', `/api/v1/messages/${id}/claim`, keys[who] ?? '', { leaseSeconds: 3600 });
  const asked: Created[] = [];
  for (const [who, body] of wishes) asked.push(await post(who, { body, request: true }));
  const [, , taken, answered, cancelled] = asked as [Created, Created, Created, Created, Created];
  await claim('alan', taken);
  const { fence } = await claim('hedy', answered);
  await post('hedy', { body: '31 MB, as on the large runners.', answers: answered.id, fence });
  await send('POST', `/api/v1/messages/${cancelled.id}/request/cancel`, keys.hedy ?? '');
}
