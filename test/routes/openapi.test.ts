import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { routes } from '../../src/routes/index.js';
import { describeRoutes } from '../../src/routes/openapi.js';
import { ASK, DIALECTS, send, startGateway, type Tree } from '../support/gateway/harness.js';

const description: Tree = JSON.parse(JSON.stringify(describeRoutes(routes, 'http://127.0.0.1:8080')));

/** Every value below a key, wherever it stands. */
function valuesOf(value: unknown, key: string): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, child]) => [...(name === key ? [child] : []), ...valuesOf(child, key)]);
}

describe('/openapi.json', () => {
  test('names every route with its methods, and every part of a path', () => {
    for (const { path, methods } of routes) {
      const item = description.paths[path.replace('*', '{rest}')];
      for (const method of methods)
        expect([path, Object.keys(item)]).toEqual([path, expect.arrayContaining([method.toLowerCase()])]);
      const named = [...path.replace('*', '{rest}').matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const inPath = (item.parameters ?? []).filter((parameter: Tree) => parameter.in === 'path');
      expect(inPath.map(({ name }: Tree) => name)).toEqual(named);
    }
    const ids = valuesOf(description.paths, 'operationId');
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('has schemas that hold, and no reference into nothing', () => {
    const names = valuesOf(description, '$ref').map((ref) => String(ref).replace('#/components/schemas/', ''));
    expect(names.filter((name) => description.components.schemas[name] === undefined)).toEqual([]);
    const requests = {
      messages: 'CreateMessageParams',
      responses: 'CreateResponse',
      generateContent: 'GenerateContentRequest',
      chatCompletions: 'CreateChatCompletionRequest',
    } as const;
    for (const dialect of DIALECTS) {
      const name = (requests as Partial<Record<string, string>>)[dialect];
      if (name === undefined) continue;
      const validate = new Ajv2020({ strict: false }).compile(description.components.schemas[name]);
      expect([dialect, validate(ASK[dialect]('m').body)]).toEqual([dialect, true]);
    }
  });

  test('is served, to holders of a key', async () => {
    const gateway = await startGateway({
      backends: { a: { dialect: 'messages', simulator: true } },
      keys: [{ name: 'a', key: 'a-key-of-some-length' }],
    });
    const answer = await send(gateway.url, '/openapi.json', { headers: { 'x-api-key': 'a-key-of-some-length' } });
    expect([answer.status, answer.body.openapi, answer.body.servers]).toEqual([200, '3.1.0', [{ url: gateway.url }]]);
    expect((await send(gateway.url, '/openapi.json')).status).toBe(401);
    await gateway.close();
  });
});
