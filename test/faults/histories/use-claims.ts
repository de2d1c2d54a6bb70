import {
  type ClaimOperation,
  claimModel,
  type RequestState,
} from '../../../scripts/claims/claim-model.ts';
import { prepareGround } from '../../../scripts/claims/ground.ts';
import { createHistory, isAnswered } from '../../../scripts/claims/history.ts';
import { runWorker } from '../../../scripts/claims/worker.ts';
import type { Model } from '../../support/linearizability.ts';
import { type Ground, prepare, type Recorded } from './workload.ts';

const WORKERS = 8;

type RequestOperation = ClaimOperation & { readonly request: string };

/** The model of the proof of claims, for many requests. */
const requestModel: Model<RequestState, RequestOperation> = {
  ...claimModel,
  partition: ({ request }) => request,
};

/** Workers take, renew, give back and answer requests, until each request is answered. */
export async function useClaims(
  ground: Ground,
  url: string,
): Promise<Recorded<RequestState, RequestOperation>> {
  const { sender, random, turns } = ground;
  const { lead, roomId, threadId, workers } = await prepareGround(url, sender, WORKERS);
  const history = createHistory();
  for (let nr = 0; nr < turns; nr++) {
    const path = `/api/v1/threads/${threadId}/messages`;
    const body = { body: `Job ${nr}`, request: true };
    history.getCalls((await prepare(ground, { method: 'POST', path, key: lead.key, body })).id);
  }
  const isDone = () => [...history.byRequest.values()].every(isAnswered);
  const place = { roomId, threadId, isDone };
  await Promise.all(workers.map((worker) => runWorker(worker, sender, history, place, random)));
  // Calls that named no request may have been about any.
  const calls = [...history.byRequest].flatMap(([request, own]) =>
    [...own, ...history.anyRequest].map((call) => ({
      ...call,
      operation: { ...call.operation, request },
    })),
  );
  return { model: requestModel, calls };
}
