import { createHash } from 'node:crypto';
import { definitions } from '../src/features/research/experiments.ts';
import type { ExperimentId } from '../src/features/research/rules.ts';
import type { TestApp } from './app.ts';
import { type factories, type Loose, refused, type TestAgent } from './factories.ts';

/** An installation with research. */
export const RESEARCH = { RESEARCH_ENABLED: 'on' };

export const DAY = 24 * 3600 * 1000;
const HOUR = DAY / 24;
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Chance that is the same for the same seed. */
export function chance(seed: number) {
  let state = seed;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return {
    under: (most: number): number => Math.floor(next() * most),
    one: <Item>(items: readonly Item[]): Item => items[Math.floor(next() * items.length)] as Item,
    happens: (share: number): boolean => next() < share,
  };
}

/** Of the ways to disturb a history. */
export const DELETION = 3;

interface Member extends TestAgent {
  readonly at: number;
  studied: boolean;
}

interface Said {
  readonly id: string;
  readonly author: Member;
  readonly room: string;
  readonly thread: string;
  readonly position: number;
  readonly replyTo: Said | undefined;
  /** Ids that stand in the body. */
  readonly links: readonly string[];
  readonly at: number;
  open: boolean;
}

interface Summary {
  readonly thread: string;
  readonly by: Member;
  readonly ids: readonly string[];
  readonly at: number;
}

/** Some weeks in public and private rooms, with what was done written down beside. */
export class History {
  readonly members: Member[] = [];
  readonly said: Said[] = [];
  readonly summaries = new Map<string, Summary>();
  readonly closed = new Set<string>();
  readonly first: string;
  private readonly rooms: { id: string; owner: TestAgent; open: boolean }[] = [];
  private readonly app: TestApp;
  private readonly f: ReturnType<typeof factories>;
  private readonly random: ReturnType<typeof chance>;

  constructor(app: TestApp, f: ReturnType<typeof factories>, seed: number) {
    [this.app, this.f, this.random] = [app, f, chance(seed)];
    this.first = dayOf(app.clock());
  }

  async run(days: number): Promise<void> {
    for (const visibility of ['public', 'public', 'private'] as const) {
      const owner = await this.f.agent();
      this.rooms.push({ id: await this.f.room(owner, visibility), owner, open: visibility === 'public' });
    }
    for (let day = 0; day < days; day++) {
      if (day === 0 || day === 4) for (let count = 0; count < 8; count++) await this.come();
      for (let count = 0; count < 26; count++) {
        this.app.clock.advance(1 + this.random.under(1.7 * HOUR));
        await this.speak();
      }
      this.app.clock.advance(DAY - (this.app.clock() % DAY));
    }
  }

  private async come(): Promise<void> {
    this.app.clock.advance(1 + this.random.under(HOUR / 4));
    const member = { ...(await this.f.agent()), at: this.app.clock(), studied: false };
    for (const { id, owner, open } of this.rooms) await (open ? this.f.join(member, id) : this.f.invite(owner, id, member));
    this.members.push(member);
    if (this.random.happens(0.85)) await this.consent(member, true);
  }

  async consent(member: Member, consent: boolean): Promise<void> {
    await this.f.ok('PUT', '/api/v1/me/research-consent', { key: member.key, body: { consent } });
    member.studied = consent;
  }

  private async speak(): Promise<void> {
    const { one, happens } = this.random;
    const author = one(this.members);
    // Most of it in one room, or no group would ever be large enough.
    const room = happens(0.6) ? (this.rooms[0] as (typeof this.rooms)[number]) : one(this.rooms);
    const before = this.said.filter((said) => said.room === room.id && !this.closed.has(said.thread)).slice(-15);
    const links = happens(0.4) && this.said.length > 0 ? [one(this.said).id, one(this.said).id] : [];
    const body = links.length > 0 ? `See ${links[0]?.toUpperCase()} and /api/v1/threads/x/messages?anchorId=${links[1]}.` : 'Well.';
    const at = this.app.clock();
    if (before.length === 0 || happens(0.45)) {
      const visibility = room.open && happens(0.2) ? 'private' : undefined;
      const made = await this.f.ok('POST', `/api/v1/rooms/${room.id}/threads`, {
        key: author.key,
        body: { title: 'T', body, ...(visibility && { visibility }) },
      });
      this.note({ id: made.messageId, author, room: room.id, thread: made.id, position: 0, replyTo: undefined, links, at, open: room.open && !visibility });
      return;
    }
    const replyTo = one(before);
    const { thread, open } = replyTo;
    const answered = happens(0.8) ? replyTo : undefined;
    const made = await this.f.post(author, thread, body, answered && { replyToId: answered.id });
    this.note({
      id: made.id,
      author,
      room: room.id,
      thread,
      position: made.position,
      replyTo: answered,
      links,
      at,
      open: this.inThread(thread)[0]?.open ?? open,
    });
    const starter = this.inThread(thread)[0];
    if (starter && happens(0.3)) {
      const ids = this.inThread(thread)
        .map(({ id }) => id)
        .slice(-3);
      await this.f.ok('PUT', `/api/v1/threads/${thread}/summary`, { key: starter.author.key, body: { summary: 'So.', messageIds: ids } });
      this.summaries.set(thread, { thread, by: starter.author, ids, at });
    }
  }

  private note(said: Said): void {
    this.said.push(said);
  }

  private inThread(thread: string): Said[] {
    return this.said.filter((said) => said.thread === thread);
  }

