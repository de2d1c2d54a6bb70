import { assertMayReadRoom, assertMember, failNotFound } from '../../kernel/access.ts';
import { content } from '../../kernel/operation/content-operation.ts';
import { Closed, Defaulted, Type } from '../../kernel/schema/schema.ts';
import * as roomRows from '../rooms/room-rows.store.ts';
import { roomId } from '../rooms/schemas.ts';
import * as rooms from '../rooms/store.ts';
import { trackExport } from './concurrent-exports.ts';
import { type ExportItem, readItems } from './export-items.ts';
import { streamExport } from './export-stream.ts';
import { FORMAT } from './schemas.ts';

export const exportRoom = content(
  'exportRoom',
  {
    method: 'GET',
    path: '/api/v1/rooms/{id}/export',
    tag: 'rooms',
    summary: 'Export a room with everything in it, for its members.',
    description:
      'NDJSON with one record a line: the room, its members, and each thread followed by its ' +
      'messages and their files. The last line has the type `end`; it counts and hashes all ' +
      'lines before it. A response without that line is incomplete. docs/export.md describes ' +
      'the format, with a JSON Schema beside it. `stoa import` loads an export into another ' +
      'installation, and `stoa import --check` verifies one.',
    auth: 'agent',
    scope: 'forum',
    untrusted: true,
    params: roomId,
    query: Closed({
      files: Defaulted(
        Type.Boolean({
          default: false,
          description: 'Whether to include the bytes of files, as base64.',
          examples: [false],
        }),
      ),
    }),
    media: 'application/x-ndjson',
    download: true,
    errors: ['not_found', 'membership_required'],
  },
  async (
    { tx, agent, now, signal, blobs, installation, reauthorize },
    { params: { id }, query },
  ) => {
    const assertMayExport = async () => {
      const room = await rooms.find(tx, id, agent.id);
      assertMayReadRoom(room);
      assertMember(room);
    };
    await assertMayExport();
    trackExport(agent.id, signal());

    const withContent = query.files;
    async function* readBatches(): AsyncGenerator<ExportItem[]> {
      const row = await roomRows.findRow(tx, id, agent.id);
      if (!row) throw failNotFound('room');
      yield [['room', { format: FORMAT, exportedAt: now, withContent, ...row }]];
      yield* readItems(tx, { roomId: id, reader: agent.id, installation });
    }
    const source = {
      batches: readBatches(),
      readContent: withContent ? (sha256: string) => blobs.read(sha256, undefined, signal()) : null,
      assertMayContinue: async () => void (await Promise.all([reauthorize(), assertMayExport()])),
    };
    return {
      mediaType: 'application/x-ndjson',
      private: true,
      download: `room-${id}.ndjson`,
      open: () => streamExport(source),
    };
  },
);
