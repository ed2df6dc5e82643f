import { dialectsOf, type Preset, type PresetName, presetNames, presets } from '../../../src/presets/index.js';
import { HOST_FEATURES } from '../../../translators/index.js';

/** What is generated of README.md and docs/hosts.md from the presets. */

const LETTERS: Readonly<Record<string, string>> = {
  messages: 'M',
  responses: 'R',
  generateContent: 'G',
  chatCompletions: 'H',
};

/** The hosts in a few lines: those who run at home, those of one vendor, those of many, and clouds. */
export function hostsInShort(): string {
  const groups: readonly (readonly [string, (preset: Preset) => boolean])[] = [
    ['on your own machine', ({ key }) => key === 'optional'],
    [
      'in the net',
      ({ key, endpoints }) => key === 'needed' && Object.values(endpoints).every(({ root }) => root !== undefined),
    ],
    [
      'clouds, with an address of your own',
      ({ endpoints }) => Object.values(endpoints).some(({ root }) => root === undefined),
    ],
  ];
  const rows = groups.map(([where, isOf]) => {
    const shown = presetNames
      .filter((name) => isOf(presets[name]))
      .map(
        (name) =>
          `\`${name}\` ${dialectsOf(presets[name])
            .map((dialect) => LETTERS[dialect])
            .join('')}`,
      );
    return `| ${where} | ${shown.join(', ')} |`;
  });
  return ['| Where | Hosts, and what they speak, the usual first |', '|---|---|', ...rows].join('\n');
}

const KEYS: Readonly<Partial<Record<Preset['key'], string>>> = {
  optional: 'none needed',
  none: 'the account of the cloud',
};

/** The table of docs/hosts.md. */
export function hostsTable(): string {
  const rows = presetNames.map((name) => {
    const { title, auth, key, variable, state, hosts } = presets[name];
    const cells = [
      `[\`${name}\`](#${name})`,
      title,
      hosts.length === 0 ? 'by name only' : hosts.map((host) => `\`${host}\``).join(', '),
      dialectsOf(presets[name]).join(', '),
      `${KEYS[key] ?? `\`${variable}\``}, \`${auth}\``,
      state === 'own' ? 'the host' : 'the gateway',
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [
    '| Preset | Host | Found by | Speaks | Key, form | Stored responses are kept by |',
    '|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

/** What hosts do not support, one line for each. */
export function unsupportedTable(): string {
  const rows = Object.entries(HOST_FEATURES).map(
    ([feature, { what, instead }]) => `| \`${feature}\` | ${what} | ${instead} |`,
  );
  return [
    '| Name | What the host does not support, or ignores | What it gets instead |',
    '|---|---|---|',
    ...rows,
  ].join('\n');
}

/** The recipes of docs/hosts.md, one per preset. */
export function recipes(): string {
  return presetNames.map(recipeOf).join('\n\n');
}

function recipeOf(name: PresetName): string {
  const preset = presets[name];
  const [usual = 'messages', ...others] = dialectsOf(preset);
  const { root, example } = preset.endpoints[usual] ?? {};
  const entry = [
    `preset: ${name}`,
    ...(root === undefined ? [`baseUrl: "${example}"`] : []),
    ...(preset.key === 'needed' ? [`apiKey: "\${${preset.variable}}"`] : []),
  ];
  const flag = root === undefined ? `${name}=${example}` : name;
  const variable = preset.key === 'needed' ? `${preset.variable}=KEY ` : '';
  const endpoints = others.map((dialect) => {
    const { root: other, example: such, auth } = preset.endpoints[dialect] ?? {};
    return `\`dialect: ${dialect}\` at \`${other ?? such}\`${auth === undefined || auth === preset.auth ? '' : ` (\`${auth}\`)`}`;
  });
  const unsupported = dialectsOf(preset).flatMap((dialect) => {
    const { unsupported: features = [] } = preset.endpoints[dialect] ?? {};
    return features.length === 0
      ? []
      : [`Unsupported in ${dialect}: ${features.map((feature) => `\`${feature}\``).join(', ')}.`];
  });
  const counted = dialectsOf(preset).flatMap((dialect) => {
    const { counts } = preset.endpoints[dialect] ?? {};
    return counts === undefined ? [] : [`Counts tokens for ${dialect} by its route of ${counts}.`];
  });
  return [
    `### ${name}`,
    '',
    `${preset.title} speaks ${usual} at \`${root ?? example}\`${endpoints.length === 0 ? '' : `; also ${endpoints.join(', ')}`}.${preset.note === undefined ? '' : ` ${preset.note}`}${preset.tried === undefined ? '' : ` Tried with ${preset.tried}.`}`,
    '',
    '```sh',
    `${variable}interlingua serve --backend ${flag}`,
    '```',
    '',
    '```yaml',
    'backends:',
    `  ${name}: { ${entry.join(', ')} }`,
    '```',
    ...[...unsupported, ...counted].flatMap((line) => ['', line]),
  ].join('\n');
}
