import type { TestApp } from '../../support/app.ts';
import type { factories, TestAgent } from '../../support/factories.ts';
import {
  createRandom,
  DAY,
  isStudied,
  type StudyAgent,
  toDay,
  toggleRandomly,
  toStudyAgent,
  type Unit,
} from './setup.ts';

const HOUR = DAY / 24;

/** One of the ways to disturb a history: content is deleted. */
export const DELETION = 0;

type Member = TestAgent & StudyAgent & { readonly at: number };

interface PostedMessage {
  readonly id: string;
  readonly author: Member;
  readonly room: string;
  readonly thread: string;
  readonly position: number;
  readonly replyTo: PostedMessage | undefined;
  /** Ids that occur in the body. */
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

/** Creates some weeks of activity in public and private rooms and records what was done. */
export class History {
  readonly members: Member[] = [];
  readonly messages: PostedMessage[] = [];
  readonly summaries = new Map<string, Summary>();
  readonly closed = new Set<string>();
  readonly first: string;
  private readonly rooms: { id: string; owner: TestAgent; open: boolean }[] = [];
  private readonly app: TestApp;
  private readonly f: ReturnType<typeof factories>;
  private readonly random: ReturnType<typeof createRandom>;

  constructor(app: TestApp, f: ReturnType<typeof factories>, seed: number) {
    [this.app, this.f, this.random] = [app, f, createRandom(seed)];
    this.first = toDay(app.clock());
  }

  async run(days: number): Promise<void> {
    for (const visibility of ['public', 'public', 'private'] as const) {
      const owner = await this.f.createAgent();
      this.rooms.push({
        id: await this.f.createRoom(owner, visibility),
        owner,
        open: visibility === 'public',
      });
    }
    for (let day = 0; day < days; day++) {
      if (day === 0 || day === 4) for (let count = 0; count < 8; count++) await this.addMember();
      for (let count = 0; count < 26; count++) {
        this.app.clock.advance(1 + this.random.pickInt(1.7 * HOUR));
        await this.addMessage();
      }
      this.app.clock.advance(DAY - (this.app.clock() % DAY));
    }
  }

  private async addMember(): Promise<void> {
    this.app.clock.advance(1 + this.random.pickInt(HOUR / 4));
    const member = { ...toStudyAgent(await this.f.createAgent()), at: this.app.clock() };
    for (const { id, owner, open } of this.rooms)
      await (open ? this.f.joinRoom(member, id) : this.f.addMember(owner, id, member));
    this.members.push(member);
    if (this.random.pickBoolean(0.85)) await this.consent(member);
  }

  private async consent(member: Member): Promise<void> {
    await this.f.ok('PUT', '/api/v1/me/research-consent', {
      key: member.key,
      body: { consent: true },
    });
    member.consents = true;
  }

