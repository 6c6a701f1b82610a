import { describe, expect, it } from '@jest/globals';
import { budgetsOf } from './budgets.js';

const chunk = (fileName: string, modules: string[], imports: string[] = [], styles: string[] = []) => ({
  fileName,
  isEntry: fileName === 'entry.js',
  modules,
  imports,
  styles,
});

const build = [
  chunk('entry.js', ['/src/app/main.tsx'], ['base.js'], ['entry.css']),
  chunk('base.js', ['/react.js'], ['entry.js']),
  chunk('auth-client.js', ['/src/lib/auth-client.ts']),
  chunk('auth.js', ['/src/features/accounts/auth-page.tsx'], ['common.js']),
  chunk('common.js', ['/mantine.js'], ['base.js']),
  chunk('trainer.js', ['/src/app/trainer-area.tsx', '/src/app/pages/dashboard.tsx'], ['common.js']),
  chunk('student.js', ['/src/app/student-area.tsx', '/src/app/pages/student-home.tsx'], ['common.js']),
  chunk('link.js', ['/src/app/pages/area-by-link.tsx', '/src/app/pages/home-by-link.tsx'], ['common.js']),
];
const sizes = new Map(
  Object.entries({
    'entry.js': 20_000,
    'base.js': 50_000,
    'entry.css': 9000,
    'auth-client.js': 20_000,
    'auth.js': 7000,
    'common.js': 60_000,
    'trainer.js': 8000,
    'student.js': 5000,
    'link.js': 2000,
    'geist.woff2': 29_000,
  }),
);

describe('the budgets of a build', () => {
  const taken = () =>
    Object.fromEntries(budgetsOf(build, sizes).map(({ what, kilobytes }) => [what, kilobytes]));

  it('count the entry with its imports, and its styles separately', () => {
    expect(taken()).toMatchObject({ 'the entry': 70, "the entry's styles": 9 });
  });

  it('count each chunk of a page and its imports once', () => {
    expect(taken()).toMatchObject({
      'opening /auth': 157,
      'opening /': 138,
      'opening /aluno': 135,
      'opening /minha-area': 132,
    });
  });

  it('count every later chunk by itself', () => {
    const later = budgetsOf(build, sizes).filter(({ limit }) => limit === 120);
    expect(later).toContainEqual({ what: 'common.js', limit: 120, kilobytes: 60 });
    expect(later.map(({ what }) => what)).not.toContain('base.js');
  });

  it('let no page of a student import the dashboard', () => {
    const payments = (...imports: string[]) =>
      budgetsOf([...build, chunk('payments.js', ['/src/receipts/own-payments-page.tsx'], imports)], sizes);
    const what = 'the dashboard for payments.js';
    expect(payments('common.js')).toContainEqual({ what, limit: 0, kilobytes: 0 });
    expect(payments('trainer.js')).toContainEqual({ what, limit: 0, kilobytes: 8 });
  });

  it('count the font, which may have 50 kB', () => {
    expect(budgetsOf(build, sizes)).toContainEqual({ what: 'the font', limit: 50, kilobytes: 29 });
  });

  it('fail a build that lacks a part of a first page', () => {
    expect(() => budgetsOf(build.slice(0, -1), sizes)).toThrow('no chunk holds /app/pages/area-by-link');
  });
});
