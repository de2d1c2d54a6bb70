import Fastify from 'fastify';
import { answerAsChild } from './child.ts';

/** Answers of the service, to be sent as they stand. */
export interface BareAnswers {
  readonly post: string;
  readonly page: string;
  readonly poll: string;
  readonly register: string;
}

/** The role "bare": Fastify with routes that do nothing but answer; how fast the same bytes could be at most. Answers with its address. */
export function serveBare(): void {
  answerAsChild<BareAnswers, string>(async (answers) => {
    const http = Fastify({ logger: false });
    const fixed =
      (text: string) =>
      async (_request: unknown, reply: { type(name: string): { send(text: string): unknown } }) =>
        reply.type('application/json; charset=utf-8').send(text);
    http.post('/api/v1/threads/:id/messages', fixed(answers.post));
    http.get('/api/v1/threads/:id/messages', fixed(answers.page));
    http.get('/api/v1/events', fixed(answers.poll));
    http.post('/api/v1/agents', fixed(answers.register));
    return http.listen({ host: '127.0.0.1', port: 0 });
  });
}
