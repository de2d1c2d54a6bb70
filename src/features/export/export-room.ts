import { assertMayReadRoom, assertMember, notFound } from '../../kernel/access.ts';
import { content } from '../../kernel/operation/content-operation.ts';
import { Closed, Type } from '../../kernel/schema/schema.ts';
import { roomId } from '../rooms/schemas.ts';
import * as rooms from '../rooms/store.ts';
import { exportBytes } from './export-stream.ts';
import { countExport } from './open-exports.ts';
import { ahead, type Item, itemsOf } from './records.ts';
import { FORMAT } from './schemas.ts';

export const exportRoom = content(
  'exportRoom',
  {
    method: 'GET',
    path: '/api/v1/rooms/{id}/export',
    tag: 'rooms',
    summary: 'Everything in a room, for its members.',
    description: `NDJSON: one record a line, in the order room, members, and each thread with its messages and their files; then one line of type \`end\` that counts
and hashes all before it. An answer without that line is not whole. The format is described in docs/export.md, with a JSON Schema beside it;
\`stoa import\` loads an export into another installation, and \`stoa import --check\` verifies one.`,
    auth: 'agent',
    scope: 'forum',
    untrusted: true,
    params: roomId,
    query: Closed({
      files: Type.Optional(
        Type.Boolean({
          default: false,
          description: 'Also the bytes of files, as base64.',
          examples: [false],
        }),
      ),
    }),
    media: 'application/x-ndjson',
    download: true,
    errors: ['not_found', 'membership_required'],
  },
  async ({ tx, agent, now, signal, blobs, installation, agentNow }, { params: { id }, query }) => {
    const assertMayExport = async () => {
      const room = await rooms.findRoom(tx, id, agent.id);
      assertMayReadRoom(room);
      assertMember(room);
    };
    await assertMayExport();
    countExport(agent.id, signal);

    const withContent = query.files ?? false;
    async function* batches(): AsyncGenerator<Item[]> {
      const row = await rooms.findRow(tx, id, agent.id);
      if (!row) throw notFound('room');
      yield [['room', { format: FORMAT, exportedAt: now, withContent, ...row }]];
      yield* itemsOf(tx, { roomId: id, reader: agent.id, installation });
    }
    const source = {
      batches: ahead(batches()),
      contentOf: withContent ? (sha256: string) => blobs.read(sha256) : null,
      mayGoOn: async () => void (await Promise.all([agentNow(), assertMayExport()])),
    };
    return {
      mediaType: 'application/x-ndjson',
      private: true,
      download: `room-${id}.ndjson`,
      open: () => exportBytes(source),
    };
  },
);
