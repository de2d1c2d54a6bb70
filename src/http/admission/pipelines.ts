import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/*
 * Clients may send requests on one connection before the first is answered (RFC 9112, 9.3.2). Their
 * answers go out in order, so whatever is answered early is kept until its turn comes. A few
 * connections could thus hold thousands of requests and fill the memory with their answers.
 */

interface Pipeline {
  readonly socket: Socket;
  /** Requests that wait for the answer to the one before them. */
  readonly waiting: (readonly [IncomingMessage, ServerResponse])[];
  /** Whether a request is being answered. */
  isAnswering: boolean;
}

/** Connections that had too many requests. */
const stopped = new WeakSet<Socket>();

/**
 * Whether a connection has ended, or ends with the answer that said `Connection: close`. Node gives
 * it to no further response, and a response without a connection never closes.
 */
const isOver = (socket: Socket): boolean => socket.destroyed || socket.writableEnded;

/** Whether no more requests are read from a connection, because it had too many. */
export const isStopped = (socket: Socket): boolean => stopped.has(socket);

/**
 * The parser of a connection. Node has no public way to stop it: whatever has arrived, 64 KiB at
 * once, it parses to the end. All supported versions of Node read the rest of a piece no further
 * when this function says that another protocol begins.
 */
interface ParsedSocket extends Socket {
  readonly parser?: { onIncoming?: unknown };
}

const OTHER_PROTOCOL = 2;

/** Reads no more requests from a connection, not even those that have arrived. */
function stopReading(socket: ParsedSocket): void {
  stopped.add(socket);
  if (socket.parser?.onIncoming) socket.parser.onIncoming = () => OTHER_PROTOCOL;
  socket.pause();
}

/**
 * Creates a listener that answers the requests of a connection one after the other. A request that
 * waits for its turn holds nothing but its head. A connection with more than `maxUnanswered`
 * requests gets that many answers, the last with `Connection: close`, and is closed: a client sends
 * the others again.
 */
export function answerInTurn(listener: RequestListener, maxUnanswered: number): RequestListener {
  const pipelines = new WeakMap<Socket, Pipeline>();

  function answer(pipeline: Pipeline, request: IncomingMessage, response: ServerResponse): void {
    pipeline.isAnswering = true;
    response.once('close', () => answerNext(pipeline));
    listener(request, response);
  }

  function answerNext(pipeline: Pipeline): void {
    const { socket, waiting } = pipeline;
    const next = isOver(socket) ? undefined : waiting.shift();
    pipeline.isAnswering = false;
    if (next) answer(pipeline, ...next);
    else if (isStopped(socket)) socket.destroySoon();
  }

  return (request, response) => {
    const { socket } = request;
    if (isStopped(socket) || isOver(socket)) return;
    const known = pipelines.get(socket);
    const pipeline: Pipeline = known ?? { socket, waiting: [], isAnswering: false };
    if (!known) pipelines.set(socket, pipeline);
    const { waiting, isAnswering } = pipeline;
    if (!isAnswering) return answer(pipeline, request, response);
    if (waiting.length + 1 < maxUnanswered) return void waiting.push([request, response]);
    stopReading(socket);
    waiting.at(-1)?.[1].setHeader('connection', 'close');
  };
}
