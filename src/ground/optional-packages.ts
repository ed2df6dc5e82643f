import { createRequire } from 'node:module';
import { errorCode } from './error-code.js';

/** What needs packages that are not installed with ours, since few operators want it: credentials of clouds, Redis, prices, traces. */
const OPTIONAL_PACKAGES = {
  google: ['google-auth-library'],
  aws: ['@aws-sdk/credential-providers', '@smithy/signature-v4'],
  redis: ['@keyv/redis'],
  'genai-prices': ['@pydantic/genai-prices'],
  traces: [
    '@opentelemetry/api',
    '@opentelemetry/core',
    '@opentelemetry/exporter-trace-otlp-http',
    '@opentelemetry/resources',
    '@opentelemetry/sdk-trace-base',
  ],
} as const;

export type Extra = keyof typeof OPTIONAL_PACKAGES;

/** Says what is missing for an extra, and how it is had; undefined = nothing is. */
export function missingFor(extra: Extra, isInstalled: (name: string) => boolean = canResolve): string | undefined {
  const missing = OPTIONAL_PACKAGES[extra].filter((name) => !isInstalled(name));
  if (missing.length === 0) return undefined;
  return `\`${extra}\` needs what is not installed: npm install ${missing.join(' ')}`;
}

function canResolve(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch (error) {
    // There, but not for this way of loading it.
    return errorCode(error) === 'ERR_PACKAGE_PATH_NOT_EXPORTED';
  }
}
