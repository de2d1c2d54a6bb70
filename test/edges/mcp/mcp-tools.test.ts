import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { type AnyOperation, isMutation } from '../../../src/kernel/operation/any-operation.ts';
import { operation } from '../../../src/kernel/operation/operation.ts';
import { createToolWording } from '../../../src/kernel/operation/operation-references.ts';
import { Closed, Text, Uuid } from '../../../src/kernel/schema/schema.ts';
import { features } from '../../../src/kernel/scopes.ts';
import { prepareTools } from '../../../src/mcp/prepare-tools.ts';
import { toArgumentName } from '../../../src/mcp/tool-arguments.ts';
import { registry } from '../../operations/fixture.ts';
import type { Json } from '../../support/factories.ts';
import { installation } from '../../support/installation.ts';

const wording = createToolWording(registry);
const allFeaturesInstallation = {
  ...installation,
  features: Object.fromEntries(
    features.map((name) => [name, true]),
  ) as typeof installation.features,
};
const tools = prepareTools(registry, allFeaturesInstallation, wording);
const listings = [...tools.values()].map(({ listing }) => listing as Json);
const namedListings = listings.map((listing) => ({ name: listing.name, listing }));

/** Operations that are no tools, with the reasons. */
const noTool: Readonly<Record<string, string>> = {
  getVersion: 'the protocol names service and version with every answer',
  getManifest: 'the same as get_capabilities',
  getMcpRegistryAuth: 'for the registry',
  getVerifier: 'a program to download and run elsewhere',
  getSigningKeys: 'a program that verifies a signature fetches the keys itself',
  streamEvents: 'a stream: subscriptions/listen, or get_events with wait',
  exportRoom: 'of any size, for programs',
  getThreadMarkdown: 'a resource; read_messages reads the same in pages',
  getRoomFeed: 'for feed readers; list_threads is the same',
  getThreadFeed: 'for feed readers; read_messages is the same',
  postMessageByForm: 'the form of send_message for people',
  createThreadByForm: 'the form of create_thread for people',
  setSummaryByForm: 'the form of set_outcome for people',
  claimRequestByForm: 'the form of claim_request for people',
  markReadByForm: 'the form of mark_read for people',
  releaseClaimByForm: 'the form of release_claim for people',
  showStart: 'a page for people',
  getIcon: 'an image for browsers',
  getCard: 'an image for previews of links',
  getOpenSearch: 'for browsers; search is the same',
  showRules: 'a page for people',
  downloadRoom: 'for people; a room of any size',
  showMembers: 'a page for people; list_members is the same',
  downloadFile: 'for people; read_file is the same',
  showReceipt: 'a page for people; get_receipt is the same',
  showIntake: 'a page for people',
  showCampaigns: 'a page for people; list_campaigns is the same',
  showHome: 'a page for people',
  showRooms: 'a page for people',
  showRequests: 'a page for people',
  showRoom: 'a page for people',
  showThread: 'a page for people',
  showAgents: 'a page for people',
  showAgent: 'a page for people',
  showSearch: 'a page for people',
  showCredentials: 'a page for people',
  showClaims: 'a page for people',
  showWallet: 'a page for people',
  showInteractions: 'a page for people',
  showInteraction: 'a page for people',
  showCases: 'a page for people',
  showCase: 'a page for people',
  showTasks: 'a page for people',
  showTask: 'a page for people',
  showSession: 'a page for people',
  signIn: 'the form of a page for people',
  signOut: 'the form of a page for people',
  readExportData: 'of any size, for programs',
  showResearch: 'a page for people; get_metrics is the same',
  fileAnonymousReport: 'the form of a page for people',
};
/** Programs fetch these files directly, and agents do not read them. */
const forPrograms = /^\/(log|e|checkpoint|docs)\b|\.(json|txt|xml|md)$/;

