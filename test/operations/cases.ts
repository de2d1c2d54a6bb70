import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { cases as adjudication } from '../features/adjudication/cases.ts';
import { cases as admin } from '../features/admin/cases.ts';
import { cases as agents } from '../features/agents/cases.ts';
import { cases as campaigns } from '../features/campaigns/cases.ts';
import { cases as capabilities } from '../features/capabilities/cases.ts';
import { cases as catchUp } from '../features/catch-up/cases.ts';
import { cases as credits } from '../features/credits/cases.ts';
import { cases as discovery } from '../features/discovery/cases.ts';
import { cases as docs } from '../features/docs/cases.ts';
import { cases as events } from '../features/events/cases.ts';
import { cases as exportCases } from '../features/export/cases.ts';
import { cases as files } from '../features/files/cases.ts';
import { cases as guestContext } from '../features/guest-context/cases.ts';
import { cases as identity } from '../features/identity/cases.ts';
import { cases as interactions } from '../features/interactions/cases.ts';
import { cases as invitations } from '../features/invitations/cases.ts';
import { cases as keys } from '../features/keys/cases.ts';
import { cases as log } from '../features/log/cases.ts';
import { cases as messages } from '../features/messages/cases.ts';
import { cases as mutes } from '../features/mutes/cases.ts';
import { cases as offers } from '../features/offers/cases.ts';
import { cases as receipts } from '../features/receipts/cases.ts';
import { cases as registrationTokens } from '../features/registration-tokens/cases.ts';
import { cases as reports } from '../features/reports/cases.ts';
import { cases as reputation } from '../features/reputation/cases.ts';
import { cases as requests } from '../features/requests/cases.ts';
import { cases as research } from '../features/research/cases.ts';
import { cases as rooms } from '../features/rooms/cases.ts';
import { cases as search } from '../features/search/cases.ts';
import { cases as sessions } from '../features/sessions/cases.ts';
import { cases as subjects } from '../features/subjects/cases.ts';
import { cases as tasks } from '../features/tasks/cases.ts';
import { cases as threads } from '../features/threads/cases.ts';
import { cases as trust } from '../features/trust/cases.ts';
import { cases as webhooks } from '../features/webhooks/cases.ts';
import { getApp } from '../support/app.ts';
import type { factories } from '../support/factories.ts';
import { type Fixture, registry } from './fixture.ts';
import type { OperationCase, OperationCases, ValidCall } from './operation-case.ts';

/** The cases of each feature, by the name of its folder. */
const casesByFeature: Readonly<Record<string, OperationCases>> = {
  adjudication,
  admin,
  agents,
  campaigns,
  capabilities,
  'catch-up': catchUp,
  credits,
  discovery,
  docs,
  events,
  export: exportCases,
  files,
  'guest-context': guestContext,
  identity,
  interactions,
  invitations,
  keys,
  log,
  messages,
  mutes,
  offers,
  receipts,
  'registration-tokens': registrationTokens,
  reports,
  reputation,
  requests,
  research,
  rooms,
  search,
  sessions,
  subjects,
  tasks,
  threads,
  trust,
  webhooks,
};

const featuresFolder = fileURLToPath(new URL('../../src/features/', import.meta.url));

/** The file for the case of an operation: that of the feature which declares it. */
function findCasesFile(operation: string): string {
  const file = `${operation.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.ts`;
  const feature = readdirSync(featuresFolder).find((folder) =>
    existsSync(`${featuresFolder}${folder}/${file}`),
  );
  return `test/features/${feature ?? '<feature>'}/cases.ts`;
}

/**
 * Every case by the name of its operation. Throws a sentence for each operation without a case,
 * for each case without an operation, and for each operation with two cases.
 */
export function mergeCases(
  byFeature: Readonly<Record<string, OperationCases>>,
  operations: readonly { readonly name: string }[],
): OperationCases {
  const entries = Object.entries(byFeature).flatMap(([feature, cases]) =>
    Object.entries(cases).map(([name, operationCase]) => ({ feature, name, operationCase })),
  );
  const known = new Set(operations.map(({ name }) => name));
  const found = new Map<string, string>();
  const faults: string[] = [];
  for (const { feature, name } of entries) {
    const other = found.get(name);
    if (!known.has(name))
      faults.push(
        `test/features/${feature}/cases.ts has a case of ${name}, which is no operation: ` +
          'remove it, or add the operation to the index of its feature.',
      );
    if (other !== undefined)
      faults.push(`${name} has a case in ${other} and in ${feature}: remove one of them.`);
    found.set(name, feature);
  }
  for (const { name } of operations)
    if (!found.has(name))
      faults.push(
        `The operation ${name} has no case: add one to ${findCasesFile(name)}, and that file to ` +
          'test/operations/cases.ts if it is new.',
      );
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return Object.fromEntries(entries.map(({ name, operationCase }) => [name, operationCase]));
}

const cases = mergeCases(casesByFeature, registry);

/** The case of an operation. Throws for a name that no operation has. */
export function getCase(name: string): OperationCase {
  const found = cases[name];
  if (!found) throw new Error(`There is no operation ${name}.`);
  return found;
}

/** A call of this operation that succeeds in this fixture. */
export async function makeValidCall(
  name: string,
  fixture: Fixture,
  f: ReturnType<typeof factories>,
): Promise<ValidCall> {
  return getCase(name).call({ app: getApp(f.url), f, fixture });
}

/**
 * Returns a function that gives a valid call of each operation in one fixture, and prepares each
 * call only once. It is for calls that are refused or only read, which stay valid.
 */
export function createCallCache(
  fixture: Fixture,
  f: ReturnType<typeof factories>,
): (name: string) => Promise<ValidCall> {
  const prepared = new Map<string, Promise<ValidCall>>();
  return (name) => {
    const call = prepared.get(name) ?? makeValidCall(name, fixture, f);
    prepared.set(name, call);
    return call;
  };
}
