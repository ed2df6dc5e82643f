import { createRequire } from 'node:module';
import { errorCode } from './error-code.js';

/** The packages that fetch credentials of clouds. They are not installed with ours: most operators need neither. */
export const CLOUD_PACKAGES = {
  google: ['google-auth-library'],
  aws: ['@aws-sdk/credential-providers', '@smithy/signature-v4'],
} as const;

export type Cloud = keyof typeof CLOUD_PACKAGES;

/** Says what is missing for the credentials of a cloud, and how it is had; undefined = nothing is. */
export function missingFor(cloud: Cloud, isInstalled: (name: string) => boolean = canResolve): string | undefined {
  const missing = CLOUD_PACKAGES[cloud].filter((name) => !isInstalled(name));
  if (missing.length === 0) return undefined;
  return `\`${cloud}\` needs what is not installed: npm install ${missing.join(' ')}`;
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
