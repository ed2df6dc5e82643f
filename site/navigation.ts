/**
 * What the site lists, by the paths of its readers. A page is a file of the repository; `test/docs/pages.test.ts` asks
 * for each page for users once.
 */
export interface Group {
  readonly text: string;
  /** Closed until a page of it is read. */
  readonly collapsed?: boolean;
  readonly pages: readonly (readonly [text: string, file: string])[];
}

export interface Path {
  readonly text: string;
  readonly groups: readonly Group[];
}

const MIGRATION: Group = {
  text: 'Every direction',
  collapsed: true,
  pages: ['messages', 'responses', 'generateContent', 'chatCompletions'].flatMap((from, _, all) =>
    all
      .filter((to) => to !== from)
      .map((to) => [`${from} to ${to}`, `docs/migration/${folder(from)}-to-${folder(to)}.md`] as const),
  ),
};

/** The name of a dialect in the names of files. */
function folder(dialect: string): string {
  return dialect.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

export const START: Path = {
  text: 'Start',
  groups: [
    {
      text: 'Start',
      pages: [
        ['First steps', 'README.md'],
        ['Concepts', 'docs/concepts.md'],
        ['Playground', 'docs/playground.md'],
        ['Features', 'docs/features.md'],
        ['Comparison', 'docs/comparison.md'],
        ['Performance', 'docs/performance.md'],
        ['Stability', 'docs/contract.md'],
        ['Changelog', 'CHANGELOG.md'],
      ],
    },
  ],
};

/** The three ways to use it. */
export const WAYS: readonly Path[] = [
  {
    text: 'I import it',
    groups: [
      {
        text: 'I import it',
        pages: [
          ['Library', 'docs/library.md'],
          ['Handler', 'docs/handler.md'],
          ['Fields', 'docs/fields.md'],
          ['Models', 'docs/models.md'],
        ],
      },
      {
        text: 'Guides',
        pages: [
          ['From the OpenAI Responses API to Claude', 'docs/guides/openai-responses-api-to-claude.md'],
          ['From Chat Completions to Responses', 'docs/guides/chat-completions-to-responses.md'],
          ['From another gateway', 'docs/import.md'],
          ['Before a move', 'docs/migration.md'],
        ],
      },
      MIGRATION,
    ],
  },
  {
    text: 'I run it',
    groups: [
      {
        text: 'I run it',
        pages: [
          ['One backend, every SDK', 'docs/guides/one-backend-every-sdk.md'],
          ['Configuration', 'docs/configuration.md'],
          ['Command line', 'docs/cli.md'],
          ['Routes and headers', 'docs/http.md'],
          ['Operations', 'docs/operations.md'],
          ['Troubleshooting', 'docs/troubleshooting.md'],
          ['Security', 'SECURITY.md'],
        ],
      },
      {
        text: 'Backends',
        pages: [
          ['Hosts', 'docs/hosts.md'],
          ['Compatibility', 'docs/compatibility.md'],
          ['Images and videos', 'docs/images-and-videos.md'],
          ['Simulator', 'docs/simulator.md'],
        ],
      },
    ],
  },
  {
    text: 'I use agents',
    groups: [
      {
        text: 'I use agents',
        pages: [
          ['Claude Code with a local model', 'docs/guides/claude-code-with-a-local-model.md'],
          ['Coding agents', 'docs/agents.md'],
        ],
      },
    ],
  },
];

/** What those read who work on the project. */
export const INTERNALS: Path = {
  text: 'Internals',
  groups: [
    {
      text: 'Internals',
      pages: [
        ['Architecture', 'docs/internals/architecture.md'],
        ['Translation', 'docs/internals/translation.md'],
        ['Contributing', 'CONTRIBUTING.md'],
      ],
    },
    {
      text: 'Protocols',
      pages: [
        ['Overview', 'docs/internals/protocols/README.md'],
        ['messages', 'docs/internals/protocols/messages.md'],
        ['responses', 'docs/internals/protocols/responses.md'],
        ['generateContent', 'docs/internals/protocols/generate-content.md'],
        ['chatCompletions', 'docs/internals/protocols/chat-completions.md'],
        ['Images and videos', 'docs/internals/protocols/media.md'],
      ],
    },
  ],
};
