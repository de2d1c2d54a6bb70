import { buildModel, type Told, type Way } from './told.ts';

/** What is done about one agent and one private room. */
export interface InvitationOperation extends Told {
  readonly kind: 'invite' | 'accept' | 'decline' | 'withdraw' | 'leave' | 'remove' | 'list';
  readonly agent: string;
  /** The id of the invitation that is accepted, declined or withdrawn. */
  readonly id?: string;
}

interface Invitation {
  /** Empty while no answer told it. */
  readonly id: string;
  readonly state: 'open' | 'used' | 'declined' | 'revoked';
}

/** What an agent is to the room, and its invitations, oldest first. */
interface Standing {
  readonly isMember: boolean;
  readonly invitations: readonly Invitation[];
}

/** The places of an invitation: where its id is, or else wherever an id was never told. */
function listPlaces({ invitations }: Standing, id: string): number[] {
  const known = invitations.findIndex((one) => one.id === id);
  if (known >= 0) return [known];
  return [...invitations.keys()].filter((place) => invitations[place]?.id === '');
}

const setAt = (standing: Standing, place: number, invitation: Invitation): Standing => ({
  ...standing,
  invitations: standing.invitations.with(place, invitation),
});

function applyTo(
  standing: Standing,
  kind: InvitationOperation['kind'],
  place: number,
  id: string,
): Way<Standing> {
  const state = standing.invitations[place]?.state ?? 'open';
  const same = setAt(standing, place, { id, state });
  if (kind === 'accept') {
    if (state === 'used' && standing.isMember) return [same, 'done'];
    if (state !== 'open') return [same, `gone ${state}`];
    return [{ ...setAt(standing, place, { id, state: 'used' }), isMember: true }, 'done'];
  }
  if (state === 'used') return [same, 'state_conflict used'];
  // Withdrawn says more than declined, whichever came first.
  const ended = kind === 'decline' && state !== 'revoked' ? 'declined' : 'revoked';
  return [setAt(standing, place, { id, state: ended }), 'done'];
}

function apply(standing: Standing, operation: InvitationOperation): Way<Standing>[] {
  const { kind, id = '', outcome } = operation;
  const { isMember, invitations } = standing;
  const place = invitations.findIndex(({ state }) => state === 'open');
  // What an answer names may be the one whose id no answer told.
  const named = outcome.split(' ')[1] ?? '';
  const open = place < 0 ? '' : invitations[place]?.id || named;
  const bound =
    place < 0 || open === '' ? standing : setAt(standing, place, { id: open, state: 'open' });
  switch (kind) {
    case 'list':
      return [[bound, place < 0 ? 'open' : `open ${open}`]];
    case 'invite':
      if (isMember) return [[standing, 'state_conflict member']];
      if (place >= 0) return [[bound, `already_exists ${open}`]];
      return [
        [
          { isMember, invitations: [...invitations, { id: named, state: 'open' }] },
          `invited ${named}`,
        ],
      ];
    case 'leave':
    case 'remove':
      return [isMember ? [{ ...standing, isMember: false }, 'done'] : [standing, 'not_found']];
    default:
      return listPlaces(standing, id).map((at) => applyTo(standing, kind, at, id));
  }
}

/** Invitations by name to one private room (contract, section 5), for each agent by itself. */
export const invitationModel = buildModel<Standing, InvitationOperation>({
  initial: { isMember: false, invitations: [] },
  apply,
  reads: [],
  partition: ({ agent }) => agent,
});
