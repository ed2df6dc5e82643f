import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { dialects, isDialectId } from '../../translators/index.js';
import { openApplication, type TestApplication } from '../support/gateway/application.js';
import { type Example, examples } from './examples.js';

let app: TestApplication;
beforeAll(() => {
  const names = [...new Set(examples.map(({ dialect }) => dialect))].filter(isDialectId);
  app = openApplication({
    backends: Object.fromEntries(names.map((dialect) => [dialect, { dialect, simulator: true }])),
    models: Object.fromEntries(names.map((dialect) => [dialect, { backend: dialect }])),
  });
});
afterAll(() => app.close());

test.each(
  examples
    .filter(({ kind }) => kind === 'request')
    .map((one): [string, string, Example] => [one.dialect, one.name, one]),
)('the service of %s takes the example "%s"', async (dialect, _name, { body }) => {
  if (!isDialectId(dialect)) throw new Error(`${dialect} is no dialect`);
  const path = dialects[dialect].endpoint('create', { model: dialect, stream: false });
  const named = 'model' in Object(body) ? { ...Object(body), model: dialect } : body;
  const { status, text } = await app.http.post(path).send(named);
  expect([status, status === 200 ? '' : text]).toEqual([200, '']);
});
