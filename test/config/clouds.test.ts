import { describe, expect, test } from '@jest/globals';
import { parseConfig } from '../../src/config/load.js';
import { ConfigError } from '../../src/config/problem.js';
import { missingFor } from '../../src/ground/optional-packages.js';

const VERTEX = 'https://europe-west1-aiplatform.googleapis.com/v1/projects/p/locations/europe-west1/publishers';

function backendOf(backend: object) {
  return parseConfig({ backends: { a: backend } }).backends.a;
}

function problems(backend: object): string[] {
  try {
    backendOf(backend);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map(({ path, reason }) => `${path}: ${reason}`);
    throw error;
  }
  return [];
}

describe('auth: google', () => {
  test.each([
    ['google', 'generateContent'],
    ['anthropic', 'messages'],
  ])('below the publisher %s', (publisher, dialect) => {
    const baseUrl = `${VERTEX}/${publisher}`;
    expect(backendOf({ dialect, baseUrl: `${baseUrl}/`, auth: 'google' })).toMatchObject({
      baseUrl,
      publisher,
      auth: 'google',
    });
  });

  test('is what the presets of the cloud have, and the publisher in the address tells them apart', () => {
    for (const [publisher, dialect, name] of [
      ['google', 'generateContent', 'vertex'],
      ['anthropic', 'messages', 'vertex-anthropic'],
    ] as const) {
      const found = backendOf({ baseUrl: `${VERTEX}/${publisher}` });
      expect(found).toMatchObject({ dialect, auth: 'google', publisher, preset: { name, by: 'host' } });
      const express = `https://aiplatform.googleapis.com/v1/publishers/${publisher}`;
      expect(backendOf({ preset: name, baseUrl: express, auth: 'x-goog-api-key', apiKey: 'k-1' })).toMatchObject({
        baseUrl: express,
        publisher,
      });
    }
  });

  test('the publisher says the dialect', () => {
    expect(problems({ dialect: 'responses', baseUrl: `${VERTEX}/anthropic`, auth: 'google' })).toEqual([
      'backends.a.dialect: must be messages where baseUrl ends in /publishers/anthropic',
    ]);
  });

  test('no key stands beside it', () => {
    expect(problems({ dialect: 'messages', baseUrl: `${VERTEX}/anthropic`, auth: 'google', apiKey: 'k-1' })).toEqual([
      'backends.a.auth: `google` excludes apiKey',
    ]);
  });
});

describe('auth: aws', () => {
  const backend = (host: string, more: object = {}) => ({
    dialect: 'messages',
    baseUrl: `https://${host}/anthropic`,
    auth: 'aws',
    ...more,
  });

  test.each([
    ['bedrock-runtime.eu-central-1.amazonaws.com', {}, 'eu-central-1', 'bedrock'],
    ['bedrock-mantle.us-west-2.api.aws', {}, 'us-west-2', 'bedrock'],
    ['bedrock-runtime.us-east-1.amazonaws.com', { region: 'us-west-1' }, 'us-west-1', 'bedrock'],
    ['gateway.corp.example', { region: 'eu-north-1', service: 'execute-api' }, 'eu-north-1', 'execute-api'],
  ])('at %s with %j', (host, more, region, service) => {
    expect(backendOf(backend(host, more))?.signing).toEqual({ region, service });
  });

  test('beside the preset, in the place of its key', () => {
    const baseUrl = 'https://bedrock-runtime.eu-central-1.amazonaws.com/anthropic';
    expect(backendOf({ preset: 'bedrock', baseUrl, auth: 'aws' })).toMatchObject({
      dialect: 'messages',
      auth: 'aws',
      signing: { region: 'eu-central-1', service: 'bedrock' },
    });
  });

  test('the region is asked for where nothing tells it, and neither key stands without it', () => {
    const { AWS_REGION, AWS_DEFAULT_REGION } = process.env;
    delete process.env.AWS_REGION;
    delete process.env.AWS_DEFAULT_REGION;
    try {
      expect(problems(backend('gateway.corp.example'))).toEqual([
        'backends.a.region: is required with auth: aws, since baseUrl does not contain it',
      ]);
      process.env.AWS_REGION = 'eu-west-3';
      expect(backendOf(backend('gateway.corp.example'))?.signing?.region).toBe('eu-west-3');
    } finally {
      delete process.env.AWS_REGION;
      Object.assign(process.env, AWS_REGION !== undefined && { AWS_REGION });
      Object.assign(process.env, AWS_DEFAULT_REGION !== undefined && { AWS_DEFAULT_REGION });
    }
    expect(problems({ dialect: 'messages', baseUrl: 'https://a.example', region: 'eu-west-1', service: 's' })).toEqual([
      'backends.a.region: requires auth: aws',
      'backends.a.service: requires auth: aws',
    ]);
  });
});

describe.each(['google', 'aws'])('auth: %s without encryption', (auth) => {
  const backend = (baseUrl: string) => ({
    dialect: 'messages',
    baseUrl,
    auth,
    ...(auth === 'aws' && { region: 'eu-west-1' }),
  });

  test.each(['http://gateway.corp.example', 'http://10.0.0.7:8080', 'http://127.0.0.1.example'])(
    'is refused at %s',
    (url) => {
      expect(problems(backend(url))).toEqual([
        expect.stringMatching(/^backends\.a\.baseUrl: must begin with https:\/\/ with auth: \w+: .*readable/),
      ]);
    },
  );

  test.each(['http://127.0.0.1:8080', 'http://localhost', 'http://[::1]:1', 'https://gateway.corp.example'])(
    'is taken at %s',
    (url) => {
      expect(problems(backend(url))).toEqual([]);
    },
  );
});

describe('optional packages', () => {
  test('are named with the command that installs them when they are missing', () => {
    expect(missingFor('google', () => false)).toBe(
      '`google` needs what is not installed: npm install google-auth-library',
    );
    expect(missingFor('aws', (name) => name !== '@smithy/signature-v4')).toBe(
      '`aws` needs what is not installed: npm install @smithy/signature-v4',
    );
    expect(missingFor('redis', () => false)).toBe('`redis` needs what is not installed: npm install @keyv/redis');
    expect(missingFor('traces', (name) => !name.endsWith('/core'))).toBe(
      '`traces` needs what is not installed: npm install @opentelemetry/core',
    );
    expect([missingFor('aws'), missingFor('google'), missingFor('redis'), missingFor('traces')]).toEqual(
      Array(4).fill(undefined),
    );
  });
});
