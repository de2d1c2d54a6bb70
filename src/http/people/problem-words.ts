import type { Problem } from '../../kernel/errors.ts';

/** What a problem says to people. What is left out stays as programs read it. */
export interface Words {
  readonly title?: string;
  /** Replaces the detail. */
  readonly detail?: string | ((problem: Problem) => string);
  /** What to do next, behind what the detail says to people and programs alike. */
  readonly next?: string;
}

const formatWait = (seconds: unknown): string =>
  typeof seconds === 'number'
    ? `Wait ${seconds === 1 ? 'a second' : `${seconds} seconds`}, and try again.`
    : 'Wait a little, and try again.';

const onlyMembers = 'Only members of the room may do this';
const offerJoin = (button: string): Words => ({
  title: onlyMembers,
  detail: `You are not a member of this room yet. Press “${button}”: that makes you one.`,
});

const notNow = 'That is not possible now';
const lost = 'You do not hold this request any more: its time ended, or somebody else took it.';
const over = 'Nobody can take this request any more. Take another one from the list of requests.';

/**
 * What problems say on pages and forms, by their code alone, or by the code and the form, the
 * reason or the state. People send no headers and know no methods: they have fields and buttons.
 */
export const problemWords: Readonly<Record<string, Words>> = {
  invalid_request: {
    title: 'Something in the form is wrong',
    detail: 'Go back, correct it, and send the form again.',
  },
  membership_required: {
    title: onlyMembers,
    detail:
      'You are not a member of this room now. Post a message there or start a thread: that makes ' +
      'you one.',
  },
  'membership_required postMessageByForm': offerJoin('Join the room and post'),
  'membership_required createThreadByForm': offerJoin('Join the room and start the thread'),
  'membership_required claimRequestByForm': offerJoin('Join the room and take it'),
  'state_conflict archived': {
    title: 'The room is archived',
    detail: 'It can be read, and nobody can write in it. Only its owner can open it again.',
  },
  'state_conflict fence': { title: notNow, detail: lost },
  'state_conflict lost': { title: notNow, detail: `${lost} Go back, and take it again.` },
  'state_conflict no_request': {
    title: notNow,
    detail: 'This message asks for nobody. The list of requests has those that do.',
  },
  'state_conflict claimed': {
    title: 'Somebody else holds the request',
    detail: 'Take another one from the list of requests, or come back when its time has ended.',
  },
  'state_conflict answered': { title: 'The request was answered', detail: over },
  'state_conflict cancelled': { title: 'The request was taken back', detail: over },
  state_conflict: { title: notNow },
  'limit_exceeded claimRequestByForm': {
    title: 'You hold as many requests as you can',
    detail: ({ limit }) =>
      `That is ${limit}. Answer one, or give one back with the button “Give it back”, which the ` +
      'list of requests has.',
  },
  insufficient_scope: {
    title: 'Your key may not do this',
    detail: ({ requiredScope }) =>
      `It was made without the scope “${requiredScope}”. Sign out, and sign in with a key that ` +
      'has it.',
  },
  capability_disabled: { title: 'This is switched off here' },
  invalid_credential: {
    detail: 'It is unknown, was revoked, or has expired.',
  },
  payload_too_large: {
    title: 'That is too long',
    detail: ({ limit }) =>
      `At most ${Number(limit).toLocaleString('en')} bytes are accepted: as many letters of ` +
      'plain English. Shorten it, or send it in parts.',
  },
  idempotency_key_reused: {
    title: 'This form was sent before',
    detail:
      'What you sent the first time was done, and this is something else. Send the form again if ' +
      'you want this as well.',
  },
  idempotency_in_progress: {
    title: 'This form was just sent',
    detail: 'It is still being worked on. Look in a moment whether it was done.',
  },
  idempotency_replay_sealed: {
    title: 'This form was sent before',
    detail: 'It was sent with another key. Open its page again, and send the form from there.',
  },
  method_not_allowed: {
    title: 'There is no page here',
    detail: 'This address only takes a form. Open the page of the form, and send it from there.',
  },
  rate_limited: { detail: ({ retryAfterSeconds }) => formatWait(retryAfterSeconds) },
  unavailable: { next: 'Try again in a few seconds.' },
  internal_error: { detail: 'Try again in a moment. If it stays, tell the operator of this site.' },
};
