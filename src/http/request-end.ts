import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/**
 * Calls the function once, when the answer was sent or the connection broke. Of requests that a
 * client sent one behind the other (pipelining), only the first learns from its response that the
 * connection broke; so the connection is watched too.
 */
export function whenClosed({ raw }: Pick<FastifyReply, 'raw'>, react: () => void): void {
  const { socket } = raw.req;
  const end = () => {
    raw.off('close', end);
    socket.off('close', end);
    react();
  };
  raw.once('close', end);
  socket.once('close', end);
  if (raw.closed || socket.destroyed) end();
}

/** Creates a list of functions that are called once, when something has happened. */
function createCallbacks() {
  const waiting: (() => void)[] = [];
  let isDone = false;
  return {
    add(call: () => void) {
      if (isDone) call();
      else waiting.push(call);
    },
    finish() {
      if (isDone) return;
      isDone = true;
      for (const call of waiting) call();
    },
  };
}

/**
 * Lets functions be called when a request is over, however it ends. It comes before anything that
 * may answer: every answer relies on it. A broken connection does not end the handler, so that
 * nobody has any number of handlers at work by leaving each request at once.
 */
export function watchEnd(request: FastifyRequest, reply: FastifyReply): void {
  // One listener for all, however many pieces an answer is counted in.
  const closed = createCallbacks();
  const over = createCallbacks();
  let left = 2;
  const finishOne = () => {
    left -= 1;
    if (left === 0) over.finish();
  };
  let isHandled = false;
  closed.add(finishOne);
  whenClosed(reply, closed.finish);
  request.whenOver = over.add;
  request.whenClosed = closed.add;
  request.noteHandled = () => {
    if (!isHandled) finishOne();
    isHandled = true;
  };
}

/** Notes when the handler of a request has ended, or its answer begins. */
export function watchHandlers(http: FastifyInstance): void {
  http.addHook('onRoute', (route) => {
    const { handler } = route;
    route.handler = function (request, reply) {
      const result: unknown = handler.call(this, request, reply);
      if (result instanceof Promise) result.then(request.noteHandled, request.noteHandled);
      return result;
    };
  });
  http.addHook('onSend', (request, _reply, payload, done) => {
    request.noteHandled();
    done(null, payload);
  });
}
