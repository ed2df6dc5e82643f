import type { Entry } from './command.js';

/** All commands, in the order of `--help`. */
export const COMMANDS: readonly Entry[] = [
  {
    name: 'serve',
    summary: 'Runs the gateway; so does interlingua without a command.',
    load: async () => (await import('./serve.js')).serve,
  },
  {
    name: 'check',
    summary: 'Validates a configuration and prints where each model leads.',
    load: async () => (await import('./check.js')).check,
  },
  {
    name: 'probe',
    summary: 'Asks a server what it does, and prints the configuration for it.',
    load: async () => (await import('./probe.js')).probe,
  },
  {
    name: 'translate',
    summary: 'Translates a body or a stream: the translation goes to stdout, the losses to stderr.',
    load: async () => (await import('./translate.js')).translate,
  },
  {
    name: 'migrate',
    summary: 'Reports what recorded traffic would lose if it moved to another dialect.',
    load: async () => (await import('./migrate.js')).migrate,
  },
  {
    name: 'usage',
    summary: 'Prints what was used and what it cost, by key, model and time.',
    load: async () => (await import('./usage.js')).usage,
  },
  {
    name: 'import',
    summary: "Makes a configuration of another gateway's: litellm, portkey, claude-code-router.",
    load: async () => (await import('./import.js')).importCommand,
  },
  {
    name: 'demo',
    summary: 'Runs one streamed conversation with a tool through all pairs, on the built-in simulator.',
    load: async () => (await import('./demo.js')).demo,
  },
  {
    name: 'launch',
    summary: 'Runs a coding agent (claude, codex, gemini, opencode, copilot) against the gateway.',
    load: async () => (await import('./launch.js')).launch,
  },
  {
    name: 'completion',
    summary: 'Prints a completion script for a shell.',
    load: async () => (await import('./completion.js')).completion,
  },
];
