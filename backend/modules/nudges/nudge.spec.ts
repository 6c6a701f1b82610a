import { describe, expect, it } from '@jest/globals';
import { given } from '../../../test/support/given.js';
import { decideDismiss, decideSent, decideUnsent, nudge, type NudgeEvent } from './nudge.js';

const about = {
  nudge_id: '3f0c2b1e-7d44-4c0b-9d0e-2f6a1c3b4d51',
  student_id: '5f0c2b1e-7d44-4c0b-9d0e-2f6a1c3b4d5e',
  motivo: 'aniversario' as const,
  dia: '2030-01-14',
};
const sent: NudgeEvent = { type: 'NudgeSent', data: about };
const dismissed: NudgeEvent = { type: 'NudgeDismissed', data: about };
const unsent: NudgeEvent = { type: 'NudgeUnsent', data: about };

describe('a message to a student', () => {
  it('is marked as sent, dismissed and unsent, each once', () => {
    expect(decideSent(undefined, about)).toEqual([sent]);
    expect(decideSent(given(nudge, sent), about)).toEqual([]);
    expect(decideUnsent(given(nudge, sent))).toEqual([unsent]);
    expect(decideUnsent(given(nudge, sent, unsent))).toEqual([]);
    expect(decideSent(given(nudge, sent, unsent), about)).toEqual([sent]);
    expect(decideDismiss(undefined, about)).toEqual([dismissed]);
    expect(decideDismiss(given(nudge, dismissed), about)).toEqual([]);
    expect(decideDismiss(given(nudge, sent), about)).toEqual([]);
    expect(decideUnsent(given(nudge, dismissed))).toEqual([unsent]);
    expect(decideSent(given(nudge, dismissed), about)).toEqual([sent]);
    expect(() => decideUnsent(undefined)).toThrow(expect.objectContaining({ code: 'nudges.not_found' }));
  });
});
