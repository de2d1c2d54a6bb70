import type { Catalog } from '../faults/plant.ts';

/** The faults that the proof must find. */
export const plantedFaults: Catalog = {
  'fence-not-checked': [
    { file: 'features/requests/rules.js', from: '|| request.fence !== fence', to: '' },
  ],
  'expiry-by-the-clock-of-the-node': [
    {
      file: 'features/requests/request-status.store.js',
      from: 'q.expires_at <= clock_timestamp()',
      to:
        'q.expires_at <= clock_timestamp() + make_interval(secs => ' +
        // biome-ignore lint/suspicious/noTemplateCurlyInString: it becomes part of a template.
        '${Number(process.env.CLOCK_OFFSET_SECONDS ?? 0)}::int)',
    },
  ],
  // The claim is looked at without a lock, as if a transaction before had done that.
  'claim-and-answer-in-two-transactions': [
    {
      file: 'features/requests/answer-request.js',
      from: 'const request = await requests.lock(tx, requestId, threadId);',
      to:
        'const request = await requests.find(tx, requestId); ' +
        'await new Promise((done) => setTimeout(done, 300));',
    },
  ],
};
