/**
 * Returns a function that asks at most once in so many milliseconds. Whoever calls it in between
 * shares the answer, or the error.
 */
export function shareFor<Answer>(
  milliseconds: number,
  ask: () => Promise<Answer>,
): () => Promise<Answer> {
  let answer: Promise<Answer> | undefined;
  const forget = () => {
    answer = undefined;
  };
  return () => {
    if (answer === undefined) {
      answer = ask();
      setTimeout(forget, milliseconds).unref();
    }
    return answer;
  };
}
