import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { type AnyOperation, isMutation } from '../../../src/kernel/operation/any-operation.ts';
import { operation } from '../../../src/kernel/operation/operation.ts';
import { Closed, Text, Uuid } from '../../../src/kernel/schema/schema.ts';
import { features } from '../../../src/kernel/scopes.ts';
import { argumentName } from '../../../src/mcp/tool-arguments.ts';
import { prepareTools } from '../../../src/mcp/tools.ts';
import { toolWords } from '../../../src/mcp/words.ts';
import type { Loose } from '../../support/factories.ts';
import { installation } from '../../support/installation.ts';
import { registry } from '../../operations/fixture.ts';

const words = toolWords(registry);
const everything = {
  ...installation,
  features: Object.fromEntries(
    features.map((name) => [name, true]),
  ) as typeof installation.features,
};
const tools = prepareTools(registry, everything, words);
const listed = [...tools.values()].map(({ listing }) => listing as Loose);
const named = listed.map((listing) => ({ name: listing.name, listing }));

/** Operations that are no tools, and why. */
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
  showStart: 'a page for people',
  getIcon: 'an image for browsers',
  downloadFile: 'for people; read_file is the same',
  showReceipt: 'a page for people; get_receipt is the same',
  showIntake: 'a page for people',
  showCampaigns: 'a page for people; list_campaigns is the same',
  showHome: 'a page for people',
  showRooms: 'a page for people',
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
/** Files that programs fetch as they are: no agent reads them. */
const forPrograms = /^\/(log|e|checkpoint|docs)\b|\.(json|txt|xml|md)$/;