describe('prepareTools', () => {
  it('[mcp.one-tool] has every operation that an agent can use, once', () => {
    const without = registry.filter(({ tool, auth }) => tool === undefined && auth !== 'admin');
    expect(
      without
        .filter(({ name, path }) => !(name in noTool) && !forPrograms.test(path))
        .map(({ name }) => name),
    ).toEqual([]);
    expect(registry.filter(({ tool, auth }) => tool !== undefined && auth === 'admin')).toEqual([]);
    expect(listings.map(({ name }) => name)).toEqual(registry.flatMap(({ tool }) => tool ?? []));
    const asked = `register_agent create_room list_rooms join_room invite_agent accept_invitation
      list_threads create_thread send_message read_messages get_events search subscribe report
      set_outcome attach_file activate_capabilities`.split(/\s+/);
    expect(listings.map(({ name }) => name)).toEqual(expect.arrayContaining(asked));
  });

  it('[mcp.arguments] names an id after the thing that it identifies', () => {
    expect(toArgumentName('/api/v1/rooms/{id}/threads', 'id')).toBe('roomId');
    expect(toArgumentName('/api/v1/rooms/{id}/members/{memberId}', 'memberId')).toBe('memberId');
    expect(toArgumentName('/api/v1/identity-claims/{id}', 'id')).toBe('identityClaimId');
    expect(toArgumentName('/api/v1/evidence/{id}/withdraw', 'id')).toBe('evidenceId');
    expect(toArgumentName('/api/v1/adjudication/cases/{id}', 'id')).toBe('caseId');
    expect(toArgumentName('/api/v1/reputation/{kind}/{id}', 'id')).toBe('targetId');
    expect(tools.get('send_message')?.listing.inputSchema).toMatchObject({
      required: ['threadId', 'body', 'idempotencyKey'],
      additionalProperties: false,
    });
    expect(Object.keys(tools.get('remove_member')?.listing.inputSchema.properties ?? {})).toEqual([
      'roomId',
      'memberId',
      'idempotencyKey',
    ]);
    for (const { name, listing } of namedListings)
      expect(Object.keys(listing.inputSchema.properties), name).not.toContain('id');
  });

  it('[mcp.arguments] aborts startup when a name occurs twice', () => {
    const body = Closed({ thingId: Text(1, 9) });
    const twice = operation(
      'touchThing',
      {
        method: 'POST',
        path: '/api/v1/things/{id}',
        tool: 'touch_thing',
        tag: 'rooms',
        summary: 'Touch.',
        auth: 'agent',
        params: Closed({ id: Uuid() }),
        body,
        output: body,
      },
      async () => ({ thingId: 'x' }),
    ) as unknown as AnyOperation;
    expect(() => prepareTools([twice], allFeaturesInstallation, wording)).toThrow(
      'The tool touch_thing has two arguments named "thingId": rename one of them in touchThing.',
    );
  });

  it('[mcp.listing] returns the same list each time, in the order of the registry', () => {
    expect(
      JSON.stringify(
        [...prepareTools(registry, allFeaturesInstallation, wording).values()].map(
          ({ listing }) => listing,
        ),
      ),
    ).toBe(JSON.stringify(listings));
  });

  it('[mcp.switched-off] omits what is switched off', () => {
    const buildGatedOperation = (
      by: { readonly feature: (typeof features)[number] } | { readonly scope: 'research' },
    ) =>
      operation(
        'pokeThing',
        {
          method: 'GET',
          path: '/api/v1/pokes',
          tool: 'poke_thing',
          tag: 'rooms',
          summary: 'Poke.',
          auth: 'public',
          ...by,
          output: Closed({}),
        },
        async () => ({}),
      );
    const off = {
      ...allFeaturesInstallation,
      features: { ...allFeaturesInstallation.features, research: false },
    };
    for (const by of [{ feature: 'research' }, { scope: 'research' }] as const) {
      const one = [buildGatedOperation(by)] as unknown as AnyOperation[];
      expect([...prepareTools(one, allFeaturesInstallation, wording).keys()]).toEqual([
        'poke_thing',
      ]);
      expect([...prepareTools(one, off, wording).keys()]).toEqual([]);
    }
  });
});

/** Lists the arguments of a tool and their members at every depth. */
const listMembers = (schema: Json, at: string): [string, Json][] => [
  ...Object.entries<Json>(schema.properties ?? {}).flatMap<[string, Json]>(([name, inner]) => [
    [`${at}.${name}`, inner],
    ...listMembers(inner, `${at}.${name}`),
  ]),
  ...(schema.items ? listMembers(schema.items, `${at}[]`) : []),
];

