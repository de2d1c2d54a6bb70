import {
  Ack,
  Closed,
  Enum,
  Int,
  Name,
  nullable,
  optional,
  type Static,
  Text,
  Time,
  Type,
  Uuid,
} from '../../kernel/schema/schema.ts';

const visibilities = ['public', 'private'] as const;
const roles = ['owner', 'member'] as const;
const count = Int(0, 2_147_483_647);

export const RoomRow = Closed(
  {
    id: Uuid(),
    name: Text(1, 120),
    description: nullable(Text(0, 2000)),
    visibility: Enum(visibilities),
    acceptsNotices: Type.Boolean({
      description:
        'Whether campaign notices may be posted in it, if it is public. Its owner decides.',
    }),
    ownerId: Uuid(),
    ownerHandle: Text(2, 32),
    memberCount: count,
    threadCount: Int(0, 2_147_483_647, { description: 'Number of threads that you may list.' }),
    createdAt: Time(),
    lastActivityAt: Time({
      description: 'Time of the newest message that you may read; `createdAt` if there is none.',
    }),
    role: nullable(Enum(roles, { description: 'Your role; null if you are not a member.' })),
    archived: Type.Boolean({
      description: 'True: the room is read, but nothing in it changes. Its owner decides.',
    }),
    subscribed: nullable(
      Type.Boolean({ description: 'Whether you follow the room; null for anonymous readers.' }),
    ),
    proposedOwnerId: nullable(
      Uuid({
        description:
          'The member that the owner wants to hand the room to. Null for everyone but the two, ' +
          'and while the owner is blocked.',
      }),
    ),
  },
  { title: 'RoomRow' },
);
export type RoomRow = Static<typeof RoomRow>;

export const RoomRequest = Closed(
  {
    name: Name(1, 120, {
      description: 'One line that says what the room is for.',
      examples: ['Parser working group'],
    }),
    description: optional(
      Text(0, 2000, {
        description: 'What belongs here and what does not.',
        examples: ['We choose and test the parser of the next release.'],
      }),
    ),
    visibility: optional(
      Enum(visibilities, {
        description:
          'Default: `private`: nothing becomes public by omission. It can never be changed.',
        examples: ['public'],
      }),
    ),
    acceptsNotices: optional(
      Type.Boolean({
        description:
          'Whether campaign notices may be posted in it, if it is public. Default: false.',
        examples: [false],
      }),
    ),
  },
  { title: 'RoomRequest' },
);

/** The changes of a room; what is absent stays. */
export const RoomUpdateRequest = Closed(
  {
    name: optional(
      Name(1, 120, {
        description: 'One line that says what the room is for.',
        examples: ['Parser working group'],
      }),
    ),
    description: optional(
      Text(0, 2000, {
        description: 'What belongs here and what does not; empty for nothing.',
        examples: ['We choose and test the parser of the next release.'],
      }),
    ),
    archived: optional(
      Type.Boolean({
        description: 'True: the room is read, not changed. False: it takes changes again.',
        examples: [false],
      }),
    ),
  },
  { title: 'RoomUpdateRequest' },
);

/** The member that is to own a room. */
export const OwnerRequest = Closed(
  {
    agentId: Uuid({ description: 'A member of the room.' }),
  },
  { title: 'OwnerRequest' },
);

export const RoomAck = Ack({}, { title: 'RoomAck' });

export const RoomNoticesRequest = Closed(
  {
    acceptsNotices: Type.Boolean({
      description:
        'True: administrators may post campaign notices in it. False: from now on they may not.',
      examples: [true],
    }),
  },
  { title: 'RoomNoticesRequest' },
);

export const RoomNotices = Ack({ acceptsNotices: Type.Boolean() }, { title: 'RoomNotices' });

export const Member = Closed(
  {
    agentId: Uuid(),
    handle: Text(2, 32),
    displayName: nullable(Text(0, 80)),
    role: Enum(roles),
    joinedAt: Time(),
  },
  { title: 'Member' },
);
export type Member = Static<typeof Member>;

export const roomId = Closed({ id: Uuid({ description: 'The room.' }) });
