import { appAt } from './support/app.ts';
import type { Make } from './calls.ts';
import type { Provoke } from './provocations.ts';

type F = Parameters<Make>[1];

const anyone = {};
const nowhere = '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f';

/** The day of the service that these calls go to. */
const today = (f: F): string => new Date(appAt(f.url).clock()).toISOString().slice(0, 10);

const definition = (f: F, experiment = 'activation') => ({
  body: { experiment, from: today(f), to: today(f) },
});

const withDataset: Make = async ({ owner }, f) => {
  const as = { key: await f.keyWith(owner, 'research') };
  const { id } = await f.ok('POST', '/api/v1/research/exports', { ...as, ...definition(f) });
  return { input: { params: { id } }, as };
};

/** A call of each operation of research. */
export const researchCalls: Readonly<Record<string, Make>> = {
  listExperiments: () => ({ input: {}, as: anyone }),
  getMetrics: () => ({ input: { query: { experiment: 'activation' } }, as: anyone }),
  getConsent: ({ owner }) => ({ input: {}, as: { key: owner.key } }),
  setConsent: ({ owner }) => ({
    input: { body: { consent: true } },
    as: { key: owner.key },
    other: { body: { consent: false } },
  }),
  createExport: async ({ owner }, f) => ({
    input: definition(f),
    as: { key: await f.keyWith(owner, 'research') },
    other: definition(f, 'retention'),
  }),
  getExport: withDataset,
  readExportData: withDataset,
  showResearch: () => ({ input: {}, as: anyone }),
};

const noDataset: Provoke = async ({ f, world }) => ({
  input: { params: { id: nowhere } },
  as: { key: await f.keyWith(world.owner, 'research') },
});

/** How each declared error of research comes about. */
export const researchProvocations = {
  setConsent: {
    insufficient_scope: async ({ f, world }: Parameters<Provoke>[0]) => ({
      input: { body: { consent: true } },
      as: { key: await f.keyWith(world.owner, 'credentials') },
    }),
  },
  getExport: { not_found: noDataset },
  readExportData: { not_found: noDataset },
};
