import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Case, lint } from './linted.js';
import { layers } from './zones.js';

/** Each forbidden import, beside a similar allowed one. */
const cases = (
  [
    // The frontend and the api files
    ['frontend/src/features/credits/form.ts', `import '../../../../backend/modules/credits/credits.api.js';`],
    [
      'frontend/src/features/credits/form-decides.ts',
      `import '../../../../backend/modules/credits/credit-account.js';`,
      'rende/zones',
    ],
    [
      'frontend/src/app/router-types.ts',
      `import type { Row } from '../../../backend/platform/database/database.js';\nexport type R = Row;`,
      'rende/zones',
    ],
    [
      'backend/modules/credits/lots.api.ts',
      `import 'zod';\nimport 'zod/mini';\nimport '../plans/plans.api.js';`,
    ],
    ['backend/modules/credits/nest.api.ts', `import '@nestjs/common';`, 'rende/zones'],
    ['backend/modules/credits/node.api.ts', `import 'node:crypto';`, 'rende/zones'],
    ['backend/modules/credits/decider.api.ts', `import './credit-account.js';`, 'rende/zones'],

    // Deciders
    [
      'backend/modules/credits/legal-decider.ts',
      `import type { Row } from '../../platform/database/database.js';
     import { streamId } from '../../platform/event-store/aggregate.js';
     import { Problem } from '../../platform/http/problem.js';
     import { TZDate } from '@date-fns/tz';
     import { addDays } from 'date-fns';
     import { errors } from './credits.api.js';
     import { account } from './credit-account.js';
     import type { Registered } from '../students/student.js';
     export const all = [streamId, Problem, TZDate, addDays, errors, account];
     export type All = Row | Registered;`,
    ],
    ['backend/modules/credits/impure.ts', `import '../../platform/database/database.js';`, 'rende/zones'],
    ['backend/modules/credits/clock.ts', `import 'node:crypto';`, 'rende/zones'],
    ['backend/modules/credits/framework.ts', `import '@nestjs/common';`, 'rende/zones'],
    ['backend/modules/credits/asks.ts', `import './credits.queries.js';`, 'rende/zones'],
    ['backend/modules/credits/reaches.ts', `import '../students/student.js';`, 'rende/zones'],

    [
      'backend/modules/credits/timeless.ts',
      `export const at = (now: string) => new Date(now).getTime() + Date.parse(now);`,
    ],
    ['backend/modules/credits/now.ts', `export const now = () => new Date();`, 'rende/no-clock'],
    ['backend/modules/credits/chance.ts', `export const chance = () => Math.random();`, 'rende/no-clock'],
    [
      'backend/modules/credits/ids.ts',
      `export const id = () => crypto.randomUUID();`,
      'no-restricted-globals',
    ],

    // Platform and modules
    ['backend/platform/realtime/gateway.ts', `import '../database/database.js';\nimport '@nestjs/common';`],
    ['backend/platform/realtime/knows.ts', `import '../../modules/credits/credits.api.js';`, 'rende/zones'],
    [
      'backend/modules/agenda/agenda.commands.ts',
      `import '../credits/credits.commands.js';
     import '../credits/credits.queries.js';
     import '../credits/credits.loads.js';
     import '../credits/credit-account.js';
     import '../credits/credits.api.js';
     import './agenda.controller.js';
     import '../../platform/database/database.js';`,
    ],
    ['backend/modules/agenda/agenda.queries.ts', `import '../credits/credits.controller.js';`, 'rende/zones'],
    [
      'backend/modules/agenda/agenda.projection.ts',
      `export { balances } from '../credits/balances.projection.js';`,
      'rende/zones',
    ],
    ['backend/modules/credits/upward.commands.ts', `import '../agenda/agenda.commands.js';`, 'rende/zones'],
    ['backend/modules/credits/upward.api.ts', `import '../agenda/agenda.api.js';`, 'rende/zones'],
    [
      'backend/modules/credits/upward-type.ts',
      `import type { Session } from '../agenda/session.js';\nexport type S = Session;`,
      'rende/zones',
    ],
    ['backend/modules/notes/unplaced.queries.ts', `import '../credits/credits.api.js';`, 'rende/zones'],
    ['backend/modules/agenda/lazy.jobs.ts', `await import('../credits/credits.module.js');`, 'rende/zones'],
    ['backend/modules/agenda/tests.jobs.ts', `import '../../../test/support/app.js';`, 'rende/zones'],
    [
      'backend/modules/agenda/session.spec.ts',
      `import './session.js';\nimport '../../../test/support/app.js';`,
    ],
    [
      'backend/app.module.ts',
      `import './modules/credits/credits.module.js';\nimport './platform/database/database.js';`,
    ],
    ['backend/main.ts', `import './modules/credits/credits.commands.js';`, 'rende/zones'],
    ['test/credits/credits.int.spec.ts', `import '../../backend/modules/credits/credits.commands.js';`],
    ['backend/somewhere/else.ts', `export const lost = true;`, 'rende/known-place'],

    // The environment
    ['backend/platform/config/env.ts', `export const port = process.env['PORT'];`],
    [
      'backend/platform/database/pool.ts',
      `export const url = process.env['URL'];`,
      'no-restricted-properties',
    ],
    ['backend/platform/database/spread.ts', `export const { env } = process;`, 'no-restricted-properties'],
    [
      'backend/modules/agenda/env.jobs.ts',
      `import { env } from 'node:process';\nexport const url = env['URL'];`,
      'no-restricted-imports',
    ],

    // lib <- ui <- parts <- features <- app
    ['frontend/src/lib/live.ts', `import './money.js';\nimport 'socket.io-client';\nvoid fetch('/');`],
    ['frontend/src/lib/upward.ts', `import '../ui/button.js';`, 'rende/zones'],
    ['frontend/src/ui/price.ts', `import '../lib/money.js';\nimport './button.js';\nimport '@mantine/core';`],
    ['frontend/src/ui/upward.ts', `import '../features/credits/balance.js';`, 'rende/zones'],
    [
      'frontend/src/ui/business.ts',
      `import '../../../backend/modules/credits/credits.api.js';`,
      'rende/zones',
    ],
    ['frontend/src/ui/client.ts', `import '../lib/http.js';`, 'rende/zones'],
    ['frontend/src/ui/query.ts', `import '@tanstack/react-query';`, 'rende/zones'],
    ['frontend/src/ui/fetches.ts', `void fetch('/');`, 'no-restricted-globals'],
    [
      'frontend/src/features/agenda/day.ts',
      `import '../../lib/http.js';\nimport '../../ui/button.js';\nimport '../../parts/student-field.js';\nimport './hours.js';\nimport '@tanstack/react-query';`,
    ],
    ['frontend/src/features/agenda/sibling.ts', `import '../credits/balance.js';`, 'rende/zones'],
    [
      'frontend/src/parts/student-field.ts',
      `import '../lib/calls.js';\nimport '../ui/button.js';\nimport './balance.js';`,
    ],
    ['frontend/src/parts/upward.ts', `import '../features/credits/balance.js';`, 'rende/zones'],
    ['frontend/src/features/agenda/upward.ts', `import '../../app/router.js';`, 'rende/zones'],
    ['frontend/src/features/agenda/fetches.ts', `void fetch('/');`, 'no-restricted-globals'],
    [
      'frontend/src/app/router.ts',
      `import '../features/agenda/hours.js';\nimport '../ui/button.js';\nimport '../lib/http.js';`,
    ],

    // Cycles
    [
      'backend/platform/mail/a.ts',
      `import { b } from './b.js';\nexport const a = () => b;`,
      'import/no-cycle',
    ],
    [
      'backend/platform/mail/b.ts',
      `import { a } from './a.js';\nexport const b = () => a;`,
      'import/no-cycle',
    ],
  ] as [file: string, text: string, breaks?: string][]
).map(([file, text, breaks]): Case => ({ file, text, ...(breaks && { breaks }) }));

