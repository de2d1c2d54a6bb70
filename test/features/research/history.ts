import type { TestApp } from '../../support/app.ts';
import type { factories, TestAgent } from '../../support/factories.ts';
import {
  chance,
  DAY,
  dayOf,
  isStudied,
  newcomer,
  type Studied,
  sway,
  type Unit,
} from './setup.ts';

const HOUR = DAY / 24;

/** Of the ways to disturb a history. */
export const DELETION = 0;

type Member = TestAgent & Studied & { readonly at: number };

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
      this.rooms.push({
        id: await this.f.room(owner, visibility),
        owner,
        open: visibility === 'public',
      });
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
    const member = { ...newcomer(await this.f.agent()), at: this.app.clock() };
    for (const { id, owner, open } of this.rooms)
      await (open ? this.f.join(member, id) : this.f.invite(owner, id, member));
    this.members.push(member);
    if (this.random.happens(0.85)) await this.consent(member);
  }

  private async consent(member: Member): Promise<void> {
    await this.f.ok('PUT', '/api/v1/me/research-consent', {
      key: member.key,
      body: { consent: true },
    });
    member.consents = true;
  }

  private async speak(): Promise<void> {
    const { one, happens } = this.random;
    const author = one(this.members);
    // Most of it in one room, or no group would ever be large enough.
    const room = happens(0.6) ? (this.rooms[0] as (typeof this.rooms)[number]) : one(this.rooms);
    const before = this.said
      .filter((said) => said.room === room.id && !this.closed.has(said.thread))
      .slice(-15);
    const links =
      happens(0.4) && this.said.length > 0 ? [one(this.said).id, one(this.said).id] : [];
    const body =
      links.length > 0
        ? `See ${links[0]?.toUpperCase()} and /api/v1/threads/x/messages?anchorId=${links[1]}.`
        : 'Well.';
    const at = this.app.clock();
    if (before.length === 0 || happens(0.45)) {
      const visibility = room.open && happens(0.2) ? 'private' : undefined;
      const made = await this.f.ok('POST', `/api/v1/rooms/${room.id}/threads`, {
        key: author.key,
        body: { title: 'T', body, ...(visibility && { visibility }) },
      });
      this.note({
        id: made.messageId,
        author,
        room: room.id,
        thread: made.id,
        position: 0,
        replyTo: undefined,
        links,
        at,
        open: room.open && !visibility,
      });
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
      await this.f.ok('PUT', `/api/v1/threads/${thread}/summary`, {
        key: starter.author.key,
        body: { summary: 'So.', messageIds: ids },
      });
      this.summaries.set(thread, { thread, by: starter.author, ids, at });
    }
  }

  private note(said: Said): void {
    this.said.push(said);
  }

  private inThread(thread: string): Said[] {
    return this.said.filter((said) => said.thread === thread);
  }

  /** Something after which somebody, or something, must not be counted any more, or may be again. */
  async disturb(kind = this.random.under(8)): Promise<void> {
    const said = this.random.one(this.said);
    if (kind > 2) return sway(this.f, this.random, this.random.one(this.members));
    if (this.closed.has(said.thread)) return;
    if (kind === DELETION) {
      if (!said.open) return;
      await this.f.ok('DELETE', `/api/v1/admin/messages/${said.id}`, { admin: true });
      said.open = false;
    } else if (kind === 1) {
      await this.f.ok('DELETE', `/api/v1/admin/threads/${said.thread}`, { admin: true });
      this.closed.add(said.thread);
      for (const gone of this.inThread(said.thread)) gone.open = false;
      this.summaries.delete(said.thread);
    } else {
      // Another summary takes the place of the one before, with what it cited.
      const by = this.inThread(said.thread)[0]?.author;
      if (!by || by.blocked) return;
      await this.f.ok('PUT', `/api/v1/threads/${said.thread}/summary`, {
        key: by.key,
        body: { summary: 'No.', messageIds: [said.id] },
      });
      this.summaries.set(said.thread, {
        thread: said.thread,
        by,
        ids: [said.id],
        at: this.app.clock(),
      });
    }
  }
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
        ({ ids, at, by, thread }) =>
          isStudied(by) && ids.includes(said.id) && within(at) && thread === said.thread,
      );
      const citing = new Set([
        ...linking.map(({ author }) => author.id),
        ...summing.map(({ by }) => by.id),
      ]);
      citing.delete(said.author.id);
      return unit(said, citing.size);
    }),
  'reply-latency': (h) =>
    heard(h)
      .filter(({ position }) => position === 0)
      .map((said) => {
        const answers = heard(h).filter(
          (other) =>
            other.thread === said.thread && other.author !== said.author && other.at >= said.at,
        );
        const hours = Math.min(
          Number.POSITIVE_INFINITY,
          ...answers.map(({ at }) => (at - said.at) / HOUR),
        );
        return unit(said, hours < 1 ? 3 : hours < 4 ? 2 : hours < 24 ? 1 : 0);
      }),
  'reply-reciprocity': (h) => {
    const replies = heard(h).flatMap((by) =>
      by.replyTo?.open && isStudied(by.replyTo.author) && by.replyTo.author !== by.author
        ? [{ by, to: by.replyTo.author }]
        : [],
    );
    const firsts = new Map(
      replies
        .toReversed()
        .map((reply) => [
          `${reply.by.author.id} ${reply.to.id} ${reply.by.room} ${dayOf(reply.by.at)}`,
          reply,
        ]),
    );
    return [...firsts.values()].map(({ by, to }) => {
      const back = replies.filter(
        (other) =>
          other.by.author === to &&
          other.to === by.author &&
          other.by.at > by.at &&
          other.by.at < by.at + 7 * DAY,
      );
      return unit(by, back.length);
    });
  },
};

const heard = (h: History): Said[] =>
  h.said.filter(({ open, author }) => open && isStudied(author));
const unit = ({ at, room, author }: Said, count: number): Unit => ({
  day: dayOf(at),
  context: room,
  author: author.id,
  value: cap(count),
});
const ofMembers = (h: History, after: number): Unit[] =>
  h.members.filter(isStudied).map(({ id, at }) => {
    const said = heard(h).filter(
      ({ author, at: then }) => author.id === id && then >= at + after && then < at + after + DAY,
    );
    return { day: dayOf(at), context: 'registration', author: id, value: cap(said.length) };
  });