  private async addMessage(): Promise<void> {
    const { pickOne: one, pickBoolean } = this.random;
    const author = one(this.members);
    // Most of it happens in one room, because no group would be large enough otherwise.
    const room = pickBoolean(0.6)
      ? (this.rooms[0] as (typeof this.rooms)[number])
      : one(this.rooms);
    const before = this.messages
      .filter((messages) => messages.room === room.id && !this.closed.has(messages.thread))
      .slice(-15);
    const links =
      pickBoolean(0.4) && this.messages.length > 0
        ? [one(this.messages).id, one(this.messages).id]
        : [];
    const body =
      links.length > 0
        ? `See ${links[0]?.toUpperCase()} and /api/v1/threads/x/messages?anchorId=${links[1]}.`
        : 'Well.';
    const at = this.app.clock();
    if (before.length === 0 || pickBoolean(0.45)) {
      const visibility = room.open && pickBoolean(0.2) ? 'private' : undefined;
      const made = await this.f.ok('POST', `/api/v1/rooms/${room.id}/threads`, {
        key: author.key,
        body: { title: 'T', body, ...(visibility && { visibility }) },
      });
      this.recordMessage({
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
    const answered = pickBoolean(0.8) ? replyTo : undefined;
    const made = await this.f.postMessage(
      author,
      thread,
      body,
      answered && { replyToId: answered.id },
    );
    this.recordMessage({
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
    if (starter && pickBoolean(0.3)) {
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

  private recordMessage(messages: PostedMessage): void {
    this.messages.push(messages);
  }

  private inThread(thread: string): PostedMessage[] {
    return this.messages.filter((messages) => messages.thread === thread);
  }

  /**
   * Makes a change after which an agent or a record must no longer be counted, or may be counted
   * again.
   */
  async disturb(kind = this.random.pickInt(8)): Promise<void> {
    const messages = this.random.pickOne(this.messages);
    if (kind > 2) return toggleRandomly(this.f, this.random, this.random.pickOne(this.members));
    if (this.closed.has(messages.thread)) return;
    if (kind === DELETION) {
      if (!messages.open) return;
      await this.f.ok('DELETE', `/api/v1/admin/messages/${messages.id}`, { admin: true });
      messages.open = false;
    } else if (kind === 1) {
      await this.f.ok('DELETE', `/api/v1/admin/threads/${messages.thread}`, { admin: true });
      this.closed.add(messages.thread);
      for (const gone of this.inThread(messages.thread)) gone.open = false;
      this.summaries.delete(messages.thread);
    } else {
      // Another summary replaces the previous one with its citations.
      const by = this.inThread(messages.thread)[0]?.author;
      if (!by || by.blocked) return;
      await this.f.ok('PUT', `/api/v1/threads/${messages.thread}/summary`, {
        key: by.key,
        body: { summary: 'No.', messageIds: [messages.id] },
      });
      this.summaries.set(messages.thread, {
        thread: messages.thread,
        by,
        ids: [messages.id],
        at: this.app.clock(),
      });
    }
  }
}

const capCount = (count: number): number => Math.min(3, count);

/** Implements the definitions a second time, as a stranger would read them. */
export const expectedUnits: Readonly<Record<string, (history: History) => Unit[]>> = {
  activation: (h) => listMemberUnits(h, 0),
  retention: (h) => listMemberUnits(h, 7 * DAY),
  propagation: (h) =>
    listCounted(h).map((said) => {
      const isInWindow = (at: number) => at > said.at && at < said.at + 14 * DAY;
      const linking = listCounted(h).filter(
        (other) => other.links.includes(said.id) && isInWindow(other.at),
      );
      const summing = [...h.summaries.values()].filter(
        ({ ids, at, by, thread }) =>
          isStudied(by) && ids.includes(said.id) && isInWindow(at) && thread === said.thread,
      );
      const citing = new Set([
        ...linking.map(({ author }) => author.id),
        ...summing.map(({ by }) => by.id),
      ]);
      citing.delete(said.author.id);
      return toUnit(said, citing.size);
    }),
  'reply-latency': (h) =>
    listCounted(h)
      .filter(({ position }) => position === 0)
      .map((said) => {
        const answers = listCounted(h).filter(
          (other) =>
            other.thread === said.thread && other.author !== said.author && other.at >= said.at,
        );
        const hours = Math.min(
          Number.POSITIVE_INFINITY,
          ...answers.map(({ at }) => (at - said.at) / HOUR),
        );
        return toUnit(said, hours < 1 ? 3 : hours < 4 ? 2 : hours < 24 ? 1 : 0);
      }),
  'reply-reciprocity': (h) => {
    const replies = listCounted(h).flatMap((by) =>
      by.replyTo?.open && isStudied(by.replyTo.author) && by.replyTo.author !== by.author
        ? [{ by, to: by.replyTo.author }]
        : [],
    );
    const firsts = new Map(
      replies
        .toReversed()
        .map((reply) => [
          `${reply.by.author.id} ${reply.to.id} ${reply.by.room} ${toDay(reply.by.at)}`,
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
      return toUnit(by, back.length);
    });
  },
};

const listCounted = (h: History): PostedMessage[] =>
  h.messages.filter(({ open, author }) => open && isStudied(author));
const toUnit = ({ at, room, author }: PostedMessage, count: number): Unit => ({
  day: toDay(at),
  context: room,
  author: author.id,
  value: capCount(count),
});
const listMemberUnits = (h: History, after: number): Unit[] =>
  h.members.filter(isStudied).map(({ id, at }) => {
    const said = listCounted(h).filter(
      ({ author, at: then }) => author.id === id && then >= at + after && then < at + after + DAY,
    );
    return { day: toDay(at), context: 'registration', author: id, value: capCount(said.length) };
  });
