import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { fail, failField } from '../../kernel/errors.ts';
import type { Environment } from '../../kernel/pipeline/environment.ts';
import { toCallerAddress } from '../caller-address.ts';
import { failLate } from '../fail-late.ts';
import type { Admission } from './admission.ts';
import { ANONYMOUS_BODY_BYTES } from './body-limits.ts';
import { createByteBlocks } from './byte-blocks.ts';
import { getWork } from './refuse-overload.ts';

/** Milliseconds that a body may take at least, and bytes a second at which a longer one arrives. */
const MINIMUM_MS = 15_000;
const SLOWEST_BYTES = 32 * 1024;
/**
 * In each span of STALL_MS so many bytes must arrive: who withholds the last one holds the others.
 */
export const STALL_MS = 15_000;
export const STALL_BYTES = 64 * 1024;
/** Bytes after the first piece that are counted together as under way. */
const HELD_STEP = 4096;

/** Admits a caller that nothing is known of, with a body of at most so many bytes. */
export const admitStranger = (bodyLimit: number): Admission => ({
  guarded: null,
  agentId: null,
  isKnown: false,
  bodyLimit,
});

/** How a caller is admitted on a path that has no route. */
const strangersAdmission = admitStranger(ANONYMOUS_BODY_BYTES);

const failTooLong = ({ bodyLimit: limit, isKnown }: Admission) =>
  fail(
    'payload_too_large',
    `The body is larger than ${limit} bytes. Send less, or attach a file.` +
      (isKnown ? '' : ' Without a valid key no call may have more.'),
    { limit },
  );

/**
 * Collects the pieces of a body. `hold` is called with the bytes that came since it was called last
 * and with all, for the first piece and then for each HELD_STEP bytes.
 * Errors: those of `hold`; `unavailable` when the body takes too long, `invalid_request` when it
 * breaks off.
 */
function collect(
  payload: Readable,
  declared: number,
  hold: (bytes: number, sum: number) => void,
): Promise<Buffer> {
  const blocks = createByteBlocks();
  let size = 0;
  let held = 0;
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      clearInterval(stallTimer);
      payload.off('data', add).off('end', finish).off('error', breakOff).off('close', breakOff);
    };
    const refuse = (error: Error) => {
      stop();
      reject(error);
    };
    const holdNew = () => {
      if (size > held) hold(size - held, size);
      held = size;
    };
    const add = (piece: Buffer) => {
      size += piece.length;
      try {
        if (held === 0 || size - held >= HELD_STEP) holdNew();
        blocks.add(piece);
      } catch (error) {
        refuse(error as Error);
      }
    };
    const finish = () => {
      try {
        holdNew();
      } catch (error) {
        refuse(error as Error);
        return;
      }
      stop();
      resolve(blocks.join());
    };
    const breakOff = () =>
      refuse(failField('/body', 'the request broke off. Send the whole request again'));
    const refuseLate = () => refuse(failLate());
    const longest = Math.max(MINIMUM_MS, (declared / SLOWEST_BYTES) * 1000);
    const timer = setTimeout(refuseLate, longest);
    let sizeBefore = 0;
    const stallTimer = setInterval(() => {
      if (size - sizeBefore < STALL_BYTES) refuseLate();
      sizeBefore = size;
    }, STALL_MS);
    if (payload.destroyed) breakOff();
    payload.on('data', add).on('end', finish).on('error', breakOff).on('close', breakOff);
  });
}

/**
 * Reads the body of an admitted request. Until the request is over, its bytes count as under way.
 * A body that was not there together with its head is noted as late.
 * Errors: `payload_too_large`, `invalid_request`, `rate_limited`, `unavailable`.
 */
export async function readBody(
  request: FastifyRequest,
  payload: Readable,
  { load }: Pick<Environment, 'load'>,
): Promise<Buffer> {
  // Nothing at such an address takes a body.
  if (request.is404) return Buffer.alloc(0);
  const admission = request.admission ?? strangersAdmission;
  const { agentId, bodyLimit } = admission;
  const declared = Number(request.headers['content-length'] ?? bodyLimit);
  // Only to show it again, no more is read of a form than of any stranger's body.
  if (declared > bodyLimit) throw request.refusal ?? failTooLong(admission);
  request.isBodyLate = !request.raw.complete;
  request.inviteBody?.();
  const holder = { agentId, address: toCallerAddress(request.ip) };
  // No guard counts it before its body is whole, so nobody known would have room beside such ones.
  if (request.isBodyLate && admission.guarded === null && agentId === null)
    request.whenOver(load.take('requests', { ...holder, isStranger: true }));
  const shares: (() => void)[] = [];
  let isOver = false;
  request.whenOver(() => {
    isOver = true;
    for (const giveBack of shares) giveBack();
  });
  const work = getWork(request.raw);
  if (request.isBodyLate) work?.pause();
  const body = await collect(payload, declared, (bytes, sum) => {
    if (sum > bodyLimit) throw failTooLong(admission);
    if (!isOver) shares.push(load.take('bodyBytes', holder, bytes));
  });
  work?.resume();
  return body;
}
