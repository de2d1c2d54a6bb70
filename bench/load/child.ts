import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** A process of the bench in another role. It handles one question at a time. */
export interface Child<Question, Answer> extends Disposable {
  /** Sends a question and returns the answer. */
  ask(question: Question): Promise<Answer>;
}

type Reply<Answer> = { readonly answer: Answer } | { readonly error: string };

/** Starts a process in a role. */
export function openChild<Question, Answer>(role: string): Child<Question, Answer> {
  const child: ChildProcess = fork(fileURLToPath(new URL('../main.js', import.meta.url)), [role], {
    serialization: 'advanced',
  });
  return {
    ask: (question) =>
      new Promise((resolve, reject) => {
        const rejectEnded = () => reject(new Error(`The process "${role}" of the bench ended.`));
        child.once('exit', rejectEnded);
        child.once('message', (reply: Reply<Answer>) => {
          child.off('exit', rejectEnded);
          if ('error' in reply) reject(new Error(reply.error));
          else resolve(reply.answer);
        });
        child.send(question as object);
      }),
    [Symbol.dispose]: () => void child.kill(),
  };
}

/** Answers the questions that this process gets in its role. */
export function answerAsChild<Question, Answer>(
  answer: (question: Question) => Promise<Answer>,
): void {
  process.on('disconnect', () => process.exit());
  process.on('message', (question) => {
    answer(question as Question).then(
      (value) => process.send?.({ answer: value }),
      (error: Error) => process.send?.({ error: error.stack ?? error.message }),
    );
  });
}
