import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Case, lint } from './linted.js';
import { layers } from './zones.js';

/** Each forbidden import, beside a similar allowed one. */
const cases: Case[] = [
  // The frontend and the api files
  {
    file: 'frontend/src/features/credits/form.ts',
    text: `import '../../../../backend/modules/credits/credits.api.js';`,
  },
  {
    file: 'frontend/src/features/credits/form-decides.ts',
    breaks: 'rende/zones',
    text: `import '../../../../backend/modules/credits/credit-account.js';`,
  },
  {
    file: 'frontend/src/app/router-types.ts',
    breaks: 'rende/zones',
    text: `import type { Row } from '../../../backend/platform/database/database.js';\nexport type R = Row;`,
  },
  {
    file: 'backend/modules/credits/lots.api.ts',
    text: `import 'zod';\nimport 'zod/mini';\nimport '../plans/plans.api.js';`,
  },
  {
    file: 'backend/modules/credits/nest.api.ts',
    breaks: 'rende/zones',
    text: `import '@nestjs/common';`,
  },
  {
    file: 'backend/modules/credits/node.api.ts',
    breaks: 'rende/zones',
    text: `import 'node:crypto';`,
  },
  {
    file: 'backend/modules/credits/decider.api.ts',
    breaks: 'rende/zones',
    text: `import './credit-account.js';`,
  },

  // Deciders
  {
    file: 'backend/modules/credits/legal-decider.ts',
    text: `import type { Row } from '../../platform/database/database.js';
     import { streamId } from '../../platform/event-store/aggregate.js';
     import { Problem } from '../../platform/http/problem.js';
     import { TZDate } from '@date-fns/tz';
     import { addDays } from 'date-fns';
     import { errors } from './credits.api.js';
     import { account } from './credit-account.js';
     import type { Registered } from '../students/student.js';
     export const all = [streamId, Problem, TZDate, addDays, errors, account];
     export type All = Row | Registered;`,
  },
  {
    file: 'backend/modules/credits/impure.ts',
    breaks: 'rende/zones',
    text: `import '../../platform/database/database.js';`,
  },
  {
    file: 'backend/modules/credits/clock.ts',
    breaks: 'rende/zones',
    text: `import 'node:crypto';`,
  },
  {
    file: 'backend/modules/credits/framework.ts',
    breaks: 'rende/zones',
    text: `import '@nestjs/common';`,
  },
  {
    file: 'backend/modules/credits/asks.ts',
    breaks: 'rende/zones',
    text: `import './credits.queries.js';`,
  },
  {
    file: 'backend/modules/credits/reaches.ts',
    breaks: 'rende/zones',
    text: `import '../students/student.js';`,
  },

  {
    file: 'backend/modules/credits/timeless.ts',
    text: `export const at = (now: string) => new Date(now).getTime() + Date.parse(now);`,
  },
  {
    file: 'backend/modules/credits/now.ts',
    breaks: 'rende/no-clock',
    text: `export const now = () => new Date();`,
  },
  {
    file: 'backend/modules/credits/chance.ts',
    breaks: 'rende/no-clock',
    text: `export const chance = () => Math.random();`,
  },
  {
    file: 'backend/modules/credits/ids.ts',
    breaks: 'no-restricted-globals',
    text: `export const id = () => crypto.randomUUID();`,
  },

  // Platform and modules
  {
    file: 'backend/platform/realtime/gateway.ts',
    text: `import '../database/database.js';\nimport '@nestjs/common';`,
  },
  {
    file: 'backend/platform/realtime/knows.ts',
    breaks: 'rende/zones',
    text: `import '../../modules/credits/credits.api.js';`,
  },
  {
    file: 'backend/modules/agenda/agenda.commands.ts',
    text: `import '../credits/credits.commands.js';
     import '../credits/credits.queries.js';
     import '../credits/credits.loads.js';
     import '../credits/credit-account.js';
     import '../credits/credits.api.js';
     import './agenda.controller.js';
     import '../../platform/database/database.js';`,
  },
  {
    file: 'backend/modules/agenda/agenda.queries.ts',
    breaks: 'rende/zones',
    text: `import '../credits/credits.controller.js';`,
  },
  {
    file: 'backend/modules/agenda/agenda.projection.ts',
    breaks: 'rende/zones',
    text: `export { balances } from '../credits/balances.projection.js';`,
  },
  {
    file: 'backend/modules/credits/upward.commands.ts',
    breaks: 'rende/zones',
    text: `import '../agenda/agenda.commands.js';`,
  },
  {
    file: 'backend/modules/credits/upward.api.ts',
    breaks: 'rende/zones',
    text: `import '../agenda/agenda.api.js';`,
  },
  {
    file: 'backend/modules/credits/upward-type.ts',
    breaks: 'rende/zones',
    text: `import type { Session } from '../agenda/session.js';\nexport type S = Session;`,
  },
  {
    file: 'backend/modules/notes/unplaced.queries.ts',
    breaks: 'rende/zones',
    text: `import '../credits/credits.api.js';`,
  },
  {
    file: 'backend/modules/agenda/lazy.jobs.ts',
    breaks: 'rende/zones',
    text: `await import('../credits/credits.module.js');`,
  },
  {
    file: 'backend/modules/agenda/tests.jobs.ts',
    breaks: 'rende/zones',
    text: `import '../../../test/support/app.js';`,
  },
  {
    file: 'backend/modules/agenda/session.spec.ts',
    text: `import './session.js';\nimport '../../../test/support/app.js';`,
  },
  {
    file: 'backend/app.module.ts',
    text: `import './modules/credits/credits.module.js';\nimport './platform/database/database.js';`,
  },
  {
    file: 'backend/main.ts',
    breaks: 'rende/zones',
    text: `import './modules/credits/credits.commands.js';`,
  },
  {
    file: 'test/credits/credits.int.spec.ts',
    text: `import '../../backend/modules/credits/credits.commands.js';`,
  },
  {
    file: 'backend/somewhere/else.ts',
    breaks: 'rende/known-place',
    text: `export const lost = true;`,
  },

  // The environment
  { file: 'backend/platform/config/env.ts', text: `export const port = process.env['PORT'];` },
  {
    file: 'backend/platform/database/pool.ts',
    breaks: 'no-restricted-properties',
    text: `export const url = process.env['URL'];`,
  },
  {
    file: 'backend/platform/database/spread.ts',
    breaks: 'no-restricted-properties',
    text: `export const { env } = process;`,
  },
  {
    file: 'backend/modules/agenda/env.jobs.ts',
    breaks: 'no-restricted-imports',
    text: `import { env } from 'node:process';\nexport const url = env['URL'];`,
  },

  // lib <- ui <- parts <- features <- app
  {
    file: 'frontend/src/lib/live.ts',
    text: `import './money.js';\nimport 'socket.io-client';\nvoid fetch('/');`,
  },
  {
    file: 'frontend/src/lib/upward.ts',
    breaks: 'rende/zones',
    text: `import '../ui/button.js';`,
  },
  {
    file: 'frontend/src/ui/price.ts',
    text: `import '../lib/money.js';\nimport './button.js';\nimport '@mantine/core';`,
  },
  {
    file: 'frontend/src/ui/upward.ts',
    breaks: 'rende/zones',
    text: `import '../features/credits/balance.js';`,
  },
  {
    file: 'frontend/src/ui/business.ts',
    breaks: 'rende/zones',
    text: `import '../../../backend/modules/credits/credits.api.js';`,
  },
  { file: 'frontend/src/ui/client.ts', breaks: 'rende/zones', text: `import '../lib/http.js';` },
  {
    file: 'frontend/src/ui/query.ts',
    breaks: 'rende/zones',
    text: `import '@tanstack/react-query';`,
  },
  { file: 'frontend/src/ui/fetches.ts', breaks: 'no-restricted-globals', text: `void fetch('/');` },
  {
    file: 'frontend/src/features/agenda/day.ts',
    text: `import '../../lib/http.js';\nimport '../../ui/button.js';\nimport '../../parts/student-field.js';\nimport './hours.js';\nimport '@tanstack/react-query';`,
  },
  {
    file: 'frontend/src/features/agenda/sibling.ts',
    breaks: 'rende/zones',
    text: `import '../credits/balance.js';`,
  },
  {
    file: 'frontend/src/parts/student-field.ts',
    text: `import '../lib/calls.js';\nimport '../ui/button.js';\nimport './balance.js';`,
  },
  {
    file: 'frontend/src/parts/upward.ts',
    breaks: 'rende/zones',
    text: `import '../features/credits/balance.js';`,
  },
  {
    file: 'frontend/src/features/agenda/upward.ts',
    breaks: 'rende/zones',
    text: `import '../../app/router.js';`,
  },
  {
    file: 'frontend/src/features/agenda/fetches.ts',
    breaks: 'no-restricted-globals',
    text: `void fetch('/');`,
  },
  {
    file: 'frontend/src/app/router.ts',
    text: `import '../features/agenda/hours.js';\nimport '../ui/button.js';\nimport '../lib/http.js';`,
  },

  // Cycles
  {
    file: 'backend/platform/mail/a.ts',
    breaks: 'import/no-cycle',
    text: `import { b } from './b.js';\nexport const a = () => b;`,
  },
  {
    file: 'backend/platform/mail/b.ts',
    breaks: 'import/no-cycle',
    text: `import { a } from './a.js';\nexport const b = () => a;`,
  },
];

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

describe('the import zones', () => {
  test.each(cases.filter(({ breaks }) => !breaks))('$file is allowed', ({ file }) => {
    expect(rulesBroken(file)).toEqual([]);
  });

  test.each(cases.filter(({ breaks }) => breaks))('$file breaks $breaks', ({ file, breaks }) => {
    expect(rulesBroken(file)).toEqual([breaks]);
  });
});