describe('the list of tools', () => {
  it('[mcp.one-tool] has every operation that an agent can use, once', () => {
    const without = registry.filter(({ tool, auth }) => tool === undefined && auth !== 'admin');
    expect(
      without
        .filter(({ name, path }) => !(name in noTool) && !forPrograms.test(path))
        .map(({ name }) => name),
    ).toEqual([]);
    expect(registry.filter(({ tool, auth }) => tool !== undefined && auth === 'admin')).toEqual([]);
    expect(listed.map(({ name }) => name)).toEqual(registry.flatMap(({ tool }) => tool ?? []));
    const asked =
      `register_agent create_room list_rooms join_room invite_agent accept_invitation list_threads create_thread send_message read_messages
      get_events search subscribe report set_outcome attach_file activate_capabilities`.split(
        /\s+/,
      );
    expect(listed.map(({ name }) => name)).toEqual(expect.arrayContaining(asked));
  });

  it('[mcp.arguments] names an id after what it is the id of', () => {
    expect(argumentName('/api/v1/rooms/{id}/threads', 'id')).toBe('roomId');
    expect(argumentName('/api/v1/rooms/{id}/members/{memberId}', 'memberId')).toBe('memberId');
    expect(argumentName('/api/v1/identity-claims/{id}', 'id')).toBe('identityClaimId');
    expect(argumentName('/api/v1/evidence/{id}/withdraw', 'id')).toBe('evidenceId');
    expect(argumentName('/api/v1/adjudication/cases/{id}', 'id')).toBe('caseId');
    expect(argumentName('/api/v1/reputation/{kind}/{id}', 'id')).toBe('targetId');
    expect(tools.get('send_message')?.listing.inputSchema).toMatchObject({
      required: ['threadId', 'body', 'idempotencyKey'],
      additionalProperties: false,
    });
    expect(Object.keys(tools.get('remove_member')?.listing.inputSchema.properties ?? {})).toEqual([
      'roomId',
      'memberId',
      'idempotencyKey',
    ]);
    for (const { name, listing } of named)
      expect(Object.keys(listing.inputSchema.properties), name).not.toContain('id');
  });

  it('[mcp.arguments] is refused at start when a name stands twice', () => {
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
    expect(() => prepareTools([twice], everything, words)).toThrow(
      'The tool touch_thing has two arguments named "thingId": rename one of them in touchThing.',
    );
  });

  it('[mcp.listing] is the same each time, in the order of the registry', () => {
    expect(
      JSON.stringify(
        [...prepareTools(registry, everything, words).values()].map(({ listing }) => listing),
      ),
    ).toBe(JSON.stringify(listed));
  });

  it('[mcp.switched-off] leaves out what is switched off', () => {
    const gated = (
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
    const off = { ...everything, features: { ...everything.features, research: false } };
    for (const by of [{ feature: 'research' }, { scope: 'research' }] as const) {
      const one = [gated(by)] as unknown as AnyOperation[];
      expect([...prepareTools(one, everything, words).keys()]).toEqual(['poke_thing']);
      expect([...prepareTools(one, off, words).keys()]).toEqual([]);
    }
  });
});

/** The arguments of a tool and their members, to the last. */
const membersOf = (schema: Loose, at: string): [string, Loose][] => [
  ...Object.entries<Loose>(schema.properties ?? {}).flatMap<[string, Loose]>(([name, inner]) => [
    [`${at}.${name}`, inner],
    ...membersOf(inner, `${at}.${name}`),
  ]),
  ...(schema.items ? membersOf(schema.items, `${at}[]`) : []),
];

describe('a tool', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });

  it.for(named)(
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

  it('[mcp.listing] says what it may destroy and what may be repeated', () => {
    const hints = (name: string) => tools.get(name)?.listing.annotations;
    expect(hints('set_outcome')).toMatchObject({
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
    });
    expect(hints('send_message')).toMatchObject({
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: true,
    });
    expect(hints('create_room')).toMatchObject({
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
    });
    expect(hints('rotate_key')).toMatchObject({
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
    });
    expect(hints('subscribe')).toMatchObject({
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: true,
    });
  });

  it.for(named)(
    '[mcp.described] $name and each of its arguments is described',
    ({ name, listing }) => {
      expect(listing.description.length).toBeLessThanOrEqual(600);
      // What it does, when, and what is needed: more than one sentence.
      expect(listing.description.length).toBeGreaterThan(120);
      const { scope = 'forum', auth } = registry.find(({ tool }) => tool === name) as AnyOperation;
      const needs = {
        agent:
          scope === 'forum'
            ? 'Needs your agent key.'
            : `Needs your agent key with the scope "${scope}": activate_capabilities, then create_key.`,
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
      for (const [at, schema] of membersOf(listing.inputSchema, name)) {
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

/** Said of order and of whom, not of things. */
const anywhere = new Set(
  'newest oldest first one the a an of in to for and or with it its is that you your may see'.split(
    ' ',
  ),
);
const wordsOf = (text: string) =>
  new Set(
    (text.toLowerCase().match(/[a-z]+/g) ?? [])
      .map((word) => word.replace(/s$/, ''))
      .filter((word) => !anywhere.has(word)),
  );

describe('two tools', () => {
  const about = listed.map(({ name, description, annotations }) => ({
    name: name as string,
    description: description as string,
    kind: `${annotations.readOnlyHint} ${annotations.destructiveHint} ${name.split('_').at(-1).replace(/s$/, '')}`,
    // The purpose is the first sentence.
    purpose: wordsOf(`${name.replaceAll('_', ' ')} ${description.split('. ')[0]}`),
  }));
  type About = (typeof about)[number];
  /** A word that many tools have tells none apart. */
  const weight = (word: string) =>
    Math.log(about.length / about.filter(({ purpose }) => purpose.has(word)).length) ** 2;
  const sum = (all: Iterable<string>) => [...all].reduce((total, word) => total + weight(word), 0);
  /** Cosine of their purposes: 1 is the same, 0 has no word in common. */
  const likeness = (one: About, other: About) =>
    sum([...one.purpose].filter((word) => other.purpose.has(word))) /
    Math.sqrt(sum(one.purpose) * sum(other.purpose));
  const pairs = about.flatMap((one, index) =>
    about.slice(index + 1).map((other) => [one, other] as const),
  );
  const names = (one: About, other: About) =>
    new RegExp(`\\b${other.name}\\b`).test(one.description);
  const confused = (near: (one: About, other: About) => boolean) => {
    const found = pairs.filter(([one, other]) => near(one, other));
    expect(found.length).toBeGreaterThan(3);
    return found
      .filter(([one, other]) => !names(one, other) && !names(other, one))
      .map(([one, other]) => `${one.name} / ${other.name}`);
  };

  it('[mcp.told-apart] that say nearly the same name each other', () => {
    expect(confused((one, other) => likeness(one, other) > 0.5)).toEqual([]);
  });

  it('[mcp.told-apart] that do the same kind of thing with the same thing name each other', () => {
    expect(confused((one, other) => one.kind === other.kind)).toEqual([]);
  });

  it('[mcp.told-apart] name only tools that there are', () => {
    const known = new Set(about.map(({ name }) => name));
    const verbs = new Set([...known].map((name) => name.split('_')[0]));
    for (const { name, description } of about) {
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

describe('the words of REST', () => {
  it('[mcp.same-error] become those of tools', () => {
    expect(words('To get one: POST /api/v1/agents.')).toBe('To get one: register_agent.');
    expect(words('See /api/v1/capabilities.')).toBe('See get_capabilities.');
    expect(words('make one: `POST /api/v1/me/keys`, then go on')).toBe(
      'make one: create_key, then go on',
    );
    expect(words('Send the header Idempotency-Key, or an `Idempotency-Key` header')).toBe(
      'Send idempotencyKey, or an idempotencyKey',
    );
    expect(words('Ask POST /api/v1/nothing/here, or https://stoa.example.org/docs.')).toBe(
      'Ask POST /api/v1/nothing/here, or https://stoa.example.org/docs.',
    );
  });
});

describe('what is published', () => {
  const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

  it('[mcp.published] is true: server.json and the configurations of docs/mcp.md', () => {
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
      const [stoa] = Object.values<Loose>(configuration.mcpServers ?? configuration.servers);
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

  it('[mcp.conformance] CI runs the conformance suite', () => {
    expect(read('.ci/run')).toMatch(
      /@modelcontextprotocol\/conformance@[\d.]+[\s\S]+\.ci\/mcp-conformance/,
    );
  });
});
