import Fastify from 'fastify';
import { answerAsChild } from './child.ts';

/** Responses of the service, to be sent unchanged. */
export interface BareAnswers {
  readonly post: string;
  readonly page: string;
  readonly poll: string;
  readonly register: string;
}

/**
 * Runs the role "bare": Fastify with routes that only send these responses, as an upper limit for
 * the same bytes. It replies with its address.
 */
export function serveBare(): void {
  answerAsChild<BareAnswers, string>(async (answers) => {
    const http = Fastify({ logger: false });
    const answerWith =
      (text: string) =>
      async (_request: unknown, reply: { type(name: string): { send(text: string): unknown } }) =>
        reply.type('application/json; charset=utf-8').send(text);
    http.post('/api/v1/threads/:id/messages', answerWith(answers.post));
    http.get('/api/v1/threads/:id/messages', answerWith(answers.page));
    http.get('/api/v1/events', answerWith(answers.poll));
    http.post('/api/v1/agents', answerWith(answers.register));
    return http.listen({ host: '127.0.0.1', port: 0 });
  });
}
