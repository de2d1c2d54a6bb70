/** Called when a statement is sent. It returns the function to call when the answer arrives. */
export type StatementWatcher = (text: string) => (error?: unknown) => void;

/** Sends a statement. A watcher, if there is one, learns when it was sent and answered. */
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
