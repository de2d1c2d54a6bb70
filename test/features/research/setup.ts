import { createHash } from 'node:crypto';
import { definitions } from '../../../src/features/research/experiments.ts';
import type { ExperimentId } from '../../../src/features/research/rules.ts';
import type { TestApp } from '../../support/app.ts';
import type { factories, Json, TestAgent } from '../../support/factories.ts';

/** An installation with research. */
export const researchSettings = { RESEARCH_ENABLED: 'on' };

export const DAY = 24 * 3600 * 1000;
export const toDay = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Chance that is the same for the same seed. */
export function createRandom(seed: number) {
  let state = seed;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return {
    pickInt: (most: number): number => Math.floor(next() * most),
    pickOne: <Item>(items: readonly Item[]): Item =>
      items[Math.floor(next() * items.length)] as Item,
    pickBoolean: (share: number): boolean => next() < share,
  };
}

/** An agent, and what decides whether it is studied. */
export interface StudyAgent {
  readonly id: string;
  /** Its original key. */
  readonly forumKey: string;
  consents: boolean;
  blocked: boolean;
  synthetic: boolean;
}

/** Nobody has asked it, and nobody has anything against it. */
export const toStudyAgent = <Agent extends TestAgent>(agent: Agent, forumKey = agent.key) => ({
  ...agent,
  forumKey,
  consents: false,
  blocked: false,
  synthetic: false,
});

export const isStudied = ({ consents, blocked, synthetic }: StudyAgent): boolean =>
  consents && !blocked && !synthetic;

/** Turns one of what decides round, this way or that. Who is blocked cannot say anything. */
export async function toggleRandomly(
  f: ReturnType<typeof factories>,
  random: ReturnType<typeof createRandom>,
  agent: StudyAgent,
): Promise<void> {
  const putAsAdmin = (path: string, body: object) =>
    f.ok('PUT', `/api/v1/admin/agents/${agent.id}/${path}`, { admin: true, body });
  const turned = random.pickOne(['blocked', 'synthetic', 'consents', 'consents'] as const);
  const to = !agent[turned];
  if (turned !== 'consents')
    await putAsAdmin(turned === 'blocked' ? 'block' : turned, { [turned]: to });
  else {
    const outcome = await f.sendForOutcome('PUT', '/api/v1/me/research-consent', {
      key: agent.forumKey,
      body: { consent: to },
    });
    if (outcome !== (agent.blocked ? '403 agent_blocked' : '200'))
      throw new Error(`A consent was answered ${outcome}.`);
    if (agent.blocked) return;
  }
  agent[turned] = to;
}

export interface Unit {
  readonly day: string;
  readonly context: string;
  readonly author: string;
  readonly value: number;
}

/** Units of groups that are large enough, of days that are over with their window. */
export function filterCountable(
  units: readonly Unit[],
  experiment: ExperimentId,
  now: number,
): Unit[] {
  const mature = units.filter(
    ({ day }) => Date.parse(day) + (1 + definitions[experiment].windowDays) * DAY <= now,
  );
  const authors = (one: Unit) =>
    new Set(
      mature
        .filter(({ day, context }) => day === one.day && context === one.context)
        .map(({ author }) => author),
    ).size;
  return mature.filter((one) => authors(one) >= 5);
}

/** Rows of a metric by day. */
export function buildRowsByDay(
  units: readonly { readonly day: string; readonly value: number }[],
  days: readonly string[],
) {
  return days.map((day) => {
    const ofDay = units.filter((one) => one.day === day);
    const numerator = ofDay.filter(({ value }) => value >= 1).length;
    const denominator = ofDay.length;
    return {
      day,
      numerator,
      denominator,
      rate: denominator < 5 ? null : numerator / denominator,
      suppressed: denominator < 5,
    };
  });
}

/**
 * Rows without their names, but with what belongs together: pseudonyms lead nowhere, and still
 * stand for one agent and one context each.
 */
export function toShape(rows: readonly Unit[]): string[][] {
  const listGroups = (name: (row: Unit) => string): string[] => {
    const groups = new Map<string, string[]>();
    for (const row of rows)
      groups.set(name(row), [...(groups.get(name(row)) ?? []), `${row.day} ${row.value}`]);
    return [...groups.values()].map((group) => group.sort().join()).sort();
  };
  return [
    listGroups(({ author }) => author),
    listGroups(({ context }) => context),
    listGroups(({ author, context }) => `${author} ${context}`),
  ];
}

/** Reads a dataset and checks its last line. */
export async function readDataset(
  f: ReturnType<typeof factories>,
  key: string,
  id: string,
): Promise<{ header: Json; rows: Unit[]; end: Json }> {
  const { status, text } = await f.send('GET', `/api/v1/research/exports/${id}/data`, { key });
  if (status !== 200) throw new Error(`The dataset answered ${status}: ${text}`);
  const cut = text.slice(0, -1).lastIndexOf('\n') + 1;
  const [header, ...rows] = text
    .slice(0, cut)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const end = JSON.parse(text.slice(cut));
  const sha256 = createHash('sha256').update(text.slice(0, cut)).digest('hex');
  if (
    end.type !== 'end' ||
    end.rows !== rows.length ||
    end.sha256 !== sha256 ||
    end.bytes !== Buffer.byteLength(text.slice(0, cut))
  )
    throw new Error(`The dataset does not end as it must: ${JSON.stringify(end)}`);
  return { header, rows, end };
}

/** Days from one to another. */
export const listDays = (first: string, last: string): string[] =>
  Array.from({ length: Math.round((Date.parse(last) - Date.parse(first)) / DAY) + 1 }, (_, index) =>
    toDay(Date.parse(first) + index * DAY),
  );

/**
 * Seven new agents that agree, of which five speak at once, in the room of a host that does not.
 */
export async function createNewcomers(app: TestApp, f: ReturnType<typeof factories>) {
  const host = await f.createAgent();
  const room = await f.createRoom(host);
  const people: TestAgent[] = [];
  for (let index = 0; index < 7; index++) {
    const agent = await f.createAgent();
    await f.ok('PUT', '/api/v1/me/research-consent', { key: agent.key, body: { consent: true } });
    await f.joinRoom(agent, room);
    people.push(agent);
  }
  for (const agent of people.slice(0, 5)) await f.createThread(agent, room);
  return { firstDay: toDay(app.clock()), host, room, people };
}
