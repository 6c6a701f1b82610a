import { describe, expect, it } from '@jest/globals';
import { nextDate, repetitionOf, ruleOf } from './repetition.js';
import type { Repetition } from './tasks.api.js';

const TODAY = '2026-11-22';

describe('the rule of a repeated task', () => {
  it.each<[Repetition, string, string | null]>([
    ['nao_se_repete', '2026-11-22', null],
    ['diariamente', '2026-11-22', 'FREQ=DAILY'],
    ['semanalmente', '2026-11-22', 'FREQ=WEEKLY;BYDAY=SU'],
    ['semanalmente', '2026-11-28', 'FREQ=WEEKLY;BYDAY=SA'],
    ['mensalmente', '2026-11-05', 'FREQ=MONTHLY;BYMONTHDAY=5'],
    ['mensalmente', '2026-11-28', 'FREQ=MONTHLY;BYMONTHDAY=28'],
    ['mensalmente', '2026-11-29', 'FREQ=MONTHLY;BYMONTHDAY=28,29;BYSETPOS=-1'],
    ['mensalmente', '2026-12-31', 'FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1'],
  ])('%s from %s is %s', (repeticao, date, rule) => {
    expect(ruleOf(repeticao, date)).toBe(rule);
    expect(repetitionOf(rule)).toBe(repeticao);
  });
});

describe('the next date', () => {
  it.each<[Repetition, string, string, string | null]>([
    ['diariamente', '2026-11-22', TODAY, '2026-11-23'],
    ['diariamente', '2026-12-31', TODAY, '2027-01-01'],
    // Missed days are skipped; today is not.
    ['diariamente', '2026-11-10', TODAY, '2026-11-22'],
    ['semanalmente', '2026-11-22', TODAY, '2026-11-29'],
    ['semanalmente', '2026-11-02', TODAY, '2026-11-23'],
    ['mensalmente', '2026-12-05', TODAY, '2027-01-05'],
    ['mensalmente', '2026-01-05', TODAY, '2026-12-05'],
    ['mensalmente', '2027-01-31', TODAY, '2027-02-28'],
    ['mensalmente', '2028-01-31', TODAY, '2028-02-29'],
    ['mensalmente', '2100-12-31', TODAY, null],
  ])('%s after %s, on %s, is %s', (repeticao, date, today, next) => {
    expect(nextDate(ruleOf(repeticao, date)!, date, today)).toBe(next);
  });

  it('of a task on the 31st is the 31st again after a shorter month', () => {
    const rule = ruleOf('mensalmente', '2027-01-31')!;
    const dates = ['2027-01-31'];
    while (dates.length < 5) dates.push(nextDate(rule, dates.at(-1)!, TODAY)!);
    expect(dates).toEqual(['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31']);
  });
});