/** The files that the cases import. */
const targets = [
  'backend/modules/agenda/agenda.api.ts',
  'backend/modules/agenda/agenda.controller.ts',
  'backend/modules/agenda/session.ts',
  'backend/modules/credits/balances.projection.ts',
  'backend/modules/credits/credit-account.ts',
  'backend/modules/credits/credits.api.ts',
  'backend/modules/credits/credits.commands.ts',
  'backend/modules/credits/credits.controller.ts',
  'backend/modules/credits/credits.loads.ts',
  'backend/modules/credits/credits.module.ts',
  'backend/modules/credits/credits.queries.ts',
  'backend/modules/plans/plans.api.ts',
  'backend/modules/students/student.ts',
  'backend/platform/database/database.ts',
  'backend/platform/event-store/aggregate.ts',
  'backend/platform/http/problem.ts',
  'frontend/src/features/agenda/hours.ts',
  'frontend/src/features/credits/balance.ts',
  'frontend/src/lib/http.ts',
  'frontend/src/lib/money.ts',
  'frontend/src/ui/button.ts',
  'test/support/app.ts',
];

const zoneRule = /^(rende\/|no-restricted-|import\/no-cycle$)/;
let rulesBroken: (file: string) => string[];

beforeAll(async () => {
  rulesBroken = await lint([...targets.map((file) => ({ file, text: 'export {};\n' })), ...cases], zoneRule);
});

describe('the layers of modules', () => {
  test('hold every module once', () => {
    expect(layers.flat().sort()).toEqual(readdirSync('backend/modules'));
  });

  test('are drawn in the documentation, the highest first', () => {
    const drawn = readFileSync('docs/architecture.md', 'utf8').matchAll(
      /^ {4}\w+\["<b>.+<\/b><br\/>(.+)"\]$/gm,
    );
    expect([...drawn].map(([, modules]) => modules!.split(' · ')).reverse()).toEqual(layers);
  });
});

test('modules of the backend that tools load by name exist', () => {
  const tools = readdirSync('infra', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.mjs'),
  );
  const loaded = tools.flatMap((file) =>
    Array.from(
      readFileSync(`infra/${file}`, 'utf8').matchAll(/'((?:modules|platform)\/[\w./-]+)\.js'/g),
      ([, name]) => `backend/${name}.ts`,
    ),
  );
  expect(loaded.length).toBeGreaterThan(0);
  expect(loaded.filter((file) => !existsSync(file))).toEqual([]);
});

describe('the import zones', () => {
  test.each(cases.filter(({ breaks }) => !breaks))('$file is allowed', ({ file }) => {
    expect(rulesBroken(file)).toEqual([]);
  });

  test.each(cases.filter(({ breaks }) => breaks))('$file breaks $breaks', ({ file, breaks }) => {
    expect(rulesBroken(file)).toEqual([breaks]);
  });
});
