import { describe, expect, it } from '@jest/globals';
import { given } from '../../../test/support/given.js';
import {
  balance,
  creditAccount,
  type CreditEvent,
  decideConsume,
  decideMove,
  usableLots,
} from './credit-account.js';
import { creditTransfer, decideTransfer, decideUndoTransfer } from './credit-transfer.js';

const now = new Date('2026-11-02T13:00:00.000Z');
const lot = (lot_id: string, quantidade: number, expires_at: string | null): CreditEvent => ({
  type: 'CreditsGranted',
  data: {
    student_id: 'ana',
    entry_id: lot_id,
    at: now.toISOString(),
    lot_id,
    quantidade,
    plano_id: 'plan',
    expira_em: expires_at && expires_at.slice(0, 10),
    expires_at,
    timezone: 'America/Sao_Paulo',
  },
});
const hers = [lot('late', 3, null), lot('soon', 2, '2026-12-01T03:00:00.000Z')];
const wanted = { transfer_id: 't', de: 'ana', para: 'bia', quantidade: 3, motivo: 'Irmãs' };
let ids = 0;
const moment = { now, timezone: 'America/Sao_Paulo', newId: () => `new-${ids++}` };
const left = (...events: CreditEvent[]) =>
  usableLots(given(creditAccount, ...events), now).map(({ remaining, expires_at }) => [
    remaining,
    expires_at,
  ]);
const refusal = (code: string) => expect.objectContaining({ code });

describe('a transfer', () => {
  const made = decideTransfer(given(creditAccount, ...hers), wanted, moment);

  it('takes credits in their order of use, which keep their expiry', () => {
    expect(left(...hers, ...made.de)).toEqual([[2, null]]);
    expect(left(...made.para)).toEqual([
      [2, '2026-12-01T03:00:00.000Z'],
      [1, null],
    ]);
  });

  it('is undone into the original lots, even if they were empty', () => {
    const transfer = given(creditTransfer, ...made.transfer)!;
    const accounts = {
      de: given(creditAccount, ...hers, ...made.de),
      para: given(creditAccount, ...made.para),
    };
    const undone = decideUndoTransfer(transfer, accounts, moment);
    expect(left(...hers, ...made.de, ...undone.de)).toEqual(left(...hers));
    expect(given(creditAccount, ...made.para, ...undone.para)).toEqual({ lots: [] });
    const away = { before: [], after: [{ desde: '2026-11-10', ate: '2026-11-12' }] };
    const change = { ...away, vacation_id: 'v', timezone: 'America/Sao_Paulo' };
    expect(
      decideMove(
        given(creditAccount, ...hers, ...made.de, ...undone.de),
        { student_id: 'ana', entry_id: 'm', now },
        change,
      ),
    ).toMatchObject([{ data: { dias: 3, lotes: [{ lot_id: 'soon' }] } }]);
    const again = given(creditTransfer, ...made.transfer, ...undone.transfer)!;
    expect(() => decideUndoTransfer(again, accounts, moment)).toThrow(refusal('credits.transfer_undone'));
  });

  it('in the evening gives credits that a vacation from the same day on extends', () => {
    const evening = new Date('2026-11-10T01:00:00.000Z');
    const { para } = decideTransfer(given(creditAccount, ...hers), wanted, { ...moment, now: evening });
    const days = { desde: '2026-11-09', ate: '2026-11-11' };
    const change = { before: [], after: [days], vacation_id: 'v', timezone: 'America/Sao_Paulo' };
    expect(
      decideMove(given(creditAccount, ...para), { student_id: 'bia', entry_id: 'm', now: evening }, change),
    ).toMatchObject([{ data: { dias: 3 } }]);
  });

  it('cannot be undone once one of its credits was used', () => {
    const bia = given(creditAccount, ...made.para);
    const origin = { student_id: 'bia', entry_id: 'use', now };
    const used = decideConsume(bia, origin, { causa: 'sessao', session_id: 's' }) as CreditEvent[];
    const accounts = {
      de: given(creditAccount, ...hers, ...made.de),
      para: given(creditAccount, ...made.para, ...used),
    };
    expect(() => decideUndoTransfer(given(creditTransfer, ...made.transfer)!, accounts, moment)).toThrow(
      refusal('credits.transfer_used'),
    );
  });

  it('is refused to the same student, and for more than the valid credits', () => {
    const account = given(creditAccount, ...hers);
    expect(() => decideTransfer(account, { ...wanted, para: 'ana' }, moment)).toThrow(
      refusal('credits.same_student'),
    );
    expect(() => decideTransfer(account, { ...wanted, quantidade: 6 }, moment)).toThrow(
      expect.objectContaining({ detail: 'O aluno tem 5 créditos para transferir.' }),
    );
    const december = { ...moment, now: new Date('2026-12-02T12:00:00.000Z') };
    expect(() => decideTransfer(account, { ...wanted, quantidade: 4 }, december)).toThrow(
      expect.objectContaining({ detail: 'O aluno tem 3 créditos para transferir.' }),
    );
  });

  it('does not transfer make-ups', () => {
    const made_: CreditEvent = {
      type: 'MakeUpGranted',
      data: {
        student_id: 'ana',
        entry_id: 'm',
        at: now.toISOString(),
        lot_id: 'm',
        origem: 'soon',
        session_id: 's',
        mes: '2026-11-01',
        expira_em: '2026-12-31',
        timezone: 'America/Sao_Paulo',
        expires_at: '2027-01-01T03:00:00.000Z',
      },
    };
    const account = given(creditAccount, ...hers, made_);
    expect(balance(account, now)).toBe(5);
    expect(() => decideTransfer(account, { ...wanted, quantidade: 5 }, moment)).toThrow(
      refusal('credits.not_enough'),
    );
    const { de } = decideTransfer(account, { ...wanted, quantidade: 4 }, moment);
    expect(usableLots(given(creditAccount, ...hers, made_, ...de), now)).toMatchObject([{ lot_id: 'm' }]);
  });
});
