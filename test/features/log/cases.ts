import { everyone } from '../../operations/access.ts';
import { anyone, byAnyone } from '../../operations/inputs.ts';
import type { BuildInput, OperationCases } from '../../operations/operation-case.ts';
import { waitUntil } from '../../support/factories.ts';

/** About the first partial tile of a level, once it is there. */
const onFirstTile =
  (level: string): BuildInput =>
  async ({ f }) => {
    await waitUntil(
      'a receipt has its place in the log',
      async () => (await f.send('GET', `/log/tile/${level}/000.p/1`)).status === 200,
    );
    return { params: { level, index: '000.p/1' } };
  };

export const cases: OperationCases = {
  getCheckpoint: { call: byAnyone(), access: everyone },
  getLogTile: {
    call: byAnyone(onFirstTile('0')),
    errors: {
      not_found: () => ({ input: { params: { level: '0', index: '999' } }, as: anyone }),
    },
    access: [{ input: onFirstTile('entries'), expected: everyone }],
  },
  getLogKey: { call: byAnyone(), access: everyone },
  showLog: { call: byAnyone(), access: everyone },
};
