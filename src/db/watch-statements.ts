/** Is told of each statement when it is sent, and returns what to call when it was answered. */
export type StatementWatcher = (text: string) => (error?: unknown) => void;

/** Sends a statement, and tells the watcher, if there is one, how long its answer took. */
export function watchStatement<Answer>(
  watcher: StatementWatcher | undefined,
  text: string,
  send: () => Promise<Answer>,
): Promise<Answer> {
  if (!watcher) return send();
  const end = watcher(text);
  const answer = send();
  answer.then(() => end(), end);
  return answer;
}
