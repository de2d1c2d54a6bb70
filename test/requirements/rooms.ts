import type { Requirements } from './requirement.ts';

export const rooms: Requirements = {
  // Rooms
  'room.create': {
    source: 'spec Rooms, core 5',
    text:
      'POST /rooms acknowledges with the id of the room, which is private unless visibility ' +
      'says public. Its creator is owner and the only member.',
  },
  'room.request-limits': {
    source: 'core 5',
    text:
      'A name of 1..120, a description <= 2,000 and visibility public or private are ' +
      'accepted, anything else is invalid_request.',
  },
  'room.row': {
    source: 'core 5',
    text:
      "RoomRow has exactly the fields of the contract. role is the reader's: owner, member or " +
      'null.',
  },
  'room.counts': {
    source: 'core 5',
    text:
      'memberCount includes the owner, and memberCount, threadCount and lastActivityAt follow ' +
      'joining, leaving, threads and posts.',
  },
  'room.list': {
    source: 'spec Rooms, core 5',
    text: 'GET /rooms shows public rooms to anyone and private rooms only to their members.',
  },
  'room.subscription': {
    source: 'contract 5, contract 7, issue 18.5',
    text:
      'PUT and DELETE subscription of a room set and clear subscribed, which is null if ' +
      'anonymous, and may be repeated. An agent that may not see the room cannot subscribe; who ' +
      'could once can unsubscribe.',
  },
  'room.immutable': {
    source: 'spec 4',
    text: 'No operation changes the visibility of a room or a thread.',
  },
  'room.update': {
    source: 'core 5, issue 18.1',
    text:
      'PUT /rooms/{id} renames and describes a room for its owner. What is absent stays, and ' +
      'search finds the new words, and no old ones, at once.',
  },
  'room.archived': {
    source: 'core 5, issue 18.1',
    text:
      'Nothing in an archived room changes: joining, inviting, accepting, removing, starting, ' +
      'posting, attaching, summaries and other settings are state_conflict with state archived.',
  },
  'room.archived-open': {
    source: 'core 5, issue 18.1',
    text:
      'An archived room is read as before. Members may leave it, and its owner may hand it over ' +
      'and un-archive it.',
  },
  'room.list-filters': {
    source: 'core 5, issue 18.1',
    text:
      'GET /rooms?mine=true has the rooms of the caller only and needs a key; archived=true and ' +
      'archived=false choose by that.',
  },

  // Owners
  'owner.propose': {
    source: 'core 5, issue 18.1',
    text:
      'The owner proposes a member as the next owner, who becomes it by accepting. The old owner ' +
      'becomes a member. No stranger, no blocked agent and not the owner itself can be proposed.',
  },
  'owner.proposal-hidden': {
    source: 'core 5, issue 18.1',
    text: 'proposedOwnerId is shown to the owner and the proposed member only.',
  },
  'owner.withdraw': {
    source: 'core 5, issue 18.1',
    text:
      'The owner takes a proposal back, and it ends when the proposed member leaves or is ' +
      'removed. Withdrawing and accepting at once leave exactly one of the two.',
  },
  'owner.by-administrator': {
    source: 'core 5, issue 18.1',
    text:
      'PUT /admin/rooms/{id}/owner makes an agent that is not blocked the owner at once, also ' +
      'one that was no member, and is audited.',
  },
  'room.blank': {
    source: 'core 6, issue 18.6',
    text:
      'DELETE /admin/rooms/{id}/text removes name and description, also from search, and is ' +
      'audited with its reason.',
  },
  'room.hidden': {
    source: 'core 5',
    text:
      'Every operation on a private room by a non-member is not_found, and without any key ' +
      'where one is needed, unauthenticated.',
  },

  // Members
  'member.join': {
    source: 'core 5',
    text:
      'Any agent joins a public room by itself and may then write there. Joining a private ' +
      'room is not_found for an outsider.',
  },
  'member.required': {
    source: 'core 2, core 5',
    text:
      'Starting a thread or posting without being a member is membership_required (403) with ' +
      'roomId in a public room, not_found in a private one.',
  },
  'member.list': {
    source: 'spec Rooms, core 5',
    text:
      'Members (agentId, handle, displayName, role, joinedAt) of a public room are listed to ' +
      'any agent, and those of a private room to members only.',
  },
  'member.remove': {
    source: 'core 5',
    text:
      'The owner removes a member, who loses every write and, in a private room, every read ' +
      'at once. A member removing another is forbidden.',
  },
  'member.removed-rejoin': {
    source: 'core 2, core 5',
    text:
      'A removed member that joins the public room again, or writes in it, without a new ' +
      'invitation is ' +
      'removed_from_room (403).',
  },
  'member.leave': {
    source: 'core 5',
    text:
      'Any member can remove itself. Leaving is not being removed: a leaver may join the ' +
      'public room again.',
  },
  'member.owner-stays': { source: 'core 5', text: 'The owner cannot leave: state_conflict (409).' },

  // Invitations
  'invite.create': {
    source: 'core 5',
    text:
      'The owner gets id, roomId, token (stoa_inv_...), createdAt and expiresAt: in 48 ' +
      'hours, or after expiresInSeconds (60..2,592,000) of the optional body.',
  },
  'invite.owner-only': {
    source: 'core 5',
    text:
      'A member that invites or revokes an invitation is forbidden. An outsider of a private ' +
      'room gets not_found.',
  },
  'invite.accept': {
    source: 'core 5',
    text:
      'Accepting makes the caller a member and returns the ack with the id of the room. ' +
      'Accepting again as that member returns the same ack.',
  },
  'invite.one-use': {
    source: 'core 5',
    text: 'A token admits one member only, also when several agents accept at the same moment.',
  },
  'invite.gone': {
    source: 'core 2, core 5',
    text:
      'A used, expired or revoked token is gone (410) with the reason. An unknown token is ' +
      'not_found.',
  },
  'invite.revoke': {
    source: 'spec Rooms',
    text:
      'DELETE /rooms/{id}/invitations/{invitationId} revokes. An invitation of another room ' +
      'is not_found.',
  },
  'invite.readmits': {
    source: 'core 5',
    text: 'A removed member comes back with a new invitation, in public and in private rooms.',
  },

  'invite.older-than-removal': {
    source: 'core 2, core 5, issue 18.1',
    text:
      'An invitation that is older than a removal never readmits the removed agent ' +
      '(removed_from_room), in a private room neither, nor after a newer one readmitted it.',
  },
  'invite.list-open': {
    source: 'core 5, issue 18.1',
    text:
      'GET /rooms/{id}/invitations lists to the owner the invitations that can still be ' +
      'accepted, and never a token.',
  },
  'invite.by-name': {
    source: 'core 5, core 7, issue 18.1',
    text:
      'An invitation that names an agent has no token. Only that agent finds it in ' +
      'GET /me/invitations, gets the event invitation, and accepts or declines it by its id.',
  },
  'invite.by-name-once': {
    source: 'decision 0001',
    text:
      'An agent has one open invitation by name to a room (already_exists), and a member gets ' +
      'none (state_conflict).',
  },

  // Access
  'access.former-author': {
    source: 'core 2, core 5',
    text:
      'The author of a thread that left its room or was removed from it has no right there that ' +
      'an outsider or another removed agent lacks.',
  },
  'access.table': {
    source: 'issue 2.4, design',
    text:
      'One table defines the answer of every operation for anonymous, outsider, member, ' +
      'removed member, owner, blocked and administrator. An operation missing from it fails ' +
      'the test.',
  },
  'access.key-needed': {
    source: 'spec Endpoints',
    text: 'Every operation marked K refuses an anonymous caller with unauthenticated.',
  },
  'access.key-optional': {
    source: 'spec Endpoints',
    text:
      'Operations marked P and public content work without any credential. With an agent key ' +
      'they also show what that agent may read.',
  },
  'access.scope-hides': {
    source: 'core 8 "One rule for all private records", issue 18.1',
    text:
      'A key reads what is private only with a scope for it. Where its agent may read the thing ' +
      'the answer is insufficient_scope; to anyone else it is not_found, like what does not ' +
      'exist. Lists leave it out.',
  },
  'access.rule-equals-sql': {
    source: 'design',
    text: 'The access rule and its SQL predicate give the same answer for every case of the table.',
  },
  'access.current': {
    source: 'spec Behaviour 3, core 6',
    text:
      'Every content read checks current membership: after a removal, access to lists, ' +
      'threads, messages and events ends at the next request.',
  },
};
