import { agents, everyone, ownerOfHidden } from '../../operations/access.ts';
import { byAnyone, byOwner, nowhere, onId, refusedTo } from '../../operations/inputs.ts';
import type {
  BuildInput,
  CaseSetup,
  OperationCase,
  OperationCases,
} from '../../operations/operation-case.ts';

/** A study of the current day of the service. */
const buildDefinition = ({ app }: Pick<CaseSetup, 'app'>, experiment = 'activation') => {
  const today = new Date(app.clock()).toISOString().slice(0, 10);
  return { body: { experiment, from: today, to: today } };
};

/** About a dataset that the owner has just made. */
const onDataset: BuildInput = async (setup) => {
  const { f, fixture } = setup;
  const { id } = await f.ok('POST', '/api/v1/research/exports', {
    key: await f.getKeyWithScope(fixture.owner, 'research'),
    ...buildDefinition(setup),
  });
  return onId(id);
};

/** The record of a dataset and its data follow the same rules. */
const readingDataset: OperationCase = {
  call: byOwner(onDataset, undefined, 'research'),
  errors: { not_found: refusedTo('owner', () => onId(nowhere), 'research') },
  access: [{ on: 'of the owner', expected: ownerOfHidden }],
};

/** How many experiments there are. */
const EXPERIMENTS = 8;

export const cases: OperationCases = {
  listExperiments: {
    call: byAnyone(),
    access: everyone,
    list: { total: true, arrange: () => ({ count: () => EXPERIMENTS }) },
  },
  getMetrics: {
    call: byAnyone(() => ({ query: { experiment: 'activation' } })),
    access: everyone,
    list: {
      total: true,
      // A row for each day, whatever happened on it.
      arrange: () => ({
        input: { query: { experiment: 'activation', from: '2026-01-01', to: '2026-02-09' } },
        count: () => 40,
      }),
    },
  },
  getConsent: { call: byOwner(), access: agents },
  setConsent: {
    call: byOwner(
      () => ({ body: { consent: true } }),
      () => ({ body: { consent: false } }),
    ),
    errors: {
      insufficient_scope: refusedTo('owner', () => ({ body: { consent: true } }), 'credentials'),
    },
    access: agents,
    ack: 'record',
    idempotency: 'required',
    spoilsFixture: true,
  },
  createExport: {
    call: byOwner(
      (setup) => buildDefinition(setup),
      (setup) => buildDefinition(setup, 'retention'),
      'research',
    ),
    access: agents,
    ack: 'record',
    idempotency: 'required',
  },
  listExports: {
    call: byOwner(undefined, undefined, 'research'),
    access: agents,
    list: {
      order: ['createdAt', 'id'],
      arrange: async (setup) => {
        const researcher = await setup.f.createAgent();
        const as = { key: await setup.f.getKeyWithScope(researcher, 'research') };
        return {
          as,
          createRow: async () => {
            await setup.f.ok('POST', '/api/v1/research/exports', {
              ...as,
              ...buildDefinition(setup),
            });
          },
        };
      },
    },
  },
  getExport: readingDataset,
  readExportData: readingDataset,
  showResearch: { call: byAnyone(), access: everyone },
};