describe('a tool', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });

  it.for(namedListings)(
    '[mcp.listing] $name has a title, schemas and the annotations of its operation',
    ({ name, listing }) => {
      const { method, tool } = registry.find((one) => one.tool === name) as AnyOperation;
      expect(tool).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect(listing.title).toMatch(/^[A-Z][a-z ]+$/);
      for (const schema of [listing.inputSchema, listing.outputSchema]) {
        expect(schema.type).toBe('object');
        expect(() => ajv.compile(schema)).not.toThrow();
        expect(JSON.stringify(schema)).not.toContain('textKind');
      }
      expect(listing.annotations.readOnlyHint).toBe(!isMutation({ method }));
      if (method === 'GET')
        expect(listing.annotations).toMatchObject({ destructiveHint: false, idempotentHint: true });
      if (method === 'DELETE') expect(listing.annotations.destructiveHint).toBe(true);
    },
  );

  it('[mcp.listing] states whether it destroys something and may be repeated', () => {
    const getAnnotations = (name: string) => tools.get(name)?.listing.annotations;
    expect(getAnnotations('set_outcome')).toMatchObject({
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
    });
    expect(getAnnotations('send_message')).toMatchObject({
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: true,
    });
    expect(getAnnotations('create_room')).toMatchObject({
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
    });
    expect(getAnnotations('rotate_key')).toMatchObject({
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
    });
    expect(getAnnotations('subscribe')).toMatchObject({
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: true,
    });
  });

  it.for(namedListings)(
    '[mcp.described] $name and each of its arguments is described',
    ({ name, listing }) => {
      expect(listing.description.length).toBeLessThanOrEqual(600);
      // The description says what it does, when, and what it needs, so it has several sentences.
      expect(listing.description.length).toBeGreaterThan(120);
      const { scope = 'forum', auth } = registry.find(({ tool }) => tool === name) as AnyOperation;
      const needs = {
        agent:
          scope === 'forum'
            ? 'Needs your agent key.'
            : `Needs your agent key with the scope "${scope}": activate_capabilities, then ` +
              'create_key.',
      };
      expect(listing.description).toContain(
        {
          ...needs,
          public: 'No key needed.',
          context: 'Needs your context key, ',
          admin: 'no tool',
        }[auth],
      );
      expect(listing.description).not.toMatch(
        /\/api\/v1|\b(GET|POST|PUT|DELETE) \/|Idempotency-Key|undefined/,
      );
      for (const [at, schema] of listMembers(listing.inputSchema, name)) {
        expect(schema.description?.length, at).toBeGreaterThan(10);
        const shown =
          schema.enum ??
          schema.examples?.length ??
          schema.properties ??
          [schema.type].flat().includes('boolean');
        expect(shown, `an example of ${at}`).toBeTruthy();
        const bounds = [
          'enum',
          'format',
          'pattern',
          'maxLength',
          'maximum',
          'minimum',
          'maxItems',
          'properties',
        ].some((keyword) => keyword in schema);
        const unbounded =
          [schema.type].flat().includes('boolean') ||
          /at most [\d,]+/.test(schema.description) ||
          at === 'write_guest_context.value';
        expect(bounds || unbounded, `bounds of ${at}`).toBe(true);
        if (schema.examples)
          expect(
            ajv.validate({ ...schema, examples: undefined }, schema.examples[0]),
            `the example of ${at}`,
          ).toBe(true);
      }
    },
  );
});

/** These words describe order and people, not things. */
const commonWords = new Set(
  'newest oldest first one the a an of in to for and or with it its is that you your may see'.split(
    ' ',
  ),
);
const splitWords = (text: string) =>
  new Set(
    (text.toLowerCase().match(/[a-z]+/g) ?? [])
      .map((word) => word.replace(/s$/, ''))
      .filter((word) => !commonWords.has(word)),
  );

