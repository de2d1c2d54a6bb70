import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { measureUnread } from './many-headers.ts';

/*
 * Clients may send requests on one connection before the first is answered (RFC 9112, 9.3.2). Their
 * answers go out in order, so whatever is answered early is kept until its turn comes. A few
 * connections could thus hold thousands of requests and fill the memory with their answers.
 */

/** Bytes of memory that all waiting requests of a process may take. */
const MAX_HELD_BYTES = 32 * 1024 * 1024;

/** A request that waits for the answer to the one before it. */
interface Waiting {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The bytes that it takes. */
  readonly bytes: number;
}

interface Pipeline {
  readonly socket: Socket;
  readonly waiting: Waiting[];
  /** The response to the request that is being answered. */
  answering: ServerResponse | null;
}

/** Connections that had too many requests. */
const stopped = new WeakSet<Socket>();
/** The answer that is under way on a connection. */
const underWay = new WeakMap<Socket, ServerResponse>();

/**
 * Whether a connection has ended, or ends with the answer that said `Connection: close`. Node gives
 * it to no further response, and a response without a connection never closes.
 */
const isOver = (socket: Socket): boolean => socket.destroyed || socket.writableEnded;

/** Whether a part of an answer was sent on a connection, so that nothing else may be. */
export const isAnswering = (socket: Socket): boolean => underWay.get(socket)?.headersSent === true;

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
 * waits for its turn holds its head and some bytes of its body. A connection with more than
 * `maxUnanswered` requests gets that many answers, the last with `Connection: close`, and is
 * closed: a client sends the others again. It gets fewer when all waiting requests take too much
 * memory. Half of that is for connections of which no other request waits.
 */
export function answerInTurn(
  listener: RequestListener,
  maxUnanswered: number,
  maxHeldBytes = MAX_HELD_BYTES,
): RequestListener {
  const pipelines = new WeakMap<Socket, Pipeline>();
  let heldBytes = 0;

  function answer(pipeline: Pipeline, request: IncomingMessage, response: ServerResponse): void {
    pipeline.answering = response;
    underWay.set(pipeline.socket, response);
    response.once('close', () => answerNext(pipeline));
    listener(request, response);
  }

  function takeNext({ waiting }: Pipeline): Waiting | undefined {
    const next = waiting.shift();
    heldBytes -= next?.bytes ?? 0;
    return next;
  }

  function answerNext(pipeline: Pipeline): void {
    const { socket } = pipeline;
    pipeline.answering = null;
    underWay.delete(socket);
    if (isOver(socket)) while (takeNext(pipeline));
    const next = takeNext(pipeline);
    if (next) answer(pipeline, next.request, next.response);
    else if (isStopped(socket)) socket.destroySoon();
  }

  return (request, response) => {
    const { socket } = request;
    if (isStopped(socket) || isOver(socket)) return;
    const known = pipelines.get(socket);
    const pipeline: Pipeline = known ?? { socket, waiting: [], answering: null };
    if (!known) pipelines.set(socket, pipeline);
    const { waiting, answering } = pipeline;
    if (!answering) return answer(pipeline, request, response);
    const bytes = measureUnread(request);
    const room = waiting.length > 0 ? maxHeldBytes / 2 : maxHeldBytes;
    if (waiting.length + 1 < maxUnanswered && heldBytes + bytes <= room) {
      heldBytes += bytes;
      return void waiting.push({ request, response, bytes });
    }
    stopReading(socket);
    const last = waiting.at(-1)?.response ?? answering;
    if (!last.headersSent) last.setHeader('connection', 'close');
  };
}