  /** Something after which somebody must not be counted any more, or may be again. */
  async disturb(kind = this.random.under(6)): Promise<void> {
    const { one } = this.random;
    const [member, said] = [one(this.members), one(this.said)];
    const admin = (path: string, body: object) => this.f.ok('PUT', `/api/v1/admin/agents/${member.id}/${path}`, { admin: true, body });
    switch (kind) {
      case 0:
        await admin('block', { blocked: true });
        member.studied = false;
        return;
      case 1:
        await admin('synthetic', { synthetic: true });
        member.studied = false;
        return;
      case 2:
        if (this.closed.has(said.thread)) return;
        await this.f.ok('DELETE', `/api/v1/admin/threads/${said.thread}`, { admin: true });
        this.closed.add(said.thread);
        for (const gone of this.inThread(said.thread)) gone.open = false;
        this.summaries.delete(said.thread);
        return;
      case DELETION:
        if (this.closed.has(said.thread) || !said.open) return;
        await this.f.ok('DELETE', `/api/v1/admin/messages/${said.id}`, { admin: true });
        said.open = false;
        return;
      default: {
        const answer = await this.f.send('PUT', '/api/v1/me/research-consent', { key: member.key, body: { consent: false } });
        if (answer.status !== 200 && answer.body.code !== refused(403, 'agent_blocked').body.code) throw new Error(answer.text);
        member.studied = false;
      }
    }
  }
}

export interface Unit {
  readonly day: string;
  readonly context: string;
  readonly author: string;
  readonly value: number;
}

const cap = (count: number): number => Math.min(3, count);

/** The definitions once more, as a stranger would read them. */
export const recomputed: Readonly<Record<string, (history: History) => Unit[]>> = {
  activation: (h) => ofMembers(h, 0),
  retention: (h) => ofMembers(h, 7 * DAY),
  propagation: (h) =>
    heard(h).map((said) => {
      const within = (at: number) => at > said.at && at < said.at + 14 * DAY;
      const linking = heard(h).filter((other) => other.links.includes(said.id) && within(other.at));
      const summing = [...h.summaries.values()].filter(
        ({ ids, at, by, thread }) => by.studied && ids.includes(said.id) && within(at) && thread === said.thread,
      );
      const citing = new Set([...linking.map(({ author }) => author.id), ...summing.map(({ by }) => by.id)]);
      citing.delete(said.author.id);
      return unit(said, citing.size);
    }),
  'reply-latency': (h) =>
    heard(h)
      .filter(({ position }) => position === 0)
      .map((said) => {
        const answers = heard(h).filter((other) => other.thread === said.thread && other.author !== said.author && other.at >= said.at);
        const hours = Math.min(Number.POSITIVE_INFINITY, ...answers.map(({ at }) => (at - said.at) / HOUR));
        return unit(said, hours < 1 ? 3 : hours < 4 ? 2 : hours < 24 ? 1 : 0);
      }),
  'reply-reciprocity': (h) => {
    const replies = heard(h).flatMap((by) =>
      by.replyTo?.open && by.replyTo.author.studied && by.replyTo.author !== by.author ? [{ by, to: by.replyTo.author }] : [],
    );
    const firsts = new Map(replies.toReversed().map((reply) => [`${reply.by.author.id} ${reply.to.id} ${reply.by.room} ${dayOf(reply.by.at)}`, reply]));
    return [...firsts.values()].map(({ by, to }) => {
      const back = replies.filter((other) => other.by.author === to && other.to === by.author && other.by.at > by.at && other.by.at < by.at + 7 * DAY);
      return unit(by, back.length);
    });
  },
};

const heard = (h: History): Said[] => h.said.filter(({ open, author }) => open && author.studied);
const unit = ({ at, room, author }: Said, count: number): Unit => ({ day: dayOf(at), context: room, author: author.id, value: cap(count) });
const ofMembers = (h: History, after: number): Unit[] =>
  h.members
    .filter(({ studied }) => studied)
    .map(({ id, at }) => {
      const said = heard(h).filter(({ author, at: then }) => author.id === id && then >= at + after && then < at + after + DAY);
      return { day: dayOf(at), context: 'registration', author: id, value: cap(said.length) };
    });

/** Units of groups that are large enough, of days that are over with their window. */
export function countable(units: readonly Unit[], experiment: ExperimentId, now: number): Unit[] {
  const mature = units.filter(({ day }) => Date.parse(day) + (1 + definitions[experiment].windowDays) * DAY <= now);
  const authors = (one: Unit) => new Set(mature.filter(({ day, context }) => day === one.day && context === one.context).map(({ author }) => author)).size;
  return mature.filter((one) => authors(one) >= 5);
}

/** Rows of a metric by day. */
export function rowsByDay(units: readonly { readonly day: string; readonly value: number }[], days: readonly string[]) {
  return days.map((day) => {
    const own = units.filter((one) => one.day === day);
    const [numerator, denominator] = [own.filter(({ value }) => value >= 1).length, own.length];
    return { day, numerator, denominator, rate: denominator < 5 ? null : numerator / denominator, suppressed: denominator < 5 };
  });
}

/** Reads a dataset and checks its last line. */
export async function readDataset(f: ReturnType<typeof factories>, key: string, id: string): Promise<{ header: Loose; rows: Unit[]; end: Loose }> {
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
  if (end.type !== 'end' || end.rows !== rows.length || end.sha256 !== sha256 || end.bytes !== Buffer.byteLength(text.slice(0, cut)))
    throw new Error(`The dataset does not end as it must: ${JSON.stringify(end)}`);
  return { header, rows, end };
}

/** Days from one to another. */
export const daysBetween = (first: string, last: string): string[] =>
  Array.from({ length: Math.round((Date.parse(last) - Date.parse(first)) / DAY) + 1 }, (_, index) => dayOf(Date.parse(first) + index * DAY));
