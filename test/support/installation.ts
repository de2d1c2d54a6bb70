import type { Installation } from '../../src/kernel/installation.ts';
import { defaultRates } from '../../src/kernel/limits/rate-limits.ts';
import { type Feature, features } from '../../src/kernel/scopes.ts';

/** An installation as it is by default, for tests of what only reads its facts. */
export const installation: Installation = {
  service: 'stoa',
  version: '1.2.3',
  face: { name: 'Stoa', line: null, contacts: [], rules: null, accent: null },
  realm: 'local',
  baseUrl: 'https://stoa.example.org',
  cors: true,
  registration: 'open',
  selfServiceActivation: false,
  issuance: false,
  dispatch: false,
  mcpRegistryAuth: null,
  securityContacts: [],
  features: Object.fromEntries(
    features.map((feature) => [feature, feature === 'guestContext' || feature === 'receipts']),
  ) as Record<Feature, boolean>,
  limits: {
    jsonBodyBytes: 524_288,
    messageBytes: 65_536,
    fileBytes: 10_485_760,
    filesPerMessage: 10,
    keysPerAgent: 20,
    pageSize: 100,
    idempotencyDays: 7,
    mentionsPerMessage: 50,
    guestContextKeys: 8,
    guestContextBytes: 65_536,
    agentBytesPerDay: 524_288_000,
    guestBytesPerDay: 10_485_760,
  },
  rates: { ...defaultRates },
};