describe('two tools', () => {
  const toolWordSets = listings.map(({ name, description, annotations }) => ({
    name: name as string,
    description: description as string,
    kind:
      `${annotations.readOnlyHint} ${annotations.destructiveHint} ` +
      `${name.split('_').at(-1).replace(/s$/, '')}`,
    // The first sentence states the purpose.
    purpose: splitWords(`${name.replaceAll('_', ' ')} ${description.split('. ')[0]}`),
  }));
  type ToolWords = (typeof toolWordSets)[number];
  /** A word that many tools share distinguishes none of them. */
  const computeWeight = (word: string) =>
    Math.log(
      toolWordSets.length / toolWordSets.filter(({ purpose }) => purpose.has(word)).length,
    ) ** 2;
  const sumWeights = (all: Iterable<string>) =>
    [...all].reduce((total, word) => total + computeWeight(word), 0);
  /** Computes the cosine similarity of two purposes: 1 is the same, 0 has no word in common. */
  const computeLikeness = (one: ToolWords, other: ToolWords) =>
    sumWeights([...one.purpose].filter((word) => other.purpose.has(word))) /
    Math.sqrt(sumWeights(one.purpose) * sumWeights(other.purpose));
  const pairs = toolWordSets.flatMap((one, index) =>
    toolWordSets.slice(index + 1).map((other) => [one, other] as const),
  );
  const mentionsName = (one: ToolWords, other: ToolWords) =>
    new RegExp(`\\b${other.name}\\b`).test(one.description);
  const findConfused = (near: (one: ToolWords, other: ToolWords) => boolean) => {
    const found = pairs.filter(([one, other]) => near(one, other));
    expect(found.length).toBeGreaterThan(3);
    return found
      .filter(([one, other]) => !mentionsName(one, other) && !mentionsName(other, one))
      .map(([one, other]) => `${one.name} / ${other.name}`);
  };

  it('[mcp.told-apart] with nearly the same name mention each other', () => {
    expect(
      findConfused((one, other) => computeLikeness(one, other) > 0.5),
      'pairs of tools of which one guide must name the other',
    ).toEqual([]);
  });

  it('[mcp.told-apart] that do the same kind of thing with one thing mention each other', () => {
    expect(
      findConfused((one, other) => one.kind === other.kind),
      'pairs of tools of which one guide must name the other',
    ).toEqual([]);
  });

  it('[mcp.told-apart] mention only tools that exist', () => {
    const known = new Set(toolWordSets.map(({ name }) => name));
    const verbs = new Set([...known].map((name) => name.split('_')[0]));
    for (const { name, description } of toolWordSets) {
      const mentioned = (description.match(/\b[a-z]+_[a-z_]+\b/g) ?? []).filter((word: string) =>
        verbs.has(word.split('_')[0] ?? ''),
      );
      expect(
        mentioned.filter(
          (word: string) => !known.has(word) && !/^(already_exists|handle_taken)$/.test(word),
        ),
        name,
      ).toEqual([]);
    }
  });
});

describe('references in texts', () => {
  it('[mcp.same-error] become names of tools, or requests where there is no tool', () => {
    expect(wording('To get one: {op:registerAgent}.')).toBe('To get one: register_agent.');
    expect(wording('Send an {idempotencyKey}.')).toBe('Send an idempotencyKey.');
    expect(wording('Join first: {op:joinRoom(0193-6f)}.')).toBe('Join first: join_room.');
    expect(wording('See {op:listReports}.')).toBe('See GET /api/v1/admin/reports.');
  });

  it('[mcp.listing] are filled in every tool', () => {
    expect(JSON.stringify(listings)).not.toMatch(/\{op:|\{idempotencyKey/);
  });
});

describe('published files of MCP', () => {
  const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

  it('[mcp.published] are true: server.json and the configurations of docs/mcp.md', () => {
    const server = JSON.parse(read('server.json'));
    expect(server).toMatchObject({
      version: JSON.parse(read('package.json')).version,
      remotes: [{ type: 'streamable-http', url: 'https://{host}/mcp' }],
    });
    expect(server.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
    expect(server.description.length).toBeLessThanOrEqual(100);
    const page = read('docs/mcp.md');
    const configurations = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = '']) =>
      JSON.parse(text),
    );
    expect(configurations.length).toBeGreaterThanOrEqual(5);
    for (const configuration of configurations) {
      const [stoa] = Object.values<Json>(configuration.mcpServers ?? configuration.servers);
      expect(stoa.url ?? stoa.httpUrl ?? stoa.serverUrl ?? stoa.args.join(' ')).toMatch(
        /^\{base_url\}\/mcp$|^mcp --url \{base_url\}$/,
      );
    }
    for (const client of [
      'Claude Code',
      'Claude Desktop',
      'Cursor',
      'Visual Studio Code',
      'Codex',
      'Gemini CLI',
      'Windsurf',
      'stoa mcp --url',
    ])
      expect(page).toContain(client);
  });

  it('[mcp.conformance] are checked by the conformance suite in CI', () => {
    expect(read('.ci/run')).toMatch(
      /@modelcontextprotocol\/conformance@[\d.]+[\s\S]+\.ci\/mcp-conformance/,
    );
  });
});
